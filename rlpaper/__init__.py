"""Record linkage for disclosure-risk assessment: the algorithms of five papers and their reproduction.

``rlpaper.assess(original, masked)`` measures the risk of a masked file; see `rlpaper.risk`.
"""

import importlib

__version__ = "0.1.0"


def __getattr__(name):
    # Not an import: every module would then depend on all that `risk` imports, and be run again when any of it changes.
    if name == "assess":
        return importlib.import_module("rlpaper.risk").assess
    raise AttributeError(f"module 'rlpaper' has no attribute {name!r}")
