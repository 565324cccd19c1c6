"""The risk of a masked file, measured by attacking it: the analyst's entry point is `assess`."""

from .assessment import Assessment, assess
from .files import FilesError
from .pair import Pair, prepare

__all__ = ["Assessment", "FilesError", "Pair", "assess", "prepare"]
