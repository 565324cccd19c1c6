"""Interactive record linkage under a privacy budget, after MINDFIRL (li2019)."""

from .kapr import k_anonymity, kapr
