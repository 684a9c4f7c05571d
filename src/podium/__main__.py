"""`python -m podium`."""

import os
import sys

# Python puts the current folder first on the path of `python -m`: a file there must not stand in for a module that this
# program imports. It stays if this package itself lies there.
if sys.path and sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(__file__)):
    del sys.path[0]

from podium.cli import main

main()
