"""Interactive record linkage under a privacy budget, after MINDFIRL (li2019).

>>> from rlpaper import review
>>> [name for name in dir(review) if name in ("create", "Project", "kapr", "k_anonymity", "audit")]
['Project', 'audit', 'create', 'k_anonymity', 'kapr']
"""

from .auditing import TamperedError, audit
from .creation import create
from .ledger import RefusedError
from .pairs import all_pairs, block, read_pairs
from .project import Project
from .score import PrivacyScore, k_anonymity, kapr

__all__ = [
    "PrivacyScore",
    "Project",
    "RefusedError",
    "TamperedError",
    "all_pairs",
    "block",
    "create",
    "k_anonymity",
    "kapr",
    "read_pairs",
    "audit",
]
