"""Masking methods: what a data owner does to a file before releasing it."""

from .numeric import rank_swap

__all__ = ["rank_swap"]
