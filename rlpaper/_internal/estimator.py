"""What all that is fitted to files has in common: options, what they are shown as, and a check."""

from dataclasses import fields
from typing import Any, Self

import pandas as pd


class NotFittedError(ValueError, AttributeError):
    """What is learned was asked for before `fit`."""


class Estimator:
    """Options and learned state after scikit-learn's developer guide, without scikit-learn.

    Subclasses are dataclasses (``eq=False, repr=False``) whose fields are the options. The
    constructor stores them as they are; `fit` checks them. What `fit` learns are attributes whose
    names end in ``_``, `variables_` among them; nothing else ends so. `sklearn.base.clone` works.
    """

    variables_: list

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name."""
        known: Any = fields(self)  # type: ignore[arg-type]
        # Those that may be given by position come first, as in a call.
        options = sorted(known, key=lambda option: option.kw_only is True)
        return {option.name: getattr(self, option.name) for option in options}

    def set_params(self, **options: Any) -> Self:
        """Change options; return the object itself."""
        known = self.get_params()
        for name, value in options.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no option {name!r}; it has {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = {option.name: option.default for option in fields(self)}  # type: ignore[arg-type]
        options = ", ".join(
            f"{name}={_shown(value)}"
            for name, value in self.get_params().items()
            if value is not usual[name] and _shown(value) != _shown(usual[name])
        )
        learned = self._learned() if hasattr(self, "variables_") else ""
        return f"{type(self).__name__}({options})" + (f"\n{learned}" if learned else "")

    def _learned(self) -> str:
        """Say in one line what was learned, and how sure that is."""
        return ""

    def _check_fitted(self, original: pd.DataFrame | None = None) -> None:
        """Refuse to go on before `fit`, or with files of other columns."""
        if not hasattr(self, "variables_"):
            raise NotFittedError(f"{self!r} has learned nothing yet; call fit first")
        if original is not None and list(original.columns) != self.variables_:
            raise ValueError(
                f"{type(self).__name__} was fitted to {self.variables_}, the files have "
                f"{list(original.columns)}"
            )


def _shown(value: Any) -> str:
    """Return an option in few words: files and functions are not to be looked at."""
    if isinstance(value, pd.DataFrame):
        return "frame"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_shown(item)}' for key, item in value.items())}}}"
    return value.__qualname__.partition(".")[0] if callable(value) else repr(value)
