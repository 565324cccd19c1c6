"""Interactive record linkage under a privacy budget, after MINDFIRL (li2019).

>>> from rlpaper import review
>>> [name for name in dir(review) if name in ("create", "Project", "kapr", "k_anonymity", "verify")]
['Project', 'create', 'k_anonymity', 'kapr', 'verify']
"""

from .auditing import Tampered, verify
from .creation import create
from .pairs import all_pairs, block, read_pairs
from .project import Project
from .score import k_anonymity, kapr

__all__ = [
    "Project",
    "Tampered",
    "all_pairs",
    "block",
    "create",
    "k_anonymity",
    "kapr",
    "read_pairs",
    "verify",
]
