"""A game of each bot with itself, for processes that should play the same: `python -m tests.conformance.games NAME`.

Prints a line of answers for each bot, and the kernels that had to be compiled.
"""

import sys

from numba.core import event

from podium.arena.game.play import TimeControl, play_game
from podium.games import load


class Compilations(event.Listener):
    """The names of the kernels that are compiled."""

    def __init__(self):
        self.names = []

    def on_start(self, happening):
        self.names.append(happening.data["dispatcher"].py_func.__name__)

    def on_end(self, happening):
        pass


def answers(name):
    """What each bot of a game answers to itself."""
    game = load(name)
    for kind in game.bots.values():
        turns = []
        bots = [kind.bot(seed=seat) for seat in range(game.seats)]
        for bot in bots:
            bot.warm_up()
        play_game(game.new_referee(11), bots, TimeControl(nodes=10), turns.append)
        yield "|".join([kind.name, *(turn.line for turn in turns)])


def main():
    compiled = Compilations()
    with event.install_listener("numba:compile", compiled):
        for line in answers(sys.argv[1]):
            print(line)
    print("compiled:", *compiled.names)


if __name__ == "__main__":
    main()
