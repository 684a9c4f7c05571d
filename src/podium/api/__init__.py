"""The calls of the library, by what they are about; `podium` offers them all by their names.

| module | what its calls are about |
| --- | --- |
| `games` | a game by its name, and one game between bots |
| `runs` | many games between bots, stored as they end: matches, leagues, experiments |
| `positions` | what a bot thinks of a position, and what it should play there |
| `stored` | the games and runs of a store |

A call imports what it needs when it is called, so that `import podium` and a look at a store need no compiler.
"""

from os import environ

PINS = "pins.jsonl"  # where pinned positions are kept, in the present folder
STORE = environ.get("PODIUM_STORE") or "podium.db"  # where matches and leagues keep their games
