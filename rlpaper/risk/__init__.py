"""The risk of a masked file, measured by attacking it: the analyst's entry point is `assess`."""

from .files import FilesError

__all__ = ["Assessment", "FilesError", "Pair", "assess", "prepare"]


def __getattr__(name):
    # Imported when asked for: what is wrong with two files is found without compiled code, whose
    # import takes longer than reading them.
    if name in ("Assessment", "assess"):
        from . import assessment

        return getattr(assessment, name)
    if name in ("Pair", "prepare"):
        from . import pair

        return getattr(pair, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
