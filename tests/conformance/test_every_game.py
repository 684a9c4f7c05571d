"""The conformance suite for every game. A new game is tested here without a new line."""

from podium.games import names
from podium.testing import conformance

for _name in names():
    globals()[f"Test_{_name}"] = conformance(_name)
