"""The risk of a masked file, measured by attacking it: the analyst's entry point is `assess`."""

from .assessment import Assessment, assess
from .pair import Pair, prepare
from .files import FilesError

__all__ = ["Assessment", "FilesError", "Pair", "assess", "prepare"]
