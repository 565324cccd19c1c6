"""Calls of rlpaper.learning."""

from .call import Call

CALLS: list[Call] = []
