"""The one call of all searches: games and parameters by name, limits, results with texts, refusals, custom hooks."""

import doctest
import json
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import podium
from podium.errors import LimitError, PodiumError, UnfitSearchError, UnknownNameError
from podium.kernel import JIT, kernel
from podium.kernel.random import draw_below
from podium.model.budget import Budget
from podium.model.result import Proof
from podium.model.rules import is_over, mover, play
from podium.search.alphabeta import AlphaBeta
from podium.search.beam import Beam
from podium.search.maxn import MaxN
from podium.search.mcts import Mcts
from podium.search.network import new_network, size_of
from podium.search.plain import Plain
from podium.search.puct import Puct
from tests.search import columns, toy

NODES = 400 if JIT else 12
PLAIN_UCT = {"solve": 0, "transpositions": False, "reuse_tree": False, "memory": 2}


@kernel
def stones_won(state, seat):
    """Columns won so far, less those of the opponent, from -1 to 1."""
    return (state.won if seat == 0 else -state.won) / 7.0


@kernel
def one(state, seat):
    """No opinion: the same for all."""
    return 1.0


@kernel
def first_open_columns(state, out):
    """At most three columns, from the left."""
    count = 0
    for column in range(7):
        if state.heights[column] < 6 and count < 3:
            out[count] = column
            count += 1
    return count


@kernel
def leftmost(state, random):
    """The first open column, or the second one by chance."""
    skip = draw_below(random, 2)
    found = -1
    for column in range(7):
        if state.heights[column] < 6 and (found < 0 or skip > 0):
            skip -= 1 if found >= 0 else 0
            found = column
    return found


def plainly(function):
    """The same as plain Python: what is no kernel."""
    return lambda *arguments: function(*arguments)


def open_columns(state):
    return [column for column in range(7) if state.heights[column] < 6][:3]


def ending(stones):
    return columns.start(stones)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["alphabeta", "beam", "decoupled", "maxn", "mcts", "puct"])
def test_examples_in_docstrings_run(name, monkeypatch):
    if not JIT:
        pytest.skip("the examples have the budgets of compiled code")
    module = import_module(f"podium.search.{name}")
    failed, tried = doctest.testmod(module)
    assert tried >= 4
    assert failed == 0


@pytest.mark.parametrize("stones", [14, 30])
def test_alphabeta_with_plain_functions_finds_what_kernels_find(stones):
    state, depth = ending(stones), 4 if JIT else 2
    fast = AlphaBeta(columns.RULES, evaluate=stones_won, candidates=first_open_columns).search(state, depth=depth)
    slow = AlphaBeta(columns.RULES, evaluate=plainly(stones_won), candidates=open_columns).search(state, depth=depth)
    assert slow.value == fast.value
    assert (slow.depth, slow.proof) == (fast.depth, fast.proof)
    plain = Plain(columns.RULES, None, AlphaBeta(columns.RULES, evaluate=plainly(stones_won)).custom)
    seat = int(mover(state))
    for result in (fast, slow):  # both lines lead to the value
        position = ending(stones)
        for move in result.numbers.line:
            play(position, move)
        assert plain.evaluate(position, seat) == result.value


def test_plain_pruning_changes_no_value():
    for number in range(6 if JIT else 2):
        state = toy.start(number, 9)
        if is_over(state):
            continue
        for seat in range(toy.SEATS):
            plain = Plain(toy.RULES, toy.PARAMS.params())
            assert plain.minimax(state, seat, 4, pruning=True)[0] == plain.minimax(state, seat, 4)[0]


def test_maxn_with_plain_functions_finds_what_kernels_find():
    state = ending(20)

    @kernel
    def half(state, seat):
        return 0.5 + stones_won(state, seat) / 2

    fast = MaxN(columns.RULES, evaluate=half).search(state, depth=3)
    slow = MaxN(columns.RULES, evaluate=plainly(half)).search(state, depth=3)
    assert slow.line == fast.line
    assert slow.value == pytest.approx(fast.value)


def test_plain_maxn_reaches_the_end_of_a_game_without_an_evaluation():
    state = ending(38)
    result = MaxN(columns.RULES, evaluate=lambda state, seat: 1.0).search(state, depth=9)
    assert result.proof is Proof.EXACT
    assert result.line == MaxN(columns.RULES, evaluate=one).search(state, depth=9).line


@pytest.mark.parametrize("width", [1, 4, 200])
def test_a_beam_with_plain_functions_finds_what_kernels_find(width):
    state = ending(24)
    fast = Beam(columns.RULES, evaluate=stones_won, width=width, depth=6).search(state)
    slow = Beam(columns.RULES, evaluate=plainly(stones_won), width=width, depth=6).search(state)
    assert slow.value == pytest.approx(fast.value)
    assert slow.line == fast.line
    assert (slow.depth, slow.proof) == (fast.depth, fast.proof)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"candidates": first_open_columns}, {"candidates": open_columns}),
        ({"evaluate": stones_won}, {"evaluate": plainly(stones_won)}),
        ({"playout": leftmost}, {"playout": plainly(leftmost)}),
    ],
    ids=["candidates", "evaluate", "playout"],
)
@pytest.mark.parametrize("stones", [0, 34])
def test_plain_monte_carlo_search_visits_what_the_compiled_one_visits(given, plain, stones):
    state = ending(stones)
    fast = Mcts(columns.RULES, seed=3, **given, **PLAIN_UCT).search(state, nodes=NODES)
    slow = Mcts(columns.RULES, seed=3, **plain, **PLAIN_UCT).search(state, nodes=NODES)
    assert [(row["move"], row["visits"], row["proof"]) for row in slow.rows()] == [
        (row["move"], row["visits"], row["proof"]) for row in fast.rows()
    ]
    assert (slow.nodes, slow.proof) == (fast.nodes, fast.proof)
    assert slow.value == pytest.approx(fast.value, abs=1e-5)


def test_plain_python_is_announced_once(capsys, monkeypatch):
    monkeypatch.setattr("podium.kernel.notices._said", set())
    monkeypatch.delenv("PODIUM_QUIET", raising=False)
    for _ in range(2):
        AlphaBeta(columns.RULES, evaluate=lambda state, seat: 0.0)
    assert capsys.readouterr().err.count("alpha-beta runs in plain Python") == 1


@pytest.mark.slow
def test_two_kernels_of_one_game_do_not_disturb_each_other():
    @kernel
    def opposite(state, seat):
        return -stones_won(state, seat)

    searches = [AlphaBeta(columns.RULES, evaluate=each) for each in (stones_won, opposite)]
    for _ in range(2):
        values = [search.search(ending(20), 0, depth=1).value for search in searches]
        assert values == [
            Plain(columns.RULES, search.params, search.custom).minimax(ending(20), 0, 1)[0] for search in searches
        ]
        assert values[0] == -values[1] != 0


def test_results_show_themselves():
    result = Mcts(columns.RULES, seed=1, memory=2).search(ending(30), nodes=NODES)
    assert (
        result.move
        == result.line[0]
        == result.rows()[0]["move"]
        == columns.RULES.move_text(ending(30), result.numbers.move)
    )
    assert json.loads(json.dumps(result.data()))["options"] == result.rows()
    assert result.headline in str(result)
    assert "<table" in result._repr_html_()
    assert list(result.rows()[0]) == ["move", "value", "visits", "proof", "line"]
    assert all(len(line) <= 80 for line in result.headline.splitlines())


def test_limits():
    search = Mcts(columns.RULES, memory=2)
    state = ending(0)
    with pytest.raises(LimitError, match="never ends"):
        search.search(state)
    with pytest.raises(LimitError, match="one limit"):
        search.search(state, nodes=5, time=5)
    with pytest.raises(LimitError, match="no depth"):
        search.search(state, depth=5)
    with pytest.raises(LimitError, match="nodes must be at least 1, not 0"):
        search.search(state, nodes=0)
    for limit in ({"nodes": "5"}, {"time": "5"}, {"nodes": 1.5}):
        with pytest.raises(LimitError, match=r"number.*, not "):
            search.search(state, **limit)
    with pytest.raises(LimitError, match="room"):
        Beam(columns.RULES, evaluate=stones_won, width=3, depth=3).search(state, depth=5)
    assert search.search(state, nodes=7).nodes == search.search(state, budget=Budget(nodes=7)).nodes == 7
    assert search.search(state, time=200).nodes > 0  # ms: room for a busy machine to come back


@pytest.mark.parametrize("kind", [AlphaBeta, MaxN])
def test_a_plain_search_needs_a_limit(kind):
    search, state = kind(columns.RULES, evaluate=lambda state, seat: 0.5), ending(20)
    with pytest.raises(LimitError, match=r"in plain Python has no limit here: give depth=, time= \(ms\) or nodes="):
        search.search(state)
    assert search.search(state, nodes=50).nodes == 50
    with pytest.raises(LimitError, match="depth must be at least 1, not -1"):
        search.search(state, depth=-1)
    with pytest.raises(LimitError, match="depth must be a whole number, not '3'"):
        search.search(state, depth="3")


@pytest.mark.parametrize("compiled", [False, True])
def test_the_arguments_of_a_hook_are_checked_before_it_is_compiled(compiled):
    def made(function):
        return kernel(function) if compiled else function

    with pytest.raises(
        UnfitSearchError, match=r"takes \(state, seat\) or \(state, params, seat\); yours takes \(state\)"
    ):
        AlphaBeta(columns.RULES, evaluate=made(lambda state: 0.5))
    with pytest.raises(UnfitSearchError, match=r"yours takes \(\)"):
        AlphaBeta(columns.RULES, evaluate=stones_won, candidates=made(lambda: 0))
    with pytest.raises(UnfitSearchError, match=r"playout takes \(state, random\); yours takes \(state\)"):
        Mcts(columns.RULES, playout=made(lambda state: 0))


def test_a_plain_evaluation_may_take_the_parameters():
    search = AlphaBeta(columns.RULES, evaluate=lambda state, params, seat: float(params.depth), depth=2)
    assert abs(search.search(ending(20)).value) == 2.0


@pytest.mark.parametrize("value", [None, "x", "1"])
def test_a_plain_evaluation_returns_a_number(value):
    with pytest.raises(PodiumError, match=f"evaluate must return a number, not {value!r}"):
        AlphaBeta(columns.RULES, evaluate=lambda state, seat: value).search(ending(20), depth=1)


@pytest.mark.compiled
def test_a_compiled_evaluation_returns_a_number():
    with pytest.raises(PodiumError, match="evaluate must return a number, not None"):
        AlphaBeta(columns.RULES, evaluate=kernel(lambda state, seat: None)).search(ending(20), depth=1)


@pytest.mark.parametrize(
    ("returned", "reason"), [(None, "a list of moves, not None"), ([999], "999 is not a legal move")]
)
def test_plain_candidates_and_playouts_return_legal_moves(returned, reason):
    search = AlphaBeta(columns.RULES, evaluate=lambda state, seat: 0.5, candidates=lambda state: returned)
    with pytest.raises(PodiumError, match=f"^candidates .*{reason}"):
        search.search(ending(20), depth=1)
    with pytest.raises(PodiumError, match=r"^playout returned a wrong move: 999 is not a legal move"):
        Mcts(columns.RULES, playout=lambda state, random: 999).search(ending(20), nodes=5)


def test_what_was_meant_is_suggested():
    with pytest.raises(PodiumError, match=r"not 5; did you mean playouts=5\?"):
        Mcts(columns.RULES, playout=5)
    with pytest.raises(UnfitSearchError, match="PUCT needs a network: give network="):
        Puct(columns.RULES)
    with pytest.raises(PodiumError, match=r"podium.load\('zuniq'\) loads it"):
        Mcts("zuniq")


def test_a_time_limit_begins_after_compiling(monkeypatch):
    search, asked = Mcts(columns.RULES, memory=2), []
    decide = search.decide
    monkeypatch.setattr(search, "decide", lambda *given, **named: asked.append(given[2]) or decide(*given, **named))
    for _ in range(2):
        search.search(ending(0), time=2)
    assert [budget.nodes for budget in asked] == [1, 1, 0, 0]  # the second one compiles what keeps the tree


def test_the_seat_is_the_mover_by_default():
    state = ending(35)
    search = AlphaBeta(columns.RULES, evaluate=stones_won)
    assert search.search(state).value == search.search(state, 1).value == -search.search(state, 0).value
    assert search.search(state).proof is Proof.EXACT


def test_parameters_by_name():
    assert Mcts(columns.RULES, playouts=3, memory=2).params.playouts == 3
    given = toy.PARAMS.params()
    changed = AlphaBeta(toy.RULES, given, depth=3)
    assert (int(changed.params.depth), int(given.depth)) == (3, 60)
    with pytest.raises(UnknownNameError, match="playouts"):
        Mcts(columns.RULES, playout_s=3)
    with pytest.raises(PodiumError, match="from 1 to"):
        Mcts(columns.RULES, playouts=0)
    with pytest.raises(PodiumError, match="no parameters of MCTS"):
        Mcts(columns.RULES, given)
    with pytest.raises(PodiumError, match="cannot be combined"):
        AlphaBeta(toy.RULES, given, evaluate=stones_won)


def test_searches_refuse_what_does_not_suit_them():
    kutulu, columns_network = podium.load("code_of_kutulu"), np.zeros(size_of((4, 8, 7)), np.float32)
    with pytest.raises(UnfitSearchError, match="two players, code_of_kutulu has 4"):
        Mcts(kutulu)
    for search in (AlphaBeta, MaxN, Beam):
        with pytest.raises(UnfitSearchError, match=r"needs evaluate of columns.*evaluate=lambda"):
            search(columns.RULES)
    with pytest.raises(UnfitSearchError, match="needs features of columns"):
        Puct(columns.RULES, network=new_network((4, 8, 7), columns_network))
    with pytest.raises(PodiumError, match="a game"):
        Mcts("zuniq")


SCRIPT = """
import sys
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, happening): compiled.append(happening.data["dispatcher"].py_func.__name__)
    def on_end(self, happening): pass
event.register("numba:compile", Listener())
from podium.search.alphabeta import AlphaBeta
from tests.search import columns
from tests.search.test_searches import stones_won
from podium.kernel import kernel
def made(weight):
    @kernel
    def weighted(state, seat):
        return weight * stones_won(state, seat)
    return weighted
values = [AlphaBeta(columns.RULES, evaluate=each).search(columns.start(36), 0, depth=1).value
          for each in (stones_won, made(3.0))]
assert values[1] == 3 * values[0], values
print(len([name for name in compiled if name == "resume_search"]))
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_kernels_as_arguments_are_found_in_the_cache(tmp_path):
    done = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            env={"PODIUM_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin", "PODIUM_QUIET": "1"},
            check=False,
        )
        for _ in range(2)
    ]
    assert [each.returncode for each in done] == [0, 0], done[0].stderr + done[1].stderr
    assert [each.stdout.strip() for each in done] == ["2", "0"]
