"""The program of a packed bot: it plays on standard input and output, as `podium bot` does."""

import gc
import sys
from importlib import import_module
from typing import Any

from podium.arena.processes.stdio import answer_prompts
from podium.errors import PodiumError
from podium.games import load
from podium.pack.standalone.loader import PACKED, stop

USAGE = "options: --seed N, --time MS, --nodes N"
LONGEST = 1e9  # ms


def options_of(words: Any) -> Any:
    """Seed, time in ms and nodes for each answer, as the words of the command say."""
    found = {"--seed": 0, "--time": 0.0, "--nodes": 0}
    try:
        for name, value in zip(words[::2], words[1::2]):  # noqa: B905 - Python 3.8
            found[name] = type(found[name])(value)
        if len(words) % 2 or not (found["--nodes"] >= 0 and 0 <= found["--time"] < LONGEST):
            raise ValueError
    except (KeyError, ValueError):
        stop(USAGE)
    return found["--seed"], found["--time"], found["--nodes"]


def new_bot(game: Any, seed: int) -> Any:
    """The bot that was packed."""
    bot = PACKED.about["bot"]
    if "module" in bot:
        from podium.arena.entrants.python_bots import AdaptedBot, maker_of

        return AdaptedBot(maker_of(import_module(bot["module"]), bot["name"])(seed))
    changes = {name: PACKED.path_of(value) if name in bot["files"] else value for name, value in bot["changes"].items()}
    return game.kind(bot["kind"]).bot(changes, seed)


def main(words: Any) -> None:
    """Play until the input ends."""
    gc.disable()
    seed, time, nodes = options_of(words)
    try:
        game = load(PACKED.about["game"][2])
        player = new_bot(game, seed)
        player.warm_up()
        answer_prompts(game.contest, player, time, nodes, True)
    except PodiumError as error:
        stop(str(error))
    except BrokenPipeError:
        sys.stderr.close()
