"""The fast rules against their slow plain twin, the hash, and the set-up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.games.fall_challenge_2020.cards import INVENTORIES, SPELL_BY_DELTAS, SPELLS
from podium.games.fall_challenge_2020.legality import is_legal, rank, seat_moves
from podium.games.fall_challenge_2020.protocol import answer_of
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.rules import fall_key, rupees
from podium.games.fall_challenge_2020.setup import decks, initial_state
from podium.games.fall_challenge_2020.state import (
    MOST_MOVES,
    ORDERS_EVER_SEEN,
    UNKNOWN,
    card_at,
    full_hash,
)
from podium.games.game import Answer
from podium.kernel import JIT
from podium.kernel.random import draw_below, generator
from tests.games.fall_challenge_2020.twin import PlainGame

GAMES = 40 if JIT else 3
ABSURD = ["CAST 86 1073741824", "CAST 86 536870912", "CAST 87 2147483647", "CAST 88 1000", "CAST 78 0", "BREW 1"]


def plain_command(line):
    word, *numbers = line.split()
    return (word, *map(int, numbers))


def legal_answers(referee, seat):
    moves = np.zeros(MOST_MOVES, np.int64)
    count = seat_moves(referee.state, seat, moves)
    return [answer_of(referee.state, seat, int(move), referee.books[seat]) for move in moves[:count]]


def every_command(twin, seat):
    """All commands with sane repetitions that the twin lets succeed, and that change something."""
    player = twin.players[seat]
    commands = [("WAIT",)] + [("REST",)] * any(not spell["castable"] for spell in player.spells)
    commands += [("BREW", order) for order in twin.counter] + [("LEARN", spell["id"]) for spell in twin.tome]
    commands += [("CAST", spell["id"], times) for spell in player.spells for times in range(1, 11)]
    return {command for command in commands if twin.succeeds(player, command)}


def explicit(line):
    """A command as the twin lists it: casts with their count."""
    command = plain_command(line)
    return (*command, 1) if command[0] == "CAST" and len(command) == 2 else command


def play_both(seed, choose):
    """Play a game on the referee and on the twin; `choose(referee, seat)` gives the answers."""
    referee, twin = FallReferee(seed), PlainGame(seed)
    while requests := referee.requests():
        for seat, request in enumerate(requests):
            assert list(request.lines) == twin.prompt(seat)
        assert referee.state.hash == full_hash(referee.state)
        lines = [choose(referee, seat) for seat in (0, 1)]
        referee.answer([Answer(line) for line in lines])
        twin.play([plain_command(line) if line else None for line in lines])
    assert twin.over()
    assert twin.final() == list(referee.outcome.scores)
    return referee


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_equal_the_twins(seed):
    random = generator(seed)

    def choose(referee, seat):
        answers = legal_answers(referee, seat)
        return answers[draw_below(random, len(answers))]

    play_both(seed, choose)


@pytest.mark.parametrize("seed", range(GAMES // 2))
def test_learners_empty_the_tome_as_the_twins_do(seed):
    random = generator(seed)

    def choose(referee, seat):
        answers = legal_answers(referee, seat)
        wanted = [line for line in answers if line.startswith("LEARN")] or answers
        return wanted[draw_below(random, len(wanted))]

    referee = play_both(seed, choose)
    assert referee.state.spells_drawn > 20


@pytest.mark.parametrize("seed", range(GAMES // 2))
def test_absurd_repetitions_wrap_as_the_twins_do(seed):
    random = generator(seed)

    def choose(referee, seat):
        answers = legal_answers(referee, seat) + [line for line in ABSURD for _ in range(3)]
        wanted = [line for line in answers if line.startswith(("LEARN", "CAST 8"))] or answers
        pool = wanted if draw_below(random, 2) else answers
        return pool[draw_below(random, len(pool))]

    play_both(seed, choose)


@settings(max_examples=25 if JIT else 2, deadline=None)
@given(seed=st.integers(-(2**63), 2**63 - 1), choices=st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_legal_moves_are_just_those_the_twin_lets_succeed(seed, choices):
    referee, twin = FallReferee(seed), PlainGame(seed)
    for choice in choices:
        if referee.outcome:
            break
        lines = []
        for seat in (0, 1):
            answers = legal_answers(referee, seat)
            assert {explicit(line) for line in answers} == every_command(twin, seat)
            lines.append(answers[choice % len(answers)])
        referee.answer([Answer(line) for line in lines])
        twin.play([plain_command(line) for line in lines])


@settings(max_examples=40 if JIT else 5, deadline=None)
@given(st.integers(0, 30), st.integers(0, 2**60))
def test_legality_of_any_integer_is_answered(seed, move):
    state = initial_state(seed)
    assert is_legal(state, 0, move) in (True, False)


def test_keys_tell_positions_and_pending_choices_apart():
    state = initial_state(1)
    keys = {int(fall_key(state))}
    for choice in range(5):
        state.chosen = choice
        keys.add(int(fall_key(state)))
    assert len(keys) == 6


@pytest.mark.parametrize(
    ("seed", "tome", "counter"),
    [
        (0, [37, 22, 31, 41, 9, 6], [42, 43, 66, 47, 67]),
        (1, [23, 29, 27, 17, 26, 21], [76, 64, 49, 50, 48]),
        (-1, [10, 7, 1, 37, 31, 29], [67, 58, 75, 65, 77]),
        (5842184981578562716, [0, 28, 23, 12, 39, 13], [50, 43, 69, 60, 67]),
    ],
)
def test_the_cards_of_published_seeds(seed, tome, counter):
    state = initial_state(seed)
    assert [card_at(state.tome, place) for place in range(6)] == tome
    assert [card_at(state.counter, place) + 42 for place in range(5)] == counter


def test_the_deck_of_seed_1():
    expected = "30 11 32 22 31 34 13 18 15 33 40 35 5 10 20 25 36 24 12 6 16 2 3 41 28 37 4 8 1 14 19 0 9 7 38 39"
    assert decks(1)[0][6:] == [int(card) for card in expected.split()]
    assert len(initial_state(1).order_deck) == ORDERS_EVER_SEEN


def test_spells_are_known_by_their_deltas():
    assert len(SPELL_BY_DELTAS) == SPELLS


def test_every_inventory_has_its_own_rank():
    state = initial_state(0)
    ranks = set()
    for a in range(11):
        for b in range(11 - a):
            for c in range(11 - a - b):
                for d in range(11 - a - b - c):
                    state.inventory[0] = (a, b, c, d)
                    ranks.add(int(rank(state, 0)))
    assert ranks == set(range(INVENTORIES))
    state.inventory[0] = (11, 0, 0, 0)
    assert rank(state, 0) == -1
    state.inventory[0] = (2**30, 0, 0, -1)
    assert rank(state, 0) == -1


def test_unknown_cards_take_places_but_cannot_be_taken():
    referee = FallReferee(1)
    referee.state.tome_deck[:] = UNKNOWN
    referee.answer([Answer("LEARN 23"), Answer("LEARN 29")])
    row = [card_at(referee.state.tome, place) for place in range(6)]
    assert row == [27, 17, 26, 21, UNKNOWN, UNKNOWN]
    moves = np.zeros(MOST_MOVES, np.int64)
    referee.state.inventory[0] = (10, 0, 0, 0)
    count = seat_moves(referee.state, 0, moves)
    learnable = [answer_of(referee.state, 0, int(move), referee.books[0]) for move in moves[:count]]
    assert [line for line in learnable if line.startswith("LEARN")] == ["LEARN 27", "LEARN 17", "LEARN 26", "LEARN 21"]


def test_tier_0_counts_nothing_at_the_end():
    state = initial_state(0)
    state.inventory[0] = (4, 1, 2, 3)
    state.score[0] = 50
    assert rupees(state, 0) == 56
