"""The bots that search simultaneous moves: what they show, in which games, and what the studies count."""

import json

import pytest

from podium.games import load
from podium.games.code_of_kutulu.position_text import stored_positions
from podium.games.contract import Budget
from podium.games.mixed_strategies import matrix_data, mixed_options
from podium.games.root_matrix_study import assumption_findings
from podium.kernel import JIT
from podium.model.result import Matrix, Result, RootMove
from tests.commands import podium

NODES = 400 if JIT else 40
ERRAND = ["GOTO SAMPLES/GOTO SAMPLES", *["WAIT/WAIT"] * 2, *["CONNECT 1/CONNECT 1"] * 3]
ERRAND += ["GOTO DIAGNOSIS/GOTO DIAGNOSIS", *["WAIT/WAIT"] * 2]
ERRAND += [f"CONNECT {sample}/CONNECT {sample + 1}" for sample in (0, 2, 4)]
ERRAND += ["GOTO MOLECULES/GOTO MOLECULES", *["WAIT/WAIT"] * 2]
POSITIONS = {
    "code4life": ["seed=1", *ERRAND],
    "code_of_kutulu": stored_positions()[0].split(),
    "fall_challenge_2020": ["seed=1"],
}
CASES = [
    ("code4life", "duct"),
    ("code4life", "smitsimax"),
    ("code4life", "matrix"),
    ("code_of_kutulu", "duct"),
    ("code_of_kutulu", "smitsimax"),
    ("code_of_kutulu", "matrix"),
    ("fall_challenge_2020", "duct"),
    ("fall_challenge_2020", "smitsimax"),
]


@pytest.mark.parametrize(("name", "bot"), CASES)
def test_an_analysis_shows_the_mixed_strategy(name, bot):
    game = load(name)
    thoughts = game.tools.analyze(POSITIONS[name], game.kind(bot), {}, Budget(nodes=NODES)).thoughts
    assert sum(option.share for option in thoughts.options) == pytest.approx(1.0)
    assert json.loads(json.dumps(thoughts.data())) == thoughts.data()
    assert thoughts.options[0].move
    if bot != "matrix":
        assert thoughts.nodes == NODES, "one search chooses and compares"
    if bot == "smitsimax":
        assert thoughts.matrix is None  # it has no joint nodes
        return
    matrix = thoughts.matrix
    assert {*matrix["rows"]} == {option.move for option in thoughts.options}
    assert sum(matrix["row_shares"]) == pytest.approx(1.0)
    assert [len(row) for row in matrix["values"]] == [len(matrix["columns"])] * len(matrix["rows"])


def test_a_rolling_horizon_shows_its_plan():
    """It is one plan, not a mixed strategy: no shares, no matrix."""
    game = load("code4life")
    thoughts = game.tools.analyze(POSITIONS["code4life"], game.kind("rolling"), {}, Budget(nodes=NODES)).thoughts
    assert thoughts.matrix is None
    assert 0 < thoughts.nodes <= NODES  # whole plans
    best = max(thoughts.options, key=lambda option: option.value)
    assert best.move == thoughts.line[0]


def test_matrices_in_words():
    """A value that was never searched is missing."""
    matrix = Matrix([3, 4], [(7, 8)], [[1.5], [float("nan")]], [0.25, 0.75], [1.0])
    result = Result(4, 1.0, 2, 10, [4, 7], options=[RootMove(4, 1.0, 7, share=0.75)], matrix=matrix)
    data = matrix_data(result, 0, [1, 2], lambda seat, move: f"{seat}:{move}")
    assert data["rows"] == ["0:3", "0:4"]
    assert data["columns"] == ["1:7 / 2:8"]
    assert data["values"] == [[1.5], [None]]
    assert [(o.move, o.share) for o in mixed_options(result, 0, lambda seat, move: str(move))] == [("4", 0.75)]


def test_the_cost_of_the_assumption_is_counted():
    """Matching pennies without a saddle point, and a matrix with one."""
    findings = assumption_findings("matrix", [[[1, -1], [-1, 1]], [[3, 5], [2, 9]]])
    row = dict(zip(findings.columns, findings.rows[0], strict=True))
    assert (row["positions"], row["mixed"], row["another move"]) == (2, 1, 0)
    assert row["too low by"] == pytest.approx(0.5)
    assert row["if mixed"] == pytest.approx(1.0)
    assert row["regret"] == pytest.approx(0.0)


@pytest.mark.compiled
def test_analyze_prints_the_matrix():
    """With the shares of both sides, within 80 columns."""
    words = ["analyze", "fall_challenge_2020", "seed=1", "--bot", "duct", "--nodes", 400]
    shown = podium(*words)
    assert "against" in shown
    assert shown.count("share") >= 3
    assert max(len(line) for line in shown.splitlines() if line[:1] in "┏┃│") <= 80
    matrix = json.loads(podium(*words, "--json"))["thoughts"]["matrix"]
    assert sum(matrix["row_shares"]) == pytest.approx(1.0)
