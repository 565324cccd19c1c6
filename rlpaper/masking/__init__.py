"""Masking methods: what a data owner does to a file before releasing it.

Each method is an object made of its parameters, with `mask`, and for categories `transitions`:
what an attacker knows who knows the masking.

>>> import pandas as pd
>>> file = pd.DataFrame({"sex": pd.Categorical(["f", "f", "f", "m"])})
>>> masking = PRAM(theta=0.6)
>>> masked = masking.mask(file, random_state=1)
>>> masking.transitions(file)["sex"]
     f    m
f  0.8  0.2
m  0.6  0.4

The functions are the short form: ``pram(file, 0.6, random_state=1)`` returns the same masked file.
`METHODS` lists what `rlpaper.assess` tries.
"""

from . import microaggregation, noise, post_randomisation, rank_swapping, recoding
from .base import CategoricalMasking, Masking, Method, NumericMasking, compose_transitions
from .microaggregation import Microaggregation, microaggregate
from .noise import Noise, add_noise
from .post_randomisation import PRAM, pram, pram_matrix
from .rank_swapping import RankSwap, rank_swap
from .recoding import BottomCode, RecodeRare, TopCode, bottom_code, recode_rare, top_code

#: The methods that `rlpaper.assess` tries, in the order in which they are shown.
METHODS = [
    microaggregation.METHOD,
    rank_swapping.METHOD,
    noise.METHOD,
    post_randomisation.METHOD,
    recoding.METHOD,
]

__all__ = [
    "METHODS",
    "PRAM",
    "BottomCode",
    "CategoricalMasking",
    "Masking",
    "Method",
    "Microaggregation",
    "Noise",
    "NumericMasking",
    "RankSwap",
    "RecodeRare",
    "TopCode",
    "add_noise",
    "bottom_code",
    "compose_transitions",
    "microaggregate",
    "pram",
    "pram_matrix",
    "rank_swap",
    "recode_rare",
    "top_code",
]
