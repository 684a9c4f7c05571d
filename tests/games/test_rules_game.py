"""A game made of its rules, in a file: text, referees, bots, pictures; and how such files are loaded."""

import shutil
import sys
from pathlib import Path

import pytest

import podium
from podium.arena.entrants.fingerprint import _imports, _sources, rules_fingerprint
from podium.errors import PodiumError
from podium.games import folder_of, load
from podium.games.game import Answer, Budget, Ending
from podium.games.game_file import import_file, is_game_file
from podium.games.rules_game import make_game, prompt_of
from podium.kernel import record
from podium.model.ruleset import Rules
from podium.starters.new_game import new_game
from podium.testing import conformance

RACE = str(Path(__file__).with_name("race_game.py"))


class TestConformanceOfSimultaneousMoves(conformance(RACE)):
    """The generic referee for simultaneous moves."""


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """The path of a new game on a board."""
    return str(new_game("gobang", "board", tmp_path_factory.mktemp("games")).path)


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    """The path of the shortest new game."""
    return str(new_game("pebbles", folder=tmp_path_factory.mktemp("games")).path)


def test_the_name_of_a_file_is_a_game(heap, monkeypatch):
    monkeypatch.chdir(Path(heap).parent)
    assert load("pebbles.py").name == load("./pebbles.py").name == heap
    assert load("pebbles.py").title == "Pebbles"
    assert folder_of(heap) == Path(heap).with_suffix("")
    assert not is_game_file("referee:game.py")


def test_a_prompt_tells_the_seat_the_state_and_the_legal_answers(board):
    referee = load(board).new_referee(1, {"opening": 0})
    (request,) = referee.requests()
    assert request.lines[:3] == ("seat 0", "gobang_cells " + " ".join(["0"] * 36), "plies 0")
    assert request.lines[-37:-34] == ("legal 36", "a6", "b6")
    referee.answer([Answer("b6")])
    assert referee.state.gobang_cells[1] == 1
    referee.answer([Answer("b6")])
    assert [fault.code for fault in referee.outcome.faults] == [Ending.ILLEGAL]
    assert referee.outcome.ranks == (1, 2)


def test_the_seed_draws_the_opening(board):
    starts = {load(board).new_referee(seed).state.gobang_cells.tobytes() for seed in range(10)}
    assert len(starts) > 5
    assert load(board).new_referee(3).state.plies == 2
    assert load(board).initial_state(seed=3).plies == 0, "rules begin with an empty board"


@pytest.mark.slow
def test_positions_are_analyzed_by_their_moves(board):
    opinion = podium.analyze(board, ["a6", "a1", "b6", "b1", "c6"], bot="alphabeta", nodes=500)
    assert opinion.rows()[0]["move"] == "d6", "the only move that keeps four in a row from being made"
    assert load(board).initial_state(seed=3, opening=4).plies == 4


def test_its_bots_are_those_that_suit_it(board, heap):
    assert [*load(board).bots] == ["alphabeta", "mcts", "random"]
    assert [*load(heap).bots] == ["mcts", "random"], "alpha-beta needs an evaluation"
    assert [*load(RACE).bots] == ["mcts", "duct", "random"], "duct plays to the end without an evaluation"
    assert load(board).kind("puct").name == "puct"


VALUE = """
@evaluate.register(State)
@kernel
def valued_race_evaluate(state, params, seat):
    return 1.0 * race_final_score(state, seat)


RULES = """


def test_an_evaluation_brings_all_searches_of_simultaneous_moves(tmp_path):
    text = Path(RACE).read_text().replace("race_points", "valued_race_points").replace('"race', '"valued_race')
    text = text.replace("import before_turn,", "import before_turn, evaluate,").replace("RULES = ", VALUE)
    (tmp_path / "valued_race.py").write_text(text)
    game = load(str(tmp_path / "valued_race.py"))
    searching = ["duct", "smitsimax", "rolling", "matrix"]
    assert [*game.bots] == ["alphabeta", "mcts", *searching, "random"]
    state = game.initial_state()
    for name in searching:
        result = game.search(state, bot=name, nodes=60)
        assert result.move in game.legal_moves(state)
        if name != "rolling":
            assert sum(row["share"] for row in result.rows()) == pytest.approx(1)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_search_of_simultaneous_moves_shows_the_matrix_of_the_turn(seat):
    request = load(RACE).new_referee(1).requests()[seat]
    thoughts = load(RACE).kind("duct").bot(seed=1).analyze(request.lines, Budget(nodes=60))
    assert thoughts.matrix["rows"] == ["1", "2", "3"]
    assert sorted(thoughts.matrix["columns"]) == ["1", "2", "3"]
    assert sum(thoughts.matrix["row_shares"]) == pytest.approx(1)
    assert sum(option.share for option in thoughts.options) == pytest.approx(1)


def test_a_position_of_simultaneous_moves_is_analyzed_with_its_matrix():
    assert podium.analyze(RACE, [], bot="duct", nodes=60).thoughts.matrix["rows"] == ["1", "2", "3"]
    assert podium.analyze(RACE, [], bot="random", nodes=60).thoughts.matrix is None


@pytest.mark.parametrize(
    ("missing", "sentence"), [("seen=seen", r"Rules needs seen=\.\.\."), ("before", "before_turn has to be registered")]
)
def test_simultaneous_moves_need_to_say_what_a_turn_is(missing, sentence, tmp_path):
    """Without `seen` every seat would be sent the choices of the first one."""
    name = f"race_without_{missing[:4]}"
    text = Path(RACE).read_text().replace('"race', f'"{name}').replace("race_points", f"{name}_points")
    text = (
        text.replace(", seen=seen", "") if missing == "seen=seen" else text.replace("@before_turn.register(State)", "")
    )
    (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(PodiumError, match=sentence):
        load(str(tmp_path / f"{name}.py"))


def test_a_grid_has_a_picture_choices_and_thoughts_on_its_cells(board):
    game = load(board)
    state = game.position(["a6", "f1"])
    lines = game.render(state).splitlines()
    assert lines[0].split() == ["6", "●", "·", "·", "·", "·", "·"]
    assert lines[5].split() == ["1", "·", "·", "·", "·", "·", "○"], "seats are told apart without colours"
    assert lines[-1].split() == [*"abcdef"]
    scene = game.scene(state)
    assert scene["rows"][0][0] == 0
    assert scene["rows"][5][5] == 1
    assert scene["spots"]["b6"] == "1,0"
    choices = game.pictures.choices(state, 0)
    assert (choices[0].answer, choices[0].spots) == ("b6", ("1,0",))
    assert len(choices) == 34
    result = game.search(state, nodes=50)
    assert result.move in game.legal_moves(state)


def test_a_grid_is_drawn_for_a_page(board):
    pytest.importorskip("quickjs")
    game = load(board)
    picture = game.svg(game.position(["a6", "f1"]))
    assert picture.count("<circle") == 2
    assert "data-spot" in picture or "a" in picture


def test_a_game_without_a_grid_shows_its_fields(heap):
    game = load(heap)
    state = game.initial_state(seed=1)
    assert game.render(state).split()[:2] == ["pebbles_stones", str(int(state.pebbles_stones))]
    assert [choice.answer for choice in game.pictures.choices(state, 0)] == ["1", "2", "3"]


def test_a_fault_in_a_turn_of_simultaneous_moves_loses(heap):
    referee = load(RACE).new_referee(1)
    assert [request.seat for request in referee.requests()] == [0, 1]
    referee.answer([Answer("2"), Answer("3")])
    assert [*referee.state.race_points] == [0, 1]
    referee.answer([Answer("2"), Answer(None)])
    assert referee.outcome.ranks == (1, 2)
    assert [fault.code for fault in referee.outcome.faults] == [Ending.NO_ANSWER]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_file_is_played_by_workers_and_counts_for_the_run(heap, tmp_path):
    options = {"nodes": 20, "games": 4, "jobs": 2, "store": tmp_path / "podium.db"}
    report = podium.match(heap, "mcts", "random", **options)
    assert report.won + report.drawn + report.lost == 4
    assert podium.match(heap, "mcts", "random", **options).data()["games"] == 4, "the same run"


def test_its_source_and_what_lies_beside_it_are_its_fingerprint(heap, tmp_path):
    def fingerprint(file):
        _sources.cache_clear()
        _imports.cache_clear()
        return rules_fingerprint(load(str(file)))

    copy = tmp_path / "pebbles_too.py"
    text = Path(heap).read_text().replace("pebbles", "pebbles_too") + "\nimport pebbles_data\n"
    copy.write_text(text)
    helper = tmp_path / "pebbles_data.py"
    helper.write_text("ONE = 1\n")
    first = fingerprint(copy)
    helper.write_text("ONE = 2\n")
    second = fingerprint(copy)
    copy.write_text(text + "# mended\n")
    assert len({first, second, fingerprint(copy)}) == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "offers no GAME; end it with GAME = make_game"),
        ("import nowhere_at_all", "cannot be imported: ModuleNotFoundError"),
        ("raise SystemExit", "cannot be imported: SystemExit"),
    ],
)
def test_a_file_without_a_game_is_a_sentence(text, sentence, tmp_path):
    path = tmp_path / "not_a_game.py"
    path.write_text(text)
    sys.modules.pop("not_a_game", None)
    sys.modules.pop("not_a_game_game", None)
    with pytest.raises(PodiumError, match=sentence):
        load(str(path))
    sys.modules.pop("not_a_game", None)


@pytest.mark.parametrize(
    ("true", "false", "sentence"),
    [
        ("most_moves=MOST_TAKEN", "most_moves=2", "3 legal moves after 0 plies of a random game, not from 1 to most_m"),
        ("move_codes=MOST_TAKEN + 1", "move_codes=3", "3 is a legal move after 0 plies .* leaves 0 to 2"),
        ("most_plies=MOST,", "most_plies=4,", "a random game is longer than most_plies=4"),
        ("return state.NAME_stones == 0", "return False", "0 legal moves after .* plies of a random game"),
    ],
)
def test_a_wrong_size_is_found_before_a_search_relies_on_it(heap, tmp_path, true, false, sentence):
    name = f"sizes{abs(hash(false))}"  # each its own record
    text = Path(heap).read_text().replace("pebbles", name)
    assert true.replace("NAME", name) in text
    path = tmp_path / f"{name}.py"
    path.write_text(text.replace(true.replace("NAME", name), false))
    with pytest.raises(PodiumError, match=f"Rules of {name}: {sentence}"):
        load(str(path))


def test_a_missing_file_is_a_sentence():
    with pytest.raises(PodiumError, match=r"no file nowhere\.py with a game"):
        load("nowhere.py")
    with pytest.raises(PodiumError, match="there is no file 1-2"):
        load("1-2.py")


def test_numbers_of_64_bits_and_signs_survive_the_text(board):
    game = load(board)
    state = game.initial_state()
    state.hash, state.won = 2**64 - 1, True
    state.gobang_cells[3] = -7
    view = game.view()
    view.read(["seat 1", *prompt_of(game.rules, state, 1)[1:]])
    assert view.seat == 1
    assert bytes(view.state) == bytes(state)


def test_a_field_must_not_be_called_like_a_word_of_prompts():
    state = record("state of a court", [("legal", "i8"), ("of_court", "i8")])
    with pytest.raises(PodiumError, match="a field of court is called legal"):
        make_game(Rules("court", state, 2, 1, 1, 1))


def test_rules_without_moves_are_a_sentence():
    state = record("state of no game", [("of_no_game", "i8")])
    with pytest.raises(PodiumError, match="nothing is registered for play"):
        make_game(Rules("no_game", state, 2, 1, 1, 1))


def test_a_file_called_like_a_module_does_not_take_its_place(heap, tmp_path):
    path = tmp_path / "random.py"
    shutil.copy(heap, path)
    text = path.read_text().replace("pebbles", "other_pebbles")
    path.write_text(text)
    assert import_file(path, "game").__name__ == "random_game"
    assert "pebbles" not in vars(sys.modules["random"])
