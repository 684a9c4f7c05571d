"""The searching bots: what they find, what they answer, what they say of a position."""

import numpy as np
import pytest

from podium.arena.game.play import TimeControl, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code_of_kutulu.analysis import analyze
from podium.games.code_of_kutulu.benchmarks import simulated_turns
from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.context import context_of, play_imagined
from podium.games.code_of_kutulu.bots.evaluation import is_decided, kutulu_evaluate
from podium.games.code_of_kutulu.bots.moves import kutulu_candidates
from podium.games.code_of_kutulu.bots.params import CHAMPION_PARAMS, WRITEUP_PARAMS
from podium.games.code_of_kutulu.bots.searcher import line_of, searched_state
from podium.games.code_of_kutulu.mazes import walk
from podium.games.code_of_kutulu.position_text import read, stored_positions
from podium.games.code_of_kutulu.rules import remove
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import CHOICES, PLAN, WAIT, State, living_seats
from podium.games.code_of_kutulu.studies import count_tree
from podium.games.game import Budget
from podium.kernel import JIT, allocate
from podium.model.rules import is_over
from tests.games.code_of_kutulu.prepared import LINES, prepared


def test_a_plan_takes_the_place_of_a_wait_in_the_answer():
    for changes, expected in (({}, PLAN), ({"plan_searched": True}, WAIT)):
        bot = Paranoid(WRITEUP_PARAMS.params(changes), 0)
        bot.view.state, bot.view.seat = initial_state(42), 0
        assert bot.with_plan(WAIT) == WAIT
        bot.state.sanity[0] = 150
        assert bot.with_plan(WAIT) == expected


def played_on(state, params, seat, origin):
    """Play the choices of enemies that only have one, as long as it is their turn: all but me and the nearest."""
    while not is_over(state) and not is_decided(state, seat) and params.far_choices == 1:
        enemies = [other for other in living_seats(state) if other != seat]
        enemies.sort(key=lambda other: (walk(state.maze, state.cell[seat], state.cell[other]), other))
        if state.mover in [seat, *enemies[: params.active_enemies]]:
            break
        moves, context = np.zeros(CHOICES, np.int64), context_of(params, origin, seat)
        assert kutulu_candidates(state, context, moves) == 1
        play_imagined(state, context, moves[0])
    return state


def paranoid_value(state, params, seat, origin, depth):
    """Plain minimax, me against the rest, with a new search context at every position; predicted choices are free."""
    context = context_of(params, origin, seat)
    moves = np.zeros(CHOICES, np.int64)
    count = 0 if is_over(state) or depth == 0 else kutulu_candidates(state, context, moves)
    if count == 0:
        return kutulu_evaluate(state, context, seat)
    values = []
    for move in moves[:count].tolist():
        child = allocate(State, 1)
        child[0] = state
        play_imagined(child[0], context, move)
        values.append(paranoid_value(played_on(child[0], params, seat, origin), params, seat, origin, depth - 1))
    return max(values) if state.mover == seat else min(values)


@pytest.mark.parametrize("param_spec", [WRITEUP_PARAMS, CHAMPION_PARAMS], ids=["writeup", "champion"])
@pytest.mark.parametrize("line", LINES[1::8] if JIT else LINES[1:2])
def test_the_search_finds_the_value_of_plain_paranoid(line, param_spec):
    params = param_spec.params()
    known, seat = read(line.split())
    state = searched_state(known, params, seat)
    depth = 5 if JIT else 2
    context = context_of(params, state, seat)
    found = Paranoid(params, 0).engine.search(state, seat, context=context, depth=depth)
    assert found.value == pytest.approx(paranoid_value(state, params, seat, state, depth))


@pytest.mark.compiled
@pytest.mark.parametrize("param_spec", [WRITEUP_PARAMS, CHAMPION_PARAMS], ids=["writeup", "champion"])
@pytest.mark.parametrize("win_delay", [1e8, 1e9])
def test_a_win_far_ahead_is_worth_more_than_a_shared_end(param_spec, win_delay):
    """Ten turns ahead the runner-up's 1e9 for each turn has eaten up the whole value of a win."""
    line = stored_positions()[47].replace("5,13,16,0,3", "5,13,20,0,3").replace("5,13,12,0,2", "5,13,22,0,2")
    known, seat = read(line.split())
    bot = Paranoid(param_spec.params({"win_delay": win_delay}), 0)
    _, thoughts = bot.think(known, seat, Budget(nodes=100_000))
    assert (thoughts.value > 1e9) == (win_delay == 1e8)


@pytest.mark.parametrize("depth", [4, 8])
def test_the_search_looks_as_deep_as_the_parameter_says_at_most(depth):
    known, seat = read(LINES[1].split())
    bot = Paranoid(WRITEUP_PARAMS.params({"depth": depth}), 0)
    assert bot.plies(known) == 4
    assert bot.think(known, seat, Budget(nodes=100_000 if JIT else 2000))[1].depth == (depth if JIT else 4)


def test_the_params_is_the_same_after_a_search():
    bot = Paranoid(CHAMPION_PARAMS.params(), 0)
    before = bot.params.tobytes()
    bot.think(initial_state(42), 0, Budget(nodes=50))
    assert bot.params.tobytes() == before


def test_a_benchmark_counts_the_same_turns_whatever_was_searched_before():
    """Two positions with everybody in the same places, so that the one's best moves are moves of the other as well."""
    nodes = 3000 if JIT else 300
    fresh, used = (Paranoid(WRITEUP_PARAMS.params({"whole_turns": False}), 0) for _ in range(2))
    quiet = read(LINES[0].split())[0]
    haunted = quiet.copy()
    quiet.minions = 0
    expected = simulated_turns(fresh, quiet, nodes), fresh.engine.work.visits.tolist()
    simulated_turns(used, haunted, nodes)
    assert (simulated_turns(used, quiet, nodes), used.engine.work.visits.tolist()) == expected


# Before explorer 3 chooses again, choices that are predicted for the others decide the game for it.
DECIDED_BY_OTHERS = (
    "maze:Pixelated settings:4,3,4,37 turn:52 seat:3 explorer:0,16,11,186,0,3 explorer:1,16,11,93,0,1"
    " explorer:2,16,13,95,0,3 explorer:3,16,11,49,0,1 slashed:1 slashed:2 slashed:3 slasher:14,18,11,5,4,-1,-1,-1"
    " slasher:15,18,11,4,4,-1,-1,-1 wanderer:16,17,11,4,1,0 wanderer:17,18,11,9,1,0 slasher:19,18,11,5,4,-1,-1,-1"
    " wanderer:21,15,11,24,1,3 wanderer:22,10,13,29,1,2 wanderer:23,7,6,34,1,2 wanderer:24,4,6,2,0,-1"
    " yelled:0,1 yelled:0,2 yelled:0,3 yelled:1,0 yelled:1,2 yelled:1,3 yelled:3,0 yelled:3,1 yelled:3,2"
)


def test_an_expected_line_ends_where_predicted_choices_decide_the_game():
    state, seat = read(DECIDED_BY_OTHERS.split())
    params = CHAMPION_PARAMS.params({})
    state = searched_state(state, params, seat)
    state.first = state.mover = seat
    moves = [2, 4450, 4922, 4898, 5274, 5250, 5722, 5698, 6042, 6018]
    line = line_of(state, context_of(params, state, seat), moves)
    assert line[0].startswith(f"{seat}:")
    assert sum(answer.startswith(f"{seat}:") for answer in line) < len(moves) / 2


def test_full_trees_are_counted():
    states, moves, counts = allocate(State, 4), np.zeros((4, CHOICES), np.int64), np.zeros(4, np.int64)
    state, context = prepared(initial_state(42), 0)
    widths = []
    for seat in range(3):
        state.mover = seat
        widths.append(int(kutulu_candidates(state, context, moves[0])))
    state.mover = 0
    states[0] = state
    expected = widths[0] + widths[0] * widths[1] + widths[0] * widths[1] * widths[2]
    assert count_tree(states, moves, counts, context, 3, 10**6) == expected


@pytest.mark.parametrize("name", ["champion", "writeup", "maxn", "annealing"])
def test_bots_analyse_a_position(name):
    kind = load("code_of_kutulu").kind(name)
    budget = Budget(nodes=200 if JIT else 20)
    changes = {} if JIT or name != "annealing" else {"turns": 2, "tries": 2}
    analysis = analyze(LINES[3].split(), kind, changes, budget)
    assert analysis.thoughts.nodes > 0
    assert analysis.thoughts.line
    assert analysis.scene["turn"] > 0


@pytest.mark.parametrize(
    ("words", "seat", "turn"), [([], 0, 0), (["seed=2", "/".join(4 * ["WAIT"])], 0, 1), (["WAIT"], 1, 0)]
)
def test_the_start_and_what_followed_is_a_position(words, seat, turn):
    analysis = analyze(words, load("code_of_kutulu").kind("writeup"), {}, Budget(nodes=100 if JIT else 20))
    assert analysis.scene["turn"] == turn
    assert analysis.thoughts.line[0].startswith(f"{seat}:")


@pytest.mark.parametrize("nodes", [1, 3, 40])
def test_a_small_budget_of_nodes_stays_small_when_it_is_divided_among_the_choices(nodes):
    analysis = analyze(LINES[3].split(), load("code_of_kutulu").kind("writeup"), {}, Budget(nodes=nodes))
    assert analysis.thoughts.nodes <= nodes
    assert len(analysis.thoughts.options) == 3
    assert all(option.visits <= nodes for option in analysis.thoughts.options)


def test_choices_are_compared_best_first_and_at_one_depth():
    game, nodes = load("code_of_kutulu"), 4000 if JIT else 60
    options = analyze(LINES[3].split(), game.kind("champion"), {}, Budget(nodes=nodes)).thoughts.options
    values = [option.value for option in options]
    assert values == sorted(values, reverse=True)
    assert len({option.move for option in options}) == len(options)
    assert len({len(option.line) for option in options}) == 1


def test_a_bot_that_does_not_search_cannot_analyse():
    game = load("code_of_kutulu")
    with pytest.raises(PodiumError, match="does not search"):
        analyze(LINES[3].split(), game.kind("greedy"), {}, Budget(nodes=1))


def test_the_last_one_left_has_nothing_to_search():
    words = "maze:Typhoon settings:4,1,5,35 turn:9 seat:0 explorer:0,6,1,250,2,3"
    with pytest.raises(PodiumError, match="only one left"):
        analyze(words.split(), load("code_of_kutulu").kind("champion"), {}, Budget(nodes=1))


@pytest.mark.compiled
@pytest.mark.slow
def test_the_champion_outlives_random_players():
    game = load("code_of_kutulu")
    for number in range(4):
        names = ["random"] * 4
        names[number] = "champion"
        bots = [game.kind(name).bot(seed=number * 4 + seat) for seat, name in enumerate(names)]
        outcome = play_game(game.new_referee((number + 1) << 45), bots, TimeControl(nodes=2000))
        assert outcome.faults == ()
        assert outcome.ranks[number] == 1


@pytest.mark.parametrize("name", ["duct", "smitsimax", "matrix"])
def test_an_expected_line_ends_with_the_searching_explorer(name):
    """What the others do after that is not searched; a look to the end of the game would take too long."""
    state = initial_state(1)
    remove(state, 0, 1)
    state.turn, state.sanity[1], state.plans[1] = 60, 1, 0
    thoughts = load("code_of_kutulu").kind(name).bot().think(state, 1, Budget(nodes=200 if JIT else 20))[1]
    assert [text[:2] for text in thoughts.line] == ["1:", "2:", "3:"]


def test_plans_of_an_explorer_that_goes_out_are_left_out_of_the_line():
    state = initial_state(1)
    state.turn, state.sanity[3], state.plans[3] = 60, 1, 0
    changes = {} if JIT else {"turns": 2, "tries": 2}
    thoughts = load("code_of_kutulu").kind("annealing").bot(changes).think(state, 0, Budget(nodes=200))[1]
    assert [text[:2] for text in thoughts.line] == ["0:", "1:", "2:", "3:", "0:", "1:", "2:"]
