"""What a player makes of its prompts, against the truth."""

import pytest

from podium.arena.game.play import TimeControl, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code4life import state as encoding
from podium.games.code4life.catalogue import SAMPLE_KINDS, pack
from podium.games.code4life.protocol import opening_lines, prompt
from podium.games.code4life.setup import initial_state
from podium.games.code4life.view import View
from podium.games.game import Answer
from podium.kernel import JIT

GAME = load("code4life")
SAME = ("storage", "expertise", "project", "score", "location", "eta", "carried")


def turned(values, seat):
    return list(values) if seat == 0 else list(values)[::-1]


@pytest.mark.parametrize("seed", range(6 if JIT else 1))
@pytest.mark.parametrize("names", [("greedy", "greedy"), ("greedy", "random"), ("random", "random")])
def test_a_view_is_the_truth_but_for_what_is_hidden(names, seed):
    referee = GAME.new_referee(seed)
    views = [View(), View()]
    told = []
    bots = [GAME.kind(name).bot(seed=seed * 2 + i) for i, name in enumerate(names)]

    class Watched:
        thoughts = None

        def __init__(self, seat):
            self.seat = seat

        def reply(self, lines, budget):
            views[self.seat].read(lines)
            told.append(check(referee.state, views[self.seat].state, self.seat, list(lines)))
            return bots[self.seat].reply(lines, budget)

    play_game(referee, [Watched(0), Watched(1)], TimeControl(nodes=1))
    assert len(told) == 400


def check(truth, state, seat, lines):
    for name in SAME:
        values = truth[name] if name == "project" else turned(truth[name], seat)
        assert list(state[name]) == list(values), name
    assert state.played == truth.played
    assert state.open == truth.open
    assert state.clouded == truth.clouded
    assert prompt(state, 0) == lines[-len(prompt(state, 0)) :]
    for mine in (0, 1):
        for slot in range(state.carried[mine]):
            seen, true = int(state.tray[mine, slot]), int(truth.tray[mine ^ seat, slot])
            assert seen >> encoding.ID_SHIFT == true >> encoding.ID_SHIFT
            if true & encoding.DIAGNOSED:
                assert seen == true ^ (encoding.DIAGNOSER * seat)
            else:
                assert seen & encoding.KIND_MASK >= SAMPLE_KINDS
    for slot in range(state.clouded):
        assert int(state.cloud[slot]) == int(truth.cloud[slot]) ^ (encoding.DIAGNOSER * seat)
    return True


def test_who_is_first_shows_when_both_draw():
    referee = GAME.new_referee(5)
    views = [View(), View()]
    for line in ["GOTO SAMPLES", "WAIT", "CONNECT 1", "CONNECT 2", "WAIT"]:
        for view, request in zip(views, referee.requests(), strict=True):
            view.read(request.lines)
        referee.answer([Answer(line)] * 2)
    assert [int(view.state.first) for view in views] == [0, 1]


def test_the_round_of_the_last_delivery_shows_in_the_expertise():
    state, view, seen = initial_state(1), View(), []
    for state.played in range(8):
        if state.played == 5:
            state.expertise[0] = pack([1, 0, 0, 0, 0])
        view.read(opening_lines(state) + prompt(state, 0))
        seen.append(view.delivery)
    assert seen == [0] * 5 + [5] * 3


GOOD = ["START_POS 0 0 0 0 0 0 0 0 0 0 0 0", "SAMPLES 1 0 0 0 0 0 0 0 0 0 0 0", "5 5 5 5 5", "1"]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["hello"],
        ["3", "1 2 3 4 5"],
        ["7", *["0 0 0 0 0"] * 7, *GOOD, "0 0 1 0 -1 -1 -1 -1 -1 -1"],
        GOOD,
        [*GOOD, "0 0 1 A 77 1 1 1 1 1"],
        [*GOOD, "0 2 1 0 -1 -1 -1 -1 -1 -1"],
        [*GOOD, "x 0 1 0 -1 -1 -1 -1 -1 -1"],
        [*GOOD[:3], "x"],
        ["MARS 0 0 0 0 0 0 0 0 0 0 0 0", *GOOD[1:], "0 0 1 0 -1 -1 -1 -1 -1 -1"],
        ["SAMPLES 9 0 0 0 0 0 0 0 0 0 0 0", *GOOD[1:], "0 0 1 0 -1 -1 -1 -1 -1 -1"],
        [*GOOD[:3], "4", *["0 0 1 0 -1 -1 -1 -1 -1 -1"] * 4],
        [*GOOD[:3], "105", *["0 -1 1 A 1 0 3 0 0 0"] * 105],
    ],
)
def test_a_prompt_that_is_none_is_refused_with_a_sentence(lines):
    with pytest.raises(PodiumError):
        View().read(lines)
