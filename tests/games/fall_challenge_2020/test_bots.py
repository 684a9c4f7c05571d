"""The beam bots: what they value, how they follow a plan, and that they play."""

import io

import numpy as np
import pytest
from rich.console import Console

from podium.arena.game.play import TimeControl, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.fall_challenge_2020.bots.champion import is_stuck
from podium.games.fall_challenge_2020.bots.context import (
    context_of,
    expecting,
    fall_advance,
    fall_candidates,
    fall_evaluate,
    fall_undiscounted_value,
)
from podium.games.fall_challenge_2020.bots.params import NAIVE, WARY, WRITEUP_PARAMS
from podium.games.fall_challenge_2020.cards import REPEATABLE, SPELLS
from podium.games.fall_challenge_2020.legality import seat_moves
from podium.games.fall_challenge_2020.protocol import readable
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.rules import simulate
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.state import (
    BREW,
    CAST,
    COUNTER_PLACES,
    LEARN,
    MOST_MOVES,
    REST,
    WAIT,
    encode,
    full_hash,
    kind_of,
    place_of,
)
from podium.games.fall_challenge_2020.view import View
from podium.games.game import Answer, Budget
from podium.kernel import JIT
from podium.kernel.clock import NEVER, now

GAME = load("fall_challenge_2020")
NODES = Budget(NEVER, nodes=4000 if JIT else 40)


def owning(state, seat, spells):
    state.owned[seat] = sum(1 << spell for spell in spells)


@pytest.mark.parametrize("count", [4, 8, 11, 14, 20])
def test_the_writeups_worth_of_a_position(count):
    state = initial_state(1)
    spells = [42, 43, 44, 45, *range(count - 4)]
    owning(state, 0, spells)
    state.score[0], state.inventory[0] = 33, (1, 2, 3, 4)
    weights = sorted((1.25 if REPEATABLE[spell] else 1.0 for spell in spells), reverse=True)
    worth = 0.8 * sum(weights[:11]) + 0.2 * sum(weights[11:])
    context = context_of(WRITEUP_PARAMS.params(), 0)
    assert fall_evaluate(state, context, 0) == pytest.approx(33 + 0.1 * 0.8 * 30 + worth)
    assert fall_undiscounted_value(state, context, 0) == pytest.approx(0.9 * 0.8 * 30)


@pytest.mark.parametrize(("scores", "sign"), [((50, 40), 1), ((40, 50), -1), ((50, 50), 0)])
def test_the_end_is_worth_the_result(scores, sign):
    state = initial_state(1)
    state.brews[1] = 6
    state.score[:] = scores
    context = context_of(WRITEUP_PARAMS.params(), 0)
    assert fall_evaluate(state, context, 0) == scores[0] + sign * 20_000
    assert fall_undiscounted_value(state, context, 0) == 0


def test_spell_values_keep_the_mean_value_of_a_spell():
    plain, valued = context_of(WRITEUP_PARAMS.params(), 0), context_of(WRITEUP_PARAMS.params({"spell_values": True}), 0)
    expected = (1.25 * REPEATABLE.sum() + (SPELLS - REPEATABLE.sum())) / SPELLS
    assert valued.spell_value.mean() == pytest.approx(expected)
    state = initial_state(1)
    owning(state, 0, [42, 43, 44, 45, 34])  # the best spell of all
    assert fall_evaluate(state, valued, 0) > fall_evaluate(state, plain, 0)


def test_the_kind_of_plan_that_foretold_his_move_is_believed():
    bot, referee = GAME.kind("champion").bot(), FallReferee(0)
    bot.view.read(referee.requests()[0].lines)
    cast, rest = encode(CAST, 42, 1), encode(REST, 0, 0)
    plans = {NAIVE: [cast, rest], WARY: [encode(LEARN, 37, 0)]}
    assert bot._likelier(plans) == plans[WARY]
    referee.answer([Answer("WAIT"), Answer("CAST 82")])  # his first spell
    bot.view.read(referee.requests()[0].lines)
    assert bot._likelier(plans) == plans[NAIVE]


def test_the_other_player_follows_the_plan_and_rests_when_he_cannot():
    cast, impossible = encode(CAST, 43, 1), encode(BREW, 0, 0)
    context = expecting(context_of(WRITEUP_PARAMS.params(), 0), 0, [cast, impossible])
    state, expected = initial_state(0), initial_state(0)
    for mine, theirs in ((LEARN | 37 << 3, cast), (REST, REST), (WAIT, REST)):
        fall_advance(state, context, mine)
        simulate(expected, mine, theirs)
        assert bytes(state) == bytes(expected)


@pytest.mark.parametrize(
    ("share", "inventory", "price"), [(0.8, (0, 5, 0, 1), 8), (0.8, (0, 4, 0, 1), 0), (0, (0, 5, 0, 1), 0)]
)
def test_the_other_player_may_sell_the_ingredients_of_an_order_that_is_gone(share, inventory, price):
    order = 7  # five of tier 1 for 10 rupees
    context = expecting(context_of(WRITEUP_PARAMS.params({"substitute": share}), 0), 0, [encode(BREW, order, 0)])
    state = initial_state(0)
    assert place_of(state.counter, order, COUNTER_PLACES) < 0
    state.inventory[1] = inventory
    state.hash = full_hash(state)
    fall_advance(state, context, WAIT)
    assert (state.score[1], state.brews[1], state.turn) == (price, price > 0, 1)
    assert state.inventory[1].tolist() == ([0, 0, 0, 1] if price else list(inventory))
    assert state.hash == full_hash(state)


def test_waiting_is_no_candidate_while_something_else_is():
    state, moves = initial_state(1), np.zeros(MOST_MOVES, np.int64)
    count = fall_candidates(state, context_of(WRITEUP_PARAMS.params(), 0), moves)
    assert count > 1
    assert WAIT not in moves[:count]
    state.inventory[0] = (10, 0, 0, 0)
    state.owned[0] = state.ready[0] = 1 << 42
    state.tome = 2**64 - 1
    assert fall_candidates(state, context_of(WRITEUP_PARAMS.params(), 0), moves) == 1
    assert moves[0] == WAIT


SWITCHES = [
    "",
    "separate=on",
    "backtrack=on,depth=6",
    "top=10",
    "stop_at_win=off",
    "opponent=off",
    "level=1",
    "opponent_level=2,opponent_mirror=off",
    "imagine=on",
]


@pytest.mark.parametrize("switch", SWITCHES if JIT else SWITCHES[:1])
def test_every_switch_gives_a_legal_first_move(switch):
    kind, changes = GAME.named(f"writeup:{switch}")
    bot = kind.bot(changes)
    referee = FallReferee(3)
    before = bytes(referee.state)
    answers = [bot.reply(referee.requests()[0].lines, NODES), "WAIT"]
    referee.answer([Answer(line) for line in answers])
    assert bytes(referee.state) != before
    assert referee.state.inventory[0].tolist() != [3, 0, 0, 0] or referee.state.owned[0] != referee.state.owned[1]
    assert bot.thoughts.line
    assert bot.thoughts.nodes > 0


@pytest.mark.parametrize("milliseconds", [-5, 0, 2])
def test_there_is_an_answer_however_late_it_is(milliseconds):
    bot = GAME.kind("champion").bot()
    bot.warm_up()
    budget = Budget(now() + milliseconds * 1_000_000)
    assert bot.reply(FallReferee(3).requests()[0].lines, budget).split()[0] in {"LEARN", "CAST", "REST", "BREW"}


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(("stronger", "weaker"), [("champion", "greedy"), ("writeup", "random")])
def test_beams_beat_baselines(stronger, weaker):
    for seed in (1, 2):
        referee = FallReferee(seed)
        bots = [GAME.kind(weaker).bot(seed=seed), GAME.kind(stronger).bot()]
        outcome = play_game(referee, bots, TimeControl(nodes=20_000))
        assert outcome.faults == ()
        assert outcome.ranks == (2, 1)


@pytest.mark.compiled
def test_a_win_in_sight_is_taken():
    bot = GAME.kind("champion").bot()
    referee = FallReferee(1)
    bot.view.read(referee.requests()[0].lines)
    bot.state.brews[0], bot.state.score[0] = 5, 60
    bot.state.inventory[0] = (0, 5, 0, 0)  # the third order asks for five of tier 1
    assert bot.choose(NODES) == encode(BREW, 7, 0)
    assert bot.thoughts.note == "believes that it wins"


def close_to_the_end(replies, score, inventory):
    """A champion with the same four potions to the other player's five, which a naive plan may deny the sixth."""
    bot = GAME.kind("champion").bot({"opponent_level": NAIVE, "substitute": 0, "replies": replies})
    bot.view.read(FallReferee(1).requests()[0].lines)
    bot.state.brews[:] = (4, 5)
    bot.state.score[:] = (60, score)
    bot.state.inventory[:] = (2, 3, 0, 0), inventory
    return bot


@pytest.mark.compiled
@pytest.mark.parametrize(("replies", "note"), [(0, "believes that it wins"), (3, "")])
def test_a_win_that_a_reply_prevents_is_not_believed(replies, note):
    bot = close_to_the_end(replies, 64, (0, 3, 0, 0))
    bot.choose(Budget(nodes=10**6))
    assert bot.thoughts.note == note


@pytest.mark.compiled
@pytest.mark.parametrize(("replies", "nodes", "spell"), [(0, 10**6, 29), (3, 10**6, 23), (3, 10**4, 29)])
def test_replies_change_the_choice_if_the_budget_suffices_for_them(replies, nodes, spell):
    bot = close_to_the_end(replies, 60, (1, 2, 0, 0))
    assert bot.choose(Budget(nodes=nodes)) == encode(LEARN, spell, 0)
    assert [readable(move) for move in bot.line] == bot.thoughts.line
    assert bot.line == [mine for mine, _, _ in bot.forecast()]


# A narrow beam fills up with ways to ten ingredients of tier 3, with which no spell can be cast and no order brewed.
HOARD = """\
34
46 BREW -2 -3 0 0 11 3 4 0 0
47 BREW -3 0 -2 0 9 0 0 0 0
45 BREW -2 0 -2 0 8 0 0 0 0
75 BREW -1 -3 -1 -1 16 0 0 0 0
58 BREW 0 -3 0 -2 14 0 0 0 0
18 LEARN -1 -1 0 1 0 0 2 0 1
30 LEARN -4 0 1 1 0 1 0 0 1
32 LEARN 1 1 3 -2 0 2 0 0 1
31 LEARN 0 3 2 -2 0 3 0 0 1
16 LEARN 1 0 1 0 0 4 0 0 0
29 LEARN -5 0 0 2 0 5 0 0 1
82 CAST 2 0 0 0 0 -1 -1 1 0
83 CAST -1 1 0 0 0 -1 -1 1 0
84 CAST 0 -1 1 0 0 -1 -1 1 0
85 CAST 0 0 -1 1 0 -1 -1 0 0
87 CAST 0 0 -2 2 0 -1 -1 0 1
89 CAST 2 -2 0 1 0 -1 -1 1 1
91 CAST 0 0 2 -1 0 -1 -1 1 1
93 CAST -4 0 2 0 0 -1 -1 1 1
94 CAST 3 0 0 0 0 -1 -1 1 0
96 CAST 3 -2 1 0 0 -1 -1 1 1
98 CAST 0 -2 2 0 0 -1 -1 1 1
100 CAST -3 1 1 0 0 -1 -1 1 1
78 OPPONENT_CAST 2 0 0 0 0 -1 -1 1 0
79 OPPONENT_CAST -1 1 0 0 0 -1 -1 1 0
80 OPPONENT_CAST 0 -1 1 0 0 -1 -1 1 0
81 OPPONENT_CAST 0 0 -1 1 0 -1 -1 0 0
86 OPPONENT_CAST 0 0 -2 2 0 -1 -1 0 1
88 OPPONENT_CAST 2 -2 0 1 0 -1 -1 1 1
90 OPPONENT_CAST 0 0 2 -1 0 -1 -1 1 1
92 OPPONENT_CAST -4 0 2 0 0 -1 -1 1 1
95 OPPONENT_CAST 4 0 0 0 0 -1 -1 1 0
97 OPPONENT_CAST 0 -2 2 0 0 -1 -1 1 1
99 OPPONENT_CAST -3 1 1 0 0 -1 -1 1 1
0 0 0 5 45
0 0 0 5 45
"""


@pytest.mark.compiled
@pytest.mark.parametrize("escape", [False, True])
def test_a_beam_that_hoards_to_a_dead_end_is_escaped(escape):
    bot = GAME.kind("champion").bot({"width": 150, "opponent_width": 60, "escape": escape})
    bot.view.remember(25, [3, 3], [45, 45])
    bot.view.read(HOARD.splitlines())
    bot.choose(Budget(nodes=600_000))
    *_, end = [state for _, _, state in bot.forecast()]
    brews = [move for move in bot.line if kind_of(move) == BREW]
    assert is_stuck(end) == (not escape)
    assert bool(brews) == escape


@pytest.mark.compiled
@pytest.mark.parametrize(("bag", "stuck"), [((0, 0, 0, 10), True), ((0, 0, 0, 9), False), ((0, 0, 10, 0), False)])
def test_who_can_cast_or_brew_is_not_stuck(bag, stuck):
    bot = GAME.kind("champion").bot()
    bot.view.read(HOARD.splitlines())
    bot.state.inventory[0] = bag
    bot.state.ready[0] = 0
    assert is_stuck(bot.state) == stuck, "a spell is ready after a rest"


@pytest.mark.compiled
def test_a_review_values_moves_of_a_game_that_is_about_to_be_lost():
    bot = close_to_the_end(0, 90, (0, 0, 0, 0))
    bot.state.brews[:] = (0, 5)
    bot.state.inventory[1] = (0, 5, 0, 0)  # the third order asks for five of tier 1
    bot.choose(NODES)
    learnt, wait = bot.score_moves([encode(LEARN, 23, 0), WAIT], NODES)
    assert learnt.value < -10_000
    assert GAME.kind("champion").win(learnt.value) < 0.5
    assert wait is None, "it waits only if nothing else is left"


def analyze(*words, bot="writeup"):
    kind, changes = GAME.named(bot)
    return GAME.tools.analyze(words, kind, changes, NODES)


def test_analysis_of_a_seed_and_of_its_prompt_agree(tmp_path):
    referee = FallReferee(1)
    referee.answer([Answer("LEARN 23"), Answer("CAST 82")])
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("\n".join(referee.requests()[1].lines) + "\n")
    by_seed = analyze("seed=1", "LEARN 23/CAST 82", "seat=1")
    by_prompt = analyze(str(prompt), "turn=1")
    assert by_seed.thoughts.line == by_prompt.thoughts.line
    assert by_seed.thoughts.beliefs["plan of the other player"]
    assert by_prompt.scene["turn"] == 1
    assert [step["mine"] for step in by_prompt.scene["plan"]] == by_prompt.thoughts.line
    Console(file=io.StringIO()).print(GAME.pictures.picture(by_prompt.scene))
    assert analyze(str(prompt), "turn=1", "brews=2,3").scene["players"][1]["brews"] == 3


def test_an_analysis_compares_all_first_moves_at_one_depth_and_sorts():
    thoughts = analyze("seed=1", "LEARN 23/CAST 82").thoughts
    values = [option.value for option in thoughts.options]
    assert values == sorted(values, reverse=True)
    view, moves = View(), np.zeros(MOST_MOVES, np.int64)
    referee = FallReferee(1)
    referee.answer([Answer("LEARN 23"), Answer("CAST 82")])
    view.read(referee.requests()[0].lines)
    legal = {readable(move) for move in moves[: seat_moves(view.state, 0, moves)].tolist()} - {"WAIT"}
    assert {option.move for option in thoughts.options} == legal
    assert all(option.line[0] == option.move for option in thoughts.options)
    assert thoughts.line[0] in legal


def test_only_searching_bots_analyse():
    with pytest.raises(PodiumError, match="does not search"):
        analyze("seed=1", bot="greedy")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["seed=x"], "whole number"),
        (["seed=1", "WAIT"], "slash"),
        (["seed=1", "rubbish/WAIT", "WAIT/WAIT"], "over before turn 2"),
        (["sead=1"], "did you mean seed"),
        ([], "a position is"),
        (["no such file"], "a file that holds one"),
        (["seed=1", "seat=2"], "from 0 to 1"),
    ],
)
def test_positions_that_are_none_are_refused_with_a_sentence(words, sentence):
    with pytest.raises(PodiumError, match=sentence):
        analyze(*words)
