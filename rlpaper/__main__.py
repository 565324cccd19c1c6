"""``python -m rlpaper`` is the command `rlpaper`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
