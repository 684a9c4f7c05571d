"""Every kernel of every game is found in the cache by a second process, and does the same there."""

import subprocess
import sys

import pytest

from podium.games import names

SCRIPT = """
import sys
from numba.core import event
from podium.arena.play import Allowance, play_game
from podium.games import load

compiled = []

class Compilations(event.Listener):
    def on_start(self, happening):
        compiled.append(happening.data["dispatcher"].py_func.__name__)

    def on_end(self, happening):
        pass

game = load(sys.argv[1])
with event.install_listener("numba:compile", Compilations()):
    for kind in game.bots.values():
        turns = []
        bots = [kind.bot(seed=seat) for seat in range(game.seats)]
        for bot in bots:
            bot.warm_up()
        play_game(game.new_referee(11), bots, Allowance(nodes=10), turns.append)
        print(kind.name, *(turn.answer.line for turn in turns), sep="|")
print("compiled:", *compiled)
"""


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_second_process_compiles_nothing_and_plays_the_same(name):
    first, second = (
        subprocess.run([sys.executable, "-c", SCRIPT, name], capture_output=True, text=True, timeout=600, check=False)
        for _ in range(2)
    )
    assert second.returncode == 0, second.stderr[-2000:]
    assert second.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]
    assert second.stdout.splitlines()[-1] == "compiled:"
