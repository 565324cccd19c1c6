"""A function to be fuzzed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .draws import Draw


@dataclass(frozen=True)
class Call:
    """How a function is called with what is drawn, and how often beside the others."""

    name: str  # such as "linkage.link"
    functions: tuple[Callable, ...]  # those that it calls: errors may name their options
    make: Callable[[Draw], Any]
    weight: int = 10
    errors: tuple[type[Exception], ...] = ()  # documented, beside ValueError
