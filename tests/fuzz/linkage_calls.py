"""Calls of rlpaper.linkage."""

from .call import Call

CALLS: list[Call] = []
