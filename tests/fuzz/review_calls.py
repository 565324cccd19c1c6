"""Calls of rlpaper.review."""

from .call import Call

CALLS: list[Call] = []
