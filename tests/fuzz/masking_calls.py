"""Calls of rlpaper.masking."""

from .call import Call

CALLS: list[Call] = []
