"""A stand-in for a script of psyleague's. The first word says how it behaves; the others are the bots."""

import json
import sys
from pathlib import Path

how, *bots = sys.argv[1:]
if how.startswith("later:"):  # odd from its second call on, of which a file tells
    marker = Path(how.removeprefix("later:"))
    how = "odd" if marker.exists() else "plain"
    marker.touch()
ranks = [sum(len(other) > len(bot) for other in bots) for bot in bots]
game = {"ranks": ranks, "errors": [0] * len(bots), "test_data": {"seed": 77}, "player_data": [{} for _ in bots]}
if how == "error":
    game["errors"][1] = 1
if how == "crash":
    sys.exit("no referee")
if how == "talk":
    print("hello")
print(json.dumps({"two": [game, {**game, "ranks": ranks[::-1]}], "odd": {"scores": [1, 2]}}.get(how, game)))
