"""Interactive record linkage under a privacy budget, after MINDFIRL (li2019).

>>> from rlpaper import review
>>> [name for name in dir(review) if name in ("create", "Project", "kapr", "k_anonymity", "verify")]
['Project', 'create', 'k_anonymity', 'kapr', 'verify']
"""

from .auditing import Tampered, verify
from .pairs import all_pairs, block, read_pairs
from .creation import create
from .score import k_anonymity, kapr
from .project import Project
