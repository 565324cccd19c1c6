"""Calls of rlpaper.datasets."""

from .call import Call

CALLS: list[Call] = []
