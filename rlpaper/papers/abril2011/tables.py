"""Table 2 of abril2011, cell by cell."""

import pandas as pd

from .protocol import RECORDS


def table2(standard, learned):
    """Table 2: share of right links by file and distance.

    Parameters
    ----------
    standard, learned : DataFrame
        Of `runs`: many executions of the distances that cost little, fewer of those that cost much,
        on the first of the same samples. Where both have a distance, the first counts.
    """
    learned = learned[~learned["operator"].isin(standard["operator"])]
    both = pd.concat([standard, learned], ignore_index=True)
    both = both[both["operator"].isin(["d2AM", "d2MD", "d2WM", "d2CI", "d2MDstar"])]
    return pd.DataFrame(
        {
            "cell": both["file"] + " " + both["operator"],
            "execution": both["execution"],
            "value": both["linked"] / RECORDS,
        }
    )
