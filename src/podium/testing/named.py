"""The conformance suite for the games that `python -m podium.testing` names, as a module that pytest can collect."""

import os

from podium.games import load
from podium.testing import conformance
from podium.testing.__main__ import GAMES

for _name in filter(None, os.environ.get(GAMES, "").splitlines()):
    _suite = conformance(_name)
    globals()[f"Test_{load(_name).title.title().replace(' ', '')}"] = _suite
