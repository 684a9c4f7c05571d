"""Set-up, legality, effects and hash of Wondev Woman, against the specification and slow plain twins."""

from pathlib import Path
from time import process_time

import numpy as np
import pytest

from podium.arena.game.recordings import read, verify
from podium.games import load
from podium.games.game import Answer, Ending, IllegalError, MalformedError
from podium.games.wondev_woman.board import (
    ACTIONS,
    CELLS,
    DIRECTIONS,
    GIVE_UP,
    NEIGHBOURS,
    NOWHERE,
    PASS,
    action,
    cell_at,
    place_of,
)
from podium.games.wondev_woman.protocol import answer_of, grid_of, legal_answers, read_answer, read_command
from podium.games.wondev_woman.rules import LEGAL, is_legal, judge, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.setup import draw
from podium.games.wondev_woman.state import MOST_MOVES, own_units, put, rehash
from podium.kernel import JIT, allocate
from podium.kernel.random import draw_below, generator
from podium.model.rules import key

GAME = load("wondev_woman")
RECORDINGS = Path(__file__).parents[2] / "recordings" / "wondev_woman.jsonl.gz"

SQUARE = "00000/00000/00000/00000/00000"
DIAMOND = "...0.../..000../.00000./0000000/.00000./..000../...0..."
VECTORS = [  # seed, settings, map used, grid, units, number of actions, first, last
    (0, {}, 0, SQUARE, "10 01 04 44", 44, "MOVE&BUILD 0 E E", "MOVE&BUILD 1 SE W"),
    (1, {}, 2, "000000/.0000./000000/000000/000000/.0..0.", "44 13 33 23", 61, "MOVE&BUILD 0 E N", "PUSH&BUILD 1 E SE"),
    (42, {}, 0, SQUARE, "41 04 12 02", 47, "MOVE&BUILD 0 N S", "MOVE&BUILD 1 NE W"),
    (7, {}, 0, SQUARE, "34 00 41 33", 38, "MOVE&BUILD 0 E N", "PUSH&BUILD 0 N NW"),
    (-1, {}, 2, "00..00/00..00/0....0/000000/000000/000000", "44 23 02 45", 62, "MOVE&BUILD 0 E N", "MOVE&BUILD 1 W W"),
    (123456789, {}, 1, DIAMOND, "30 12 24 32", 43, "MOVE&BUILD 0 S E", "MOVE&BUILD 1 SW SE"),
    (4611686018427400249, {}, 1, DIAMOND, "63 25 42 33", 45, "MOVE&BUILD 0 NW NW", "MOVE&BUILD 1 SE NW"),
    (
        5,
        {"mapIndex": 2},
        2,
        "000000/000000/00..00/.0000./000000/000000",
        "02 31 51 25",
        58,
        "MOVE&BUILD 0 E N",
        "MOVE&BUILD 1 W W",
    ),
    (
        0,
        {"mapIndex": 2},
        2,
        ".0..0./.0000./0.00.0/.0000./000000/000000",
        "22 14 11 24",
        59,
        "MOVE&BUILD 0 E N",
        "PUSH&BUILD 1 E SE",
    ),
    (
        0,
        {"mapIndex": 2, "symmetric": True},
        2,
        ".0..0./.0000./0.00.0/.0000./000000/000000",
        "22 14 32 44",
        65,
        "MOVE&BUILD 0 N E",
        "PUSH&BUILD 0 E SE",
    ),
    (
        3,
        {"mapIndex": 0, "symmetric": True},
        0,
        SQUARE,
        "14 32 34 12",
        82,
        "MOVE&BUILD 0 E E",
        "MOVE&BUILD 1 W W",
    ),
    (
        3,
        {"mapIndex": 1, "symmetric": True},
        1,
        DIAMOND,
        "42 24 22 44",
        90,
        "MOVE&BUILD 0 E NW",
        "MOVE&BUILD 1 W SE",
    ),
]


@pytest.mark.parametrize(("seed", "settings", "used", "grid", "units", "count", "first", "last"), VECTORS)
def test_set_up(seed, settings, used, grid, units, count, first, last):
    referee = GAME.new_referee(seed, settings)
    assert map_used(seed, settings) == used
    assert "/".join(grid_of(referee.state, referee.size)) == grid
    assert [place_of(int(cell)) for cell in referee.state.unit] == [(int(u[0]), int(u[1])) for u in units.split()]
    names = legal_answers(referee.state)
    assert (len(names), names[0], names[-1]) == (count, first, last)


def test_seeds_that_differ_only_above_48_bits_give_the_same_game():
    assert bytes(GAME.new_referee(0).state) == bytes(GAME.new_referee(-(2**63)).state)


def test_all_recordings_agree():
    games = list(read(RECORDINGS))
    assert len(games) == 86
    for number, game in games if JIT else games[::9]:
        comparison = verify(GAME, number, game)
        assert comparison.first is None
        assert map_used(game["seed"], GAME.settings_among(game["params"])) == game["params"]["mapIndexUsed"]


def map_used(seed, settings):
    return draw(seed, settings.get("mapIndex", -1), settings.get("symmetric", False))[0]


def positions(seeds, every=1):
    """Positions of random games."""
    states = allocate(GAME.rules.state, 1)
    moves = np.zeros(MOST_MOVES, np.int64)
    for seed in seeds:
        states[0] = GAME.new_referee(seed).state
        random = generator(seed)
        ply = 0
        while not states[0].over:
            if ply % every == 0:
                yield states[0]
            count = wondev_legal_moves(states[0], moves)
            wondev_play(states[0], moves[draw_below(random, count)])
            ply += 1


def test_the_list_and_the_checks_agree_exactly():
    moves = np.zeros(MOST_MOVES, np.int64)
    for state in positions(range(4 if JIT else 1), 3 if JIT else 30):
        own = own_units(state, int(state.mover))
        legal = {
            action(kind, own[unit], first, second)
            for kind in (0, 1)
            for unit in (0, 1)
            for first in range(8)
            for second in range(8)
            if judge(state, kind, unit, first, second) == LEGAL
        }
        listed = set(moves[: wondev_legal_moves(state, moves)].tolist())
        assert listed == (legal or {GIVE_UP})
        assert {code for code in range(ACTIONS) if is_legal(state, code)} == legal


def test_the_hash_is_kept_up_to_date_and_forgets_which_unit_is_which():
    for state in positions(range(8 if JIT else 1), 3):
        assert state.zobrist == rehash(state)
        before = key(state)
        first, second = own_units(state, 0)
        put(state, 0, second)
        put(state, 1, first)
        assert key(state) == before
        assert state.zobrist == rehash(state)


def test_a_side_without_units_on_the_board_passes():
    state = GAME.new_referee(0).state
    put(state, 0, NOWHERE)
    put(state, 1, NOWHERE)
    moves = np.zeros(MOST_MOVES, np.int64)
    assert wondev_legal_moves(state, moves) == 1
    assert moves[0] == PASS
    wondev_play(state, PASS)
    assert (state.mover, state.out[0], state.over) == (1, 0, 0)


def test_neighbours_do_not_wrap_around():
    for cell in range(CELLS):
        x, y = place_of(cell)
        near = {
            cell_at(x + dx, y + dy)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx or dy) and 0 <= x + dx < 7 and 0 <= y + dy < 7 and x < 7 and y < 7
        }
        assert {other for other in range(CELLS) if int(NEIGHBOURS[cell]) >> other & 1} == near


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MOVE&BUILD 0 N S", (0, 0, "N", "S")),
        ("move&build 1 nw Se", (0, 1, "NW", "SE")),
        ("MOVE&BUILD\t0  N \v S", (0, 0, "N", "S")),
        ("MOVE&BUILD 0 N S E", (0, 0, "N", "S")),
        ("MOVE&BUILD 0 N S \r", (0, 0, "N", "S")),
        ("PUSH&BUILD 1 e ne have a nice day", (1, 1, "E", "NE")),
    ],
)
def test_answers_that_are_understood(line, expected):
    kind, unit, first, second = read_command(line)
    assert (kind, unit, DIRECTIONS[first], DIRECTIONS[second]) == expected


@pytest.mark.parametrize(
    "line",
    [
        "",
        " MOVE&BUILD 0 N S",
        "MOVE&BUILD 0 N SX",
        "MOVE&BUILD 2 N S",
        "MOVE&BUILD 10 N S",
        "MOVE&BUILD 0 N",
        "MOVE&BUILD 0 \N{LATIN SMALL LETTER LONG S} N",
        "MOVE&BUILD \N{ARABIC-INDIC DIGIT ONE} N S",
        "MOVE&BUILD 0 N S x\ry",
        "MOVE&BUILD 0 N\N{NO-BREAK SPACE}S",
        "ACCEPT-DEFEATED",
    ],
)
def test_answers_that_are_malformed(line):
    with pytest.raises(MalformedError):
        read_command(line)


def test_push_in_lower_case_is_illegal_and_defeat_is_accepted_in_any():
    state = GAME.new_referee(3).state
    with pytest.raises(IllegalError):
        read_answer(state, 0, "push&build 0 N N")
    for line in ("ACCEPT-DEFEAT", "accept-defeat bye", "Accept-Defeat \t"):
        assert read_answer(state, 0, line) == GIVE_UP


def test_every_legal_move_is_read_back_from_its_answer():
    moves = np.zeros(MOST_MOVES, np.int64)
    for state in positions(range(3 if JIT else 1), 5 if JIT else 40):
        seat = int(state.mover)
        for move in moves[: wondev_legal_moves(state, moves)].tolist():
            assert read_answer(state, seat, answer_of(state, seat, move)) == move


@pytest.mark.parametrize(
    "line",
    [
        "ACCEPT-DEFEAT" + " " * 20_000 + "\x85",
        "MOVE&BUILD 0 N S" + " " * 20_000 + "\x85",
        "MOVE&BUILD 0" + " \t" * 10_000 + "\x85",
        "MOVE&BUILD " + "0" * 20_000 + " N S",
    ],
)
def test_long_answers_are_refused_at_once(line):
    begin = process_time()
    with pytest.raises(MalformedError):
        read_command(line)
    assert process_time() - begin < 0.1


def test_giving_up_with_legal_actions_is_a_fault_and_without_is_none():
    referee = GAME.new_referee(3)
    referee.answer([Answer("ACCEPT-DEFEAT")])
    assert referee.outcome is None
    assert referee.requests()[0].lines[:2] == ("7", "2") or referee.requests()[0].seat == 1
    referee.answer([Answer("ACCEPT-DEFEAT")])
    assert [fault.code for fault in referee.outcome.faults] == [Ending.SURRENDER] * 2
    assert referee.outcome.ranks == (1, 1)
