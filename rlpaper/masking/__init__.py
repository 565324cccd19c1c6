"""Masking methods: what a data owner does to a file before releasing it.

Every method returns a new frame with the index and columns of the file. Its ``attrs["masking"]``
lists the steps that were taken, oldest first: the method, its parameters and, for categorical
methods, with which probability each category became which (`transitions` gives them as tables). A
release would not carry all of that; an attacker who knows the method does.
"""

from .base import transitions
from .microaggregation import microaggregate
from .noise import add_noise
from .post_randomisation import pram, pram_matrix
from .rank_swapping import rank_swap
from .recoding import bottom_code, recode_rare, top_code

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
