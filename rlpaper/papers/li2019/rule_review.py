"""A review by rule, which stands for a person."""

from ...review.session import Session


def review_by_rule(session: Session, mode: str, edits: int) -> None:
    """Let a rule review all pairs of a session.

    It stands for a person, so that a review can be shown from start to end. It reveals every cell
    that is close up to `mode`, as far as the budget goes, and answers *same* where at most `edits`
    characters differ and no attribute is wholly different, else *different*; a missing value makes
    it unsure.
    """
    page = 0
    while True:
        frame = session.handle({"type": "open", "page": page})
        for pair in frame["pairs"]:
            close = [
                [pair["position"], column]
                for column, cell in enumerate(pair["cells"])
                if cell["agreement"] == "close"
            ]
            if close and mode != "masked":
                session.handle({"type": "reveal", "cells": close, "mode": mode})
            differing = sum(
                len(text)
                for cell in pair["cells"]
                if cell["agreement"] == "close"
                for markup, text in max(
                    cell["rows"], key=lambda row: sum(len(t) for m, t in row if m != "equal")
                )
                if markup not in ("equal", "separator", "gap")
            )
            agreements = {cell["agreement"] for cell in pair["cells"]}
            answer = (
                "unsure"
                if "missing" in agreements
                else "different"
                if "different" in agreements or differing > edits
                else "same"
            )
            session.handle(
                {"type": "decide", "position": pair["position"], "answer": answer, "confidence": 2}
            )
        page += 1
        if page >= frame["pages"]:
            return
