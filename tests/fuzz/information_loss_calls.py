"""Calls of rlpaper.information_loss."""

from .call import Call

CALLS: list[Call] = []
