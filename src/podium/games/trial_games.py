"""Random games that try the sizes which the rules of a game declare.

Searches take their memory by these sizes, and compiled code checks no bounds: a size that is too small ends the process
without a word.
"""

import random

import numpy as np

from podium.errors import PodiumError
from podium.kernel import JIT
from podium.model.rules import is_over, legal_moves, play
from podium.model.ruleset import Rules

GAMES = 20 if JIT else 2
MOST_PLIES = 2_000  # in all
SLACK = 4_096  # moves beyond the declared number that do no harm here


def try_sizes(rules: Rules) -> None:
    """Play random games; a PodiumError if a size is wrong. What fails in another way shows itself where it is used."""
    choice, left = random.Random(1), MOST_PLIES
    try:
        for seed in range(GAMES):
            left -= _plies_of_game(rules, seed, choice, left)
    except PodiumError:
        raise
    except Exception:
        return


def _plies_of_game(rules: Rules, seed: int, choice: random.Random, most: int) -> int:
    """Play a game, or its first plies; returns how many there were."""
    out = np.empty(rules.most_moves + SLACK, np.int64)
    state, plies = rules.initial_state(seed=seed), 0
    while plies < most and not is_over(state):
        if plies == rules.most_plies:
            raise PodiumError(f"Rules of {rules.name}: a random game is longer than most_plies={rules.most_plies}")
        count = int(legal_moves(state, out))
        if not 0 < count <= rules.most_moves:
            raise PodiumError(
                f"Rules of {rules.name}: {count} legal moves after {plies} plies of a random game, not from 1 to "
                f"most_moves={rules.most_moves}"
            )
        if wrong := [move for move in out[:count].tolist() if not 0 <= move < rules.move_codes]:
            raise PodiumError(
                f"Rules of {rules.name}: {wrong[0]} is a legal move after {plies} plies of a random game, but "
                f"move_codes={rules.move_codes} leaves 0 to {rules.move_codes - 1}"
            )
        play(state, int(out[choice.randrange(count)]))
        plies += 1
    return plies
