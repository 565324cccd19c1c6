"""Calls of rlpaper.risk."""

from .call import Call

CALLS: list[Call] = []
