"""Calls of rlpaper.aggregation."""

from .call import Call

CALLS: list[Call] = []
