"""States in the hand: what is hidden from a seat, texts of positions, and games without states."""

from dataclasses import replace

import numpy as np
import pytest

import podium
from podium.games.code_of_kutulu.position_text import stored_positions
from podium.games.code_of_kutulu.position_text import write as write_position
from podium.games.fall_challenge_2020.state import CAST, encode
from podium.games.game import Game
from podium.games.wondev_woman.board import NOWHERE
from podium.games.wondev_woman.protocol import opening_lines, prompt
from podium.games.wondev_woman.rules import sight
from podium.games.wondev_woman.setup import side_of
from podium.kernel import copy_of
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.records import packed_bytes
from podium.referees.external import absent

CALLS = ("legal_moves", "is_over", "mover", "render", "search")


def assert_hidden(game, state, other, seat):
    """Two states that a seat cannot tell apart."""
    assert packed_bytes(state) != packed_bytes(other)
    assert packed_bytes(game.seen(state, seat)) == packed_bytes(game.seen(other, seat))


def test_nobody_sees_the_decks_of_fall_challenge_2020():
    game = podium.load("fall_challenge_2020")
    state = game.initial_state(seed=1)
    other = copy_of(state)
    other.tome_deck[int(state.spells_drawn) :] = state.tome_deck[int(state.spells_drawn) :][::-1]
    other.order_deck[-1] = 0
    for seat in (0, 1):
        assert_hidden(game, state, other, seat)


@pytest.mark.parametrize("name", ["fall_challenge_2020", "code4life", "code_of_kutulu"])
def test_a_choice_of_this_turn_is_hidden_from_those_who_choose_later(name):
    game = podium.load(name)
    start = game.initial_state(seed=1)
    first, last = (game.after(start, game.legal_moves(start)[index]) for index in (0, -1))
    assert_hidden(game, first, last, 1)


def test_nobody_sees_what_undiagnosed_samples_hold():
    game = podium.load("code4life")
    rounds = ["GOTO SAMPLES/GOTO SAMPLES", "WAIT/WAIT", "CONNECT 2/CONNECT 1"]
    state = game.position(rounds, seed=3)
    assert int(state.carried[0]) == 1
    other = copy_of(state)
    other.pool[:] = np.roll(state.pool, 1)
    other.tray[0, 0] += 1  # another kind of the same rank
    for seat in (0, 1):
        assert_hidden(game, state, other, seat)
    diagnosed = game.position([*rounds, "GOTO DIAGNOSIS/WAIT", *["WAIT/WAIT"] * 2, "CONNECT 0/WAIT"], seed=3)
    assert int(game.seen(diagnosed, 1).tray[0, 0]) == int(diagnosed.tray[0, 0])


def test_nobody_sees_the_generator_of_code_of_kutulu():
    game = podium.load("code_of_kutulu")
    state = game.initial_state(seed=1)
    other = copy_of(state)
    other.random[0] += 1
    assert_hidden(game, state, other, 2)


def test_the_fog_of_wondev_woman_hides_units():
    game = podium.load("wondev_woman")
    state = game.initial_state(seed=4)
    floor, taken = int(state.planes[0]), sum(1 << int(cell) for cell in state.unit)
    dark = floor & ~int(sight(state, 0)) & ~taken
    other = copy_of(state)
    other.unit[2] = dark.bit_length() - 1
    assert_hidden(game, state, other, 0)
    assert list(game.seen(state, 0).unit[2:]) == [NOWHERE, NOWHERE]
    assert game.scene(state, seat=0)["units"][1] == [None, None]


def test_a_learnt_spell_keeps_its_id_of_the_tome():
    game = podium.load("fall_challenge_2020")
    state = game.position(["seed=1", "LEARN 23/WAIT"])
    assert 23 in [spell["id"] for spell in game.scene(state)["players"][0]["spells"]]
    assert game.rules.move_text(state, encode(CAST, 23, 1)) == "CAST 23"


def test_a_position_can_be_a_prompt_or_words():
    game = podium.load("wondev_woman")
    state = game.initial_state(seed=3)
    size = side_of(state)
    text = "\n".join([*opening_lines(size), *prompt(state, size)])
    assert game.legal_moves(game.position([text])) == game.legal_moves(state)
    game = podium.load("code_of_kutulu")
    words = stored_positions()[0]
    state = game.position(words.split())
    assert write_position(state, game.mover(state)) == words
    assert game.position(words).tobytes() == state.tobytes(), "one text is as good"


def test_a_text_with_quotes_is_split_as_a_shell_does():
    game = podium.load("fall_challenge_2020")
    text = 'seed=1 "CAST 78/CAST 82" "REST/LEARN 23"'
    assert game.scene(game.position(text)) == game.scene(game.position(["seed=1", "CAST 78/CAST 82", "REST/LEARN 23"]))
    assert game.scene(game.position("")) == game.scene(game.initial_state())


@pytest.mark.parametrize("call", CALLS)
def test_a_game_of_an_external_referee_says_that_it_has_no_states(call):
    game = absent("referee:/nowhere/contest.jar")
    with pytest.raises(podium.PodiumError, match="external"):
        getattr(game, call)(None)
    with pytest.raises(podium.PodiumError, match="external"):
        game.initial_state()


def test_errors_can_be_told_apart():
    game = podium.load("zuniq")
    state = game.position(["E5v"])
    with pytest.raises(podium.UnknownNameError):
        podium.load("zunik")
    with pytest.raises(podium.MalformedError):
        game.after(state, "Z9x")
    with pytest.raises(podium.IllegalError):
        game.after(state, "E5v")
    with pytest.raises(podium.LimitError):
        game.search(state, nodes=-1)
    with pytest.raises(podium.StoreError):
        podium.replay("r1", store="nowhere.db")
    for name in podium.WHERE["podium.errors"]:
        assert issubclass(getattr(podium, name), podium.PodiumError)


def test_a_number_that_is_no_legal_move_is_refused():
    game = podium.load("zuniq")
    state = game.position("E5v")
    drawn = game.rules.read_move(game.initial_state(), "E5v")
    for move in (drawn, 999, 10**9, -1, 1.5):
        with pytest.raises(podium.IllegalError, match=rf"^{move} is not a legal move of zuniq here; legal: 0, 1, 2, "):
            game.after(state, move)
    assert game.after(state, np.int64(3)).tobytes() == game.after(state, 3).tobytes()
    for move in (60, 10**9, -1):
        with pytest.raises(podium.IllegalError, match=f"a move of zuniq is a number from 0 to 59, not {move}"):
            game.play(state, move)
    with pytest.raises(podium.MalformedError, match="a text or a whole number, not None"):
        game.play(state, None)


@pytest.mark.parametrize("call", ["is_over", "mover", "legal_moves", "render", "search"])
def test_a_state_of_another_game_is_refused(call):
    game, other = podium.load("zuniq"), podium.load("code_of_kutulu").initial_state()
    with pytest.raises(podium.MalformedError, match=r"^this is a state of code of kutulu, not of zuniq$"):
        getattr(game, call)(other)
    with pytest.raises(podium.MalformedError, match=r"^expected a state of zuniq, not 'x'$"):
        getattr(game, call)("x")


def test_a_position_may_be_one_text():
    game = podium.load("zuniq")
    assert game.position("E5v A2h").tobytes() == game.position(["E5v", "A2h"]).tobytes()
    other = podium.load("code4life")
    assert other.mover(other.position("GOTO SAMPLES")) == 1


def test_a_wrong_seed_is_refused_with_a_sentence():
    game = podium.load("zuniq")
    with pytest.raises(podium.PodiumError, match="a seed is a signed 64-bit integer, not 'x'"):
        game.initial_state(seed="x")
    with pytest.raises(podium.UnknownNameError, match="'sed'; did you mean seed"):
        game.initial_state(sed=1)


def test_analyze_and_position_refuse_a_move_in_the_same_words():
    for moves in (["E5v", "E5v"], "E5v E5v"):
        with pytest.raises(podium.IllegalError, match=r"^move 2: E5v is drawn already$"):
            podium.analyze("zuniq", moves, nodes=20)
    assert podium.analyze("zuniq", "E5v A2h B3h C4v", nodes=20).analysis.scene["drawn"] == ["A2h", "B3h", "C4v", "E5v"]


def test_a_move_of_the_book_is_no_search():
    game = podium.load("zuniq")
    result = game.search(game.position("E5v"), nodes=2000)
    assert result.headline == f"{result.move} (value {result.value:.4g} win rate) from the opening book"
    assert [row["visits"] for row in result.rows()] == [None]


def test_the_clock_of_a_search_begins_after_compiling(monkeypatch):
    game, events = podium.load("zuniq"), []
    state = game.position("E5v A2h B3h C4v")
    kind = game.kind("uct")
    monkeypatch.setattr(Game, "named", lambda self, spec: (replace(kind, make=slow), {}))

    def slow(params, seed):
        bot = kind.make(params, seed)
        warm_up = bot.warm_up
        bot.warm_up = lambda: events.append(now()) or warm_up() or events.append(now())
        choose = bot.choose
        bot.choose = lambda budget: events.append(budget.deadline) or choose(budget)
        return bot

    game.search(state, time=50)
    begun, warmed, deadline = events
    assert begun <= warmed <= deadline - 50 * MILLISECOND


def test_seats_and_limits_are_checked():
    game = podium.load("zuniq")
    state = game.position("E5v A2h")
    for call in (game.score, game.seen, podium.Mcts(game).search):
        with pytest.raises(podium.LimitError, match="a seat of zuniq is a number from 0 to 1, not 2"):
            call(state, 2)
    for limits in ({"seat": -1}, {"nodes": "x"}, {"time": "x"}, {"nodes": -1}):
        with pytest.raises(podium.LimitError, match=r"number|at least 1"):
            game.search(state, **limits)
    with pytest.raises(podium.LimitError, match="give one limit"):
        game.search(state, nodes=10, time=10)
    with pytest.raises(podium.PodiumError, match="a seed is a signed 64-bit integer, not 'x'"):
        podium.play("zuniq", "random", "random", seed="x")
