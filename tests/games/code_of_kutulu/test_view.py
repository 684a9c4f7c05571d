"""What a bot can read from its prompts."""

import pytest

from podium.errors import PodiumError
from podium.games import load
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.code_of_kutulu.view import View
from podium.games.game import Answer, Budget, MalformedError
from podium.kernel import JIT

# What the prompts tell exactly. Not: the generator, choices, and a slasher's memory just after a death.
TOLD = (
    *(
        "maze",
        "lonely",
        "group",
        "spawn_time",
        "life_time",
        "turn",
        "living",
        "slashed",
        "lights_on",
        "yells",
        "yelled",
    ),
    *("plans", "lights", "plan_left", "shelter", "minions"),
)
TOLD_OF_MINIONS = ("slasher", "where", "mode", "timer", "number")


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_a_view_knows_what_the_referee_knows(kind):
    game = load("code_of_kutulu")
    for seed in (5, 2**40 + 3, 2**50 + 9) if JIT else (5,):
        referee = game.new_referee(seed)
        views = [View() for _ in range(4)]
        bots = [game.kind(kind).bot(seed=seed + seat) for seat in range(4)]
        deaths = agreed = 0
        living = 15
        while requests := referee.requests():
            state = referee.state
            deaths += living != int(state.living)
            living = int(state.living)
            for request in requests:
                views[request.seat].read(request.lines)
                known = views[request.seat].state
                for name in TOLD:
                    assert known[name].tolist() == state[name].tolist(), (name, referee.turn)
                count = int(state.minions)
                for name in TOLD_OF_MINIONS:
                    assert known[name][:count].tolist() == state[name][:count].tolist(), (name, referee.turn)
                for seat in range(4):
                    if state.living >> seat & 1:
                        assert (known.cell[seat], known.sanity[seat]) == (state.cell[seat], state.sanity[seat])
                if deaths == 0:
                    assert known.remembered[:count].tolist() == state.remembered[:count].tolist(), referee.turn
                    agreed += 1
            referee.answer([Answer(bots[r.seat].reply(r.lines, Budget(nodes=1))) for r in requests])
        assert agreed > 20


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["5", "x"], "must open with"),
        (["2", "2", "##", "##", "3 1 3 30", "0"], "none of the sixteen"),
        (["17", "17"], "must open with"),
    ],
)
def test_prompts_that_no_referee_sends_are_refused_in_a_sentence(lines, sentence):
    with pytest.raises(PodiumError, match=sentence):
        View().read(lines)


def test_a_broken_entity_is_shown_in_the_error():
    lines = list(KutuluReferee(42).requests()[0].lines)
    lines[-1] = "EXPLORER 3 here"
    with pytest.raises(PodiumError, match="EXPLORER 3 here"):
        View().read(lines)


@pytest.mark.parametrize(
    ("place", "word"),
    [(1, "99999999999999999999"), (1, str(2**63)), (1, "-1"), (1, "9"), (4, "40000"), (5, "300"), (6, "-7")],
    ids=["seat", "seat of exabytes", "seat below", "seat above", "sanity", "plans", "lights"],
)
def test_a_number_out_of_range_is_named(place, word):
    lines = list(load("code_of_kutulu").new_referee(5).requests()[0].lines)
    explorer = next(index for index, line in enumerate(lines) if line.startswith("EXPLORER"))
    words = lines[explorer].split()
    words[place] = word
    lines[explorer] = " ".join(words)
    with pytest.raises(MalformedError, match=r"turn 0: a number is out of range") as caught:
        View().read(lines)
    assert lines[explorer] in str(caught.value)
