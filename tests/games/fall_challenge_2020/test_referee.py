"""Recordings, the forms of answers, faults, and prompts read back."""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arena.game.play import TimeControl, play_game
from podium.arena.game.recordings import read, verify
from podium.errors import PodiumError
from podium.games import load
from podium.games.fall_challenge_2020.protocol import Command, prompts, read_command, read_prompt
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.state import BREW, CAST, LEARN, REST, SEATS, WAIT
from podium.games.fall_challenge_2020.view import View
from podium.games.game import Answer, Budget, Ending, MalformedError
from podium.kernel import JIT
from podium.kernel.clock import NEVER

GAME = load("fall_challenge_2020")
RECORDINGS = Path(__file__).parents[2] / "recordings" / "fall_challenge_2020.jsonl.gz"
KINDS_WITHOUT_JIT = {"fatal", "overflow"}  # short games, and the one that wraps around


def test_all_recordings_agree():
    games = [(n, g) for n, g in read(RECORDINGS) if JIT or g["kind"] in KINDS_WITHOUT_JIT]
    comparisons = [verify(GAME, number, game) for number, game in games]
    assert [c.first for c in comparisons if c.first] == []
    assert len(comparisons) == (78 if JIT else 25)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("REST", Command(REST)),
        ("rest well", Command(REST)),
        ("WAIT", Command(WAIT)),
        ("wAiT\t", Command(WAIT)),
        ("BREW 50", Command(BREW, 50)),
        ("BREW 50 7 99999999999999", Command(BREW, 50)),
        ("LEARN 3 4", Command(LEARN, 3)),
        ("CAST 78", Command(CAST, 78)),
        ("CAST 78 2 hi", Command(CAST, 78, 2)),
        ("CAST 78 2x", Command(CAST, 78)),
        ("CAST 78 -1", Command(CAST, 78)),
        ("CAST 78 1.5", Command(CAST, 78)),
        ("CAST 78 a 3", Command(CAST, 78)),
        ("CAST 78 99999999999x", Command(CAST, 78)),
        ("CAST 0078 02", Command(CAST, 78, 2)),
        ("cast   82\t2  hello", Command(CAST, 82, 2)),
        ("CAST 78 0", Command(CAST, 78, 0)),
        ("CAST 2147483647 2147483647", Command(CAST, 2**31 - 1, 2**31 - 1)),
    ],
)
def test_well_formed_answers(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize(
    "line",
    [
        *("", " ", " WAIT", "BREW", "CAST x", "WAITING", "BREW -1", "CAST 78,2", "REST;", "CAST 99999999999"),
        *(
            "CAST 78 2147483648",
            "LEARN " + "9" * 5000,
            "RE\u017fT",
            "CAST \uff17\uff18",
            "WAIT\u00a0x",
            "WAIT x\u2028y",
        ),
    ],
)
def test_malformed_answers(line):
    with pytest.raises(MalformedError):
        read_command(line)


@pytest.mark.parametrize("start", ["WAIT", "REST", "CAST 78", "CAST 78 2", "CAST", "LEARN 3", "BREW 50"])
@pytest.mark.parametrize("end", [" " * 20_000 + "\x85", " \t" * 10_000 + "x\n", " " + "0" * 20_000 + "\x85"])
def test_long_answers_are_refused_at_once(start, end):
    begin = process_time()
    with pytest.raises(MalformedError):
        read_command(start + end)
    assert process_time() - begin < 0.1


@given(st.text())
def test_any_text_is_read_or_refused(line):
    try:
        read_command(line)
    except MalformedError:
        return
    assert line.upper().startswith(("REST", "CAST", "LEARN", "BREW", "WAIT"))


def test_the_other_player_still_acts_when_one_is_disqualified():
    referee = FallReferee(1)
    referee.answer([Answer(None), Answer("CAST 83")])
    assert referee.outcome.scores == (-1, 1)
    assert referee.outcome.ending is Ending.NO_ANSWER
    assert referee.outcome.note == "turns=1 disqualified=0"


@pytest.mark.parametrize("line", ["CAST 82", "BREW 23", "LEARN 78", "CAST 79 2", "CAST 81", "LEARN 21", "BREW 99"])
def test_impossible_commands_do_nothing(line):
    referee, idle = FallReferee(1), FallReferee(1)
    referee.answer([Answer(line), Answer("WAIT")])
    idle.answer([Answer("WAIT"), Answer("WAIT")])
    assert bytes(referee.state) == bytes(idle.state)
    assert referee.outcome is None


def test_bots_rebuild_what_the_referee_knows():
    referee = FallReferee(4)
    views = [View(), View()]
    bots = [GAME.kind("greedy").bot(seed=seat) for seat in range(SEATS)]
    while requests := referee.requests():
        for seat, request in enumerate(requests):
            views[seat].read(request.lines)
            mine, truth = views[seat].state, referee.state
            for name in ("tome", "stocks", "counter", "tome_size", "turn", "spells_drawn", "slid", "orders_drawn"):
                assert mine[name] == truth[name], name
            assert mine.left.tolist() == truth.left.tolist()
            for name in ("owned", "ready", "inventory", "score", "brews"):
                assert mine[name][0].tolist() == truth[name][seat].tolist(), name
                assert mine[name][1].tolist() == truth[name][1 - seat].tolist(), name
        budget = Budget(NEVER, nodes=300 if JIT else 20)
        referee.answer([Answer(bots[r.seat].reply(r.lines, budget)) for r in requests])
    assert referee.outcome.faults == ()


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["0", "9" * 5000, "0"],
        ["1", "3 LEARN 0 0 1 0 0 0 999 0 0", "1 0 0 0 0", "1 0 0 0 0"],
        ["x"],
        ["1", "42 BREW 0"],
        ["0", "1 2 3 4 5"],
        ["1", "1 BREW 0 0 0 0 1 0 0 0 0"],
    ],
)
def test_what_is_no_prompt_is_refused_with_a_sentence(lines):
    with pytest.raises(PodiumError, match="no prompt"):
        read_prompt(lines)


def test_a_stream_that_does_not_begin_with_a_count_is_refused():
    with pytest.raises(PodiumError, match="number of its lines"):
        next(prompts(lambda: "hello"))


def test_greedy_beats_random_and_random_beats_wait():
    def winner(first, second):
        referee = FallReferee(2)
        bots = [GAME.kind(name).bot(seed=1) for name in (first, second)]
        return play_game(referee, bots, TimeControl(nodes=2000 if JIT else 60)).ranks

    if JIT:
        assert winner("greedy", "random") == (1, 2)
    assert winner("random", "wait") == (1, 2)
