"""Sentences of abril2011 that are held against what was computed."""

import pandas as pd


def special_cases(standard: pd.DataFrame, nesting: pd.DataFrame) -> pd.Series:
    """Return by pair of distances whether the special one never links more than the general one.

    Parameters
    ----------
    standard : DataFrame
        Of `runs.standard`.
    nesting : DataFrame
        Of `tables.nesting`.
    """
    equal = standard.pivot(index=["file", "execution"], columns="operator", values="linked")
    return pd.Series(
        {
            "AM within WM": (equal["d2AM"] <= equal["d2WM"]).all(),
            "WM within CI": (nesting["d2WM"] <= nesting["d2CI"]).all(),
            "WM within MD*": (nesting["d2WM"] <= nesting["d2MDstar"]).all(),
        },
        name="holds in every run",
    )


def proved(nesting: pd.DataFrame) -> pd.DataFrame:
    """Return by learned distance the share of proved runs and the largest gap to the bound."""
    gaps = pd.DataFrame(
        {
            name.removesuffix(" bound"): nesting[name] - nesting[name.removesuffix(" bound")]
            for name in nesting.columns
            if name.endswith(" bound")
        }
    )
    return pd.DataFrame({"proved, share": (gaps == 0).mean(), "largest gap, records": gaps.max()})


def choquet_takes_longer(seconds: pd.DataFrame) -> str:
    """Say in how many files the Choquet integral takes longer than the matrix."""
    longer = seconds["d2CI"] > seconds["d2MDstar"]
    files = f"{longer.sum()} of {len(longer)} files"
    return f"the Choquet integral takes longer than the matrix in {files}"
