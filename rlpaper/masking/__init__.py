"""Masking methods: what a data owner does to a file before releasing it.

Every method returns a new frame with the index and columns of the file. Its ``attrs["masking"]`` lists the steps
that were taken, oldest first: the method, its parameters and, for categorical methods, with which probability
each category became which (`transitions` gives them as tables). A release would not carry all of that; an
attacker who knows the method does.
"""

from .categorical import bottom_code, pram, pram_matrix, recode_rare, top_code, transitions
from .microaggregation import microaggregate
from .numeric import add_noise, rank_swap

__all__ = [
    "add_noise",
    "bottom_code",
    "microaggregate",
    "pram",
    "pram_matrix",
    "rank_swap",
    "recode_rare",
    "top_code",
    "transitions",
]
