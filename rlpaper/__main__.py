"""Run the command `rlpaper` by ``python -m rlpaper``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
