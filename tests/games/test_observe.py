"""A bot that was only told a game answers like one that has played it and given the same answers."""

import pytest

from podium.games import load
from podium.games.fall_challenge_2020.bots.champion import BEAMS, OBSERVING, WHICHEVER
from podium.games.game import Budget
from podium.games.loop import play_bots

SEED = 5

# What a search has seen must not change the next one, so tables are off where they would be kept from turn to turn.
FORGETFUL = "table=off,hash_move=off,evaluation_cache=off"
BOTS = [
    ("zuniq", "random"),
    ("wondev_woman", "random"),
    ("wondev_woman", "greedy"),
    ("wondev_woman", f"champion:placing=worst,{FORGETFUL}"),
    ("wondev_woman", f"champion:placing=random,{FORGETFUL}"),
    ("wondev_woman", f"champion:placing=average,{FORGETFUL}"),
    ("code4life", "random"),
    ("code4life", "random:idle=0.5"),
    ("code4life", "wait"),
    ("code4life", "greedy"),
    ("code4life", f"champion:{FORGETFUL}"),
    ("code4life", f"champion:patience=5,{FORGETFUL}"),
    ("code4life", "writeup"),
    ("code_of_kutulu", "random"),
    ("code_of_kutulu", "greedy"),
    ("code_of_kutulu", "champion"),
    ("fall_challenge_2020", "random"),
    ("fall_challenge_2020", "wait"),
    ("fall_challenge_2020", "greedy"),
    ("fall_challenge_2020", "solo"),
    ("fall_challenge_2020", "writeup:imagine=on"),
]


def check(name, spec, budget):
    """A new bot observes all or some of a seat's turns; then it is asked."""
    game = load(name)
    kind, changes = game.named(spec)
    turns = []

    def watch(requests, answers):
        turns.append(list(zip(requests, answers, strict=True)))

    rival = game.bots.get("greedy") or game.kind("random")
    others = [rival.bot(seed=seat) for seat in range(1, game.seats)]
    play_bots(game.new_referee(9), [kind.bot(changes, SEED), *others], budget, watch)
    told = [(request.lines, answer.line) for turn in turns for request, answer in turn if request.seat == 0]
    for length in (1, len(told) // 2, len(told) - 1):
        follower = kind.bot(changes, SEED)
        for lines, line in told[:length]:
            follower.observe(lines, line)
        lines, line = told[length]
        assert follower.reply(lines, budget) == line


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "spec"), BOTS)
def test_who_was_told_a_game_answers_like_who_played_it(name, spec):
    check(name, spec, Budget(nodes=300))


@pytest.mark.compiled
def test_trust_in_predictions_grows_while_a_game_is_told():
    """Where the predicting beams have as many nodes when observing as when asked, trust and answers are the same."""
    check("fall_challenge_2020", "champion", Budget(nodes=(1 + BEAMS[WHICHEVER]) * OBSERVING.nodes))
