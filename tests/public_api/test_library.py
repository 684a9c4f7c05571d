"""Podium as a library: one call for each thing that the commands do, results that show themselves."""

import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pytest

import podium
from podium.arena.game.play_once import PlayedGame
from podium.display import Displayable, html_table, text_table
from podium.errors import PodiumError
from podium.kernel import JIT

NODES = 20 if JIT else 2
SECONDS = 0.2  # of processor time, for `import podium`

LAZY = """
import time
start = time.process_time()
import podium
print(time.process_time() - start)
import sys
print(sorted({"numpy", "numba", "rich", "typer", "scipy", "pandas"} & set(sys.modules)))
"""


def test_import_is_quick_and_loads_nothing():
    done = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=True, timeout=60)
    seconds, loaded = done.stdout.splitlines()
    assert loaded == "[]"
    assert float(seconds) < SECONDS


def test_what_is_promised_is_there():
    assert {*dir(podium)} == {*podium.__all__, "__version__"}
    for name in podium.__all__:
        assert callable(getattr(podium, name)), name
    with pytest.raises(AttributeError, match="has no attribute 'matches'"):
        podium.matches  # noqa: B018


def test_games_are_a_list_that_shows_itself():
    games = podium.games()
    assert "zuniq" in games
    assert games == sorted(games)
    assert "CodeCup 2021" in str(games)
    assert "<td" in games._repr_html_()
    assert list(games.frame()["name"]) == list(games)


def test_a_game_is_played_turn_by_turn():
    seen = []
    game = podium.play(
        "zuniq", "champion", "random", seed=3, nodes=NODES, watch=lambda referee, turn: seen.append(turn)
    )
    assert len(game.turns) == len(seen) > 20
    assert game.bots == ("champion", "random")
    assert game.turns[0].prompt == ("Start",)
    assert game.ranks in ((1, 2), (2, 1))
    frame = game.frame()
    assert list(frame.columns[:4]) == ["turn", "seat", "bot", "answer"]
    assert frame["nodes"].max() > 0
    assert json.loads(json.dumps(game.data()))["seed"] == 3
    assert "•" in game._repr_html_(), "a board"
    assert game.sentence in str(game)
    again = podium.play("zuniq", "champion", "random", seed=3, nodes=NODES)
    assert [turn.answer for turn in again.turns] == [turn.answer for turn in game.turns]


def test_settings_reach_the_referee():
    game = podium.play("wondev_woman", "random", "random", nodes=1, settings={"mapIndex": 0})
    other = podium.play("wondev_woman", "random", "random", nodes=1, settings={"mapIndex": 1})
    assert game.turns[0].prompt != other.turns[0].prompt


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("library") / "games.db"


def test_a_match_is_stored_goes_on_and_shows_itself(store):
    calls = []
    first = podium.match("zuniq", "champion", "random", games=2, nodes=NODES, store=store, jobs=1)
    more = podium.match(
        "zuniq",
        "champion",
        "random",
        games=4,
        nodes=NODES,
        store=store,
        jobs=1,
        progress=lambda match: calls.append(match),
    )
    assert (first.games, more.games) == (2, 4)
    assert first.run == more.run, "the same call goes on with the same match"
    assert calls
    assert more.won + more.drawn + more.lost == 4
    assert list(more.frame()["bot"]) == ["champion", "random"]
    assert more.rows()[0]["won"] == more.rows()[1]["lost"]
    assert more.sentence in str(more)
    assert "champion" in more._repr_html_()
    assert json.loads(json.dumps(more.data()))["games"] == 4


def test_stored_games_are_played_again(store):
    replay = podium.replay("r1", store=store)
    assert replay.agree == 4
    assert replay.departures == ()
    assert str(replay) == "4 games agree in every prompt and in the result, 0 differ"
    assert podium.replay("g1", "g2", store=store).agree == 2
    review = podium.review("g1", nodes=10, bot="champion:memory=8,book=off", store=store)
    assert review.game == "g1"
    assert [row["turn"] for row in review.rows()] == [turn.turn for turn in review.turns]
    assert review.headline in str(review)


def test_a_league_is_a_table(store):
    report = podium.league("zuniq", "champion", "uct", "random", rounds=1, nodes=NODES, store=store, jobs=1)
    assert sorted(report.frame()["bot"]) == ["champion", "random", "uct"]
    assert report.games == 6
    assert "elo" in str(report)


def test_a_position_is_analyzed():
    opinion = podium.analyze("zuniq", ["E5v", "A2h"], nodes=10 * NODES)
    assert opinion.thoughts.options[0].move == opinion.rows()[0]["move"]
    assert set(opinion.data()) == {"scene", "thoughts"}
    assert "champion expects" in str(opinion)
    assert "•" in opinion._repr_html_()


def test_objects_show_themselves_in_one_line():
    game = podium.load("zuniq")
    assert repr(podium.Mcts(game, playouts=5)) == "<Mcts of zuniq: playouts=5>"
    assert repr(podium.Mcts(game)) == "<Mcts of zuniq>"
    assert repr(podium.AlphaBeta(game, evaluate=lambda state, seat: 0.5)) == "<AlphaBeta of zuniq: evaluate>"
    assert repr(game.bots) == repr([*game.bots])
    played = podium.play("zuniq", "random", "random")
    assert repr(played) == played.headline


def test_results_show_themselves_as_tables_and_not_as_their_fields():
    def below(kind):
        return [each for child in kind.__subclasses__() for each in (child, *below(child))]

    for module in ("arena.tournament.calibration", "lab.claims.claims_report", "lab.reports", "pack.site_games"):
        import_module(f"podium.{module}")
    found = below(Displayable)
    assert len(found) > 12
    for kind in found:
        assert kind.__repr__ in (Displayable.__repr__, PlayedGame.__repr__), f"{kind.__name__} needs repr=False"


def test_a_game_in_the_hand_names_itself(store):
    game = podium.load("zuniq")
    report = podium.match(game, "random", "random", games=2, nodes=1, store=store, jobs=1)
    assert report.game == "zuniq"
    assert podium.play(game, "random", "random").game == "zuniq"
    assert podium.analyze(game, ["E5v"], nodes=NODES, bot="uct").game == "zuniq"
    alone = replace(game, rules=replace(game.rules))
    with pytest.raises(PodiumError, match=r"was made in this process.*save it as a file"):
        podium.match(alone, "random", "random", store=store)
    with pytest.raises(PodiumError, match=r"tictactoe.py"):
        podium.play(replace(game, name="tictactoe"), "random", "random")


def test_what_is_stored_is_shown_as_it_was(store):
    played = podium.match("zuniq", "uct", "random", games=2, nodes=NODES, store=store, jobs=1)
    assert podium.show(played.run, store=store).rows() == played.rows()
    runs = podium.runs(store=store)
    last = runs.rows()[-1]
    assert last["run"] == played.run
    assert f"{last['last']:%Y-%m-%d %H:%M}" in str(runs)
    game = podium.show(f"g{game_count(store)}", store=store)
    assert sorted(game.bots) == ["random", "uct"]
    assert game.turns[0].prompt == ("Start",)
    assert game.turns[-1].answer
    assert max(turn.thoughts.nodes for turn in game.turns if turn.thoughts) >= NODES
    assert game.scene["mover"] in (0, 1)
    with pytest.raises(podium.StoreError):
        podium.show("g99999", store=store)


def game_count(store):
    return sum(row["games"] for row in podium.runs(store=store).rows())


@pytest.mark.parametrize("bot", [lambda lines: "A1h", podium.load("zuniq").kind("uct")])
def test_a_bot_is_named_by_a_text(bot, store):
    for play in (podium.match, podium.play, podium.league):
        with pytest.raises(PodiumError, match="a bot is named by a text"):
            play("zuniq", bot, "random", **({} if play is podium.play else {"store": store}))


def test_a_state_is_no_position():
    game = podium.load("zuniq")
    for ask in (game.position, lambda state: podium.analyze(game, state, nodes=1)):
        with pytest.raises(podium.MalformedError, match=r"game\.search takes a state"):
            ask(game.initial_state())


def test_a_picture_shows_its_size():
    pytest.importorskip("quickjs")
    game = podium.load("zuniq")
    assert repr(game.svg(game.initial_state())) == "<SVG 520 x 540>"


def test_a_near_name_is_suggested():
    with pytest.raises(AttributeError, match=r"no attribute 'Mtcs'; did you mean Mcts\?"):
        _ = podium.Mtcs


def test_mistakes_are_podium_errors():
    with pytest.raises(podium.PodiumError, match="needs 2 bots, not 1"):
        podium.play("zuniq", "champion")
    with pytest.raises(PodiumError, match="unknown game 'zunique'; did you mean zuniq"):
        podium.load("zunique")
    with pytest.raises(PodiumError, match="unknown bot of zuniq"):
        podium.match("zuniq", "champion", "nobody")


def test_text_from_bots_is_never_markup():
    assert "<script>" not in html_table([{"bot": "<script>alert(1)</script>"}])
    assert text_table([{"a": 1, "long name": None}, {"a": 12345.6, "long name": {"x": 2}}]).splitlines() == [
        "a       long name",
        "1",
        "12,346  x 2",
    ]


def test_a_frame_without_pandas_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(PodiumError, match="needs pandas"):
        podium.games().frame()


SCRIPT = """
import podium
print(podium.match("zuniq", "champion", "random", games=4, nodes=2, jobs=2).games)
"""


@pytest.mark.slow
def test_a_script_with_workers_needs_no_guard(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout == "4\n", done.stderr
