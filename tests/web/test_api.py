"""The JSON on which the pages stand, without a browser."""

import json

import pytest

from podium.games import load
from podium.starters.new_game import new_game
from podium.web.app import application
from podium.web.game_document import moments
from podium.web.repository import Repository
from tests.commands import podium
from tests.web.conftest import games_of_package
from tests.web.serving import client_of


@pytest.fixture(scope="module")
def client(store):
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        yield client


def get(client, path, status=200):
    response = client.get(f"/api/v1{path}")
    assert response.status_code == status, response.text
    return response.json()


def test_all_runs_the_newest_first(client):
    runs = get(client, "/runs")
    assert [run["run"] for run in runs] == [f"r{number}" for number in range(len(runs), 0, -1)]
    assert all(run["state"] == "finished" and run["sentence"] for run in runs)
    assert [run["run"] for run in get(client, "/runs?before=3")] == ["r2", "r1"]


def test_a_run_has_the_figures_of_the_command(client, store):
    page, told = get(client, "/runs/1"), json.loads(podium("show", "r1", "--store", store, "--json"))
    for name in ("score", "elo", "los", "won", "lost", "blocks", "seats", "sentence", "clocks"):
        assert page[name] == told[name], name
    assert page["curve"][-1][0] == page["games"]
    assert sum(sum(row["counts"]) for row in page["times"]) == sum(clock["answers"] for clock in page["clocks"])


def test_games_are_filtered(client):
    run = get(client, "/runs/1")
    everything = get(client, "/runs/1/games")
    assert everything["found"] == run["games"]
    for bot in run["entrants"]:
        results = {
            word: get(client, f"/runs/1/games?bot={bot['id']}&result={word}") for word in ("won", "lost", "drawn")
        }
        if load(run["game"]).seats == 2:
            assert sum(found["found"] for found in results.values()) == run["games"]
        for game in results["won"]["games"]:
            seats = [seat for seat, name in enumerate(game["bots"]) if name == bot["bot"]]
            assert any(game["ranks"][seat] == 1 for seat in seats)
    longest = max(game["answers"] for game in everything["games"])
    assert get(client, f"/runs/1/games?shortest={longest}")["found"] >= 1
    assert get(client, f"/runs/1/games?shortest={longest + 1}")["found"] == 0
    assert get(client, "/runs/1/games?fault=any")["found"] == 0
    assert "number" in get(client, "/runs/1/games?seat=x", 400)["error"]


@pytest.mark.parametrize("name", games_of_package())
def test_a_game_is_replayed_with_all_its_scenes(client, name):
    game = load(name)
    run = next(
        run
        for run in get(client, "/runs")
        if run["game"] == name and run["kind"] == "match" and "cmd" not in run["name"]
    )
    first = get(client, f"/runs/{run['run']}/games")["games"][-1]
    data = get(client, f"/games/{first['id']}")
    assert data["departure"] is None
    assert data["rules"]["script"] == f"/scenes/{name}.js"
    assert sum(len(turn["answers"]) for turn in data["turns"]) == first["answers"]
    assert data["turns"][-1]["answers"] == []
    start = game.new_referee(int(data["seed"]), data["settings"])
    assert data["turns"][0]["scene"] == json.loads(json.dumps(game.scene_of(start)))
    prompts = get(client, f"/games/{first['id']}/prompts")
    assert prompts[0][0] == list(start.requests()[0].lines)
    assert [len(told) for told in prompts] == [len(turn["answers"]) for turn in data["turns"][:-1]]


def test_what_a_program_draws_is_data(client):
    run = next(run for run in get(client, "/runs") if "cmd:" in run["name"])
    data = get(client, f"/games/{get(client, '/runs/' + run['run'] + '/games')['games'][-1]['id']}")
    drawn = [answer for turn in data["turns"] for answer in turn["answers"] if answer.get("drawings")]
    assert drawn[0]["drawings"][0] == {"form": "text", "at": "A1", "text": "<b>bold</b>"}
    assert drawn[0]["value"] == 0.25
    assert "<script>" in drawn[0]["stderr"]


def test_a_league_has_ratings_and_their_history(client):
    league = get(client, "/leagues/league")
    assert [row["bot"] for row in league["ratings"]]
    assert league["history"][-1]["games"] == league["games"] == 4
    assert set(league["history"][-1]["ratings"]) == {row["bot"] for row in league["ratings"]}


@pytest.mark.parametrize(
    "path",
    ["/runs/99999", "/games/99999", "/runs/x", "/games/-1", "/games/" + "9" * 400, "/leagues/none", "/runs/r99/games"],
)
def test_what_is_not_there_is_a_sentence(client, path):
    assert get(client, path, 404)["error"]


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/static/shell.html",
     "/scenes/..%2f..%2fx.js", "/scenes/nothing.js", "/static/pages/../../app.py"],
)  # fmt: skip
def test_no_path_of_an_address_reaches_the_file_system(client, path):
    response = client.get(path)
    assert response.status_code in (400, 404)
    assert "import" not in response.text


def test_pages_and_their_files_are_served_with_a_strict_policy(client):
    for path in (
        "/",
        "/runs/1",
        "/games/1?turn=3",
        "/leagues/league",
        "/play",
        "/lab",
        "/static/main.js",
        "/scenes/zuniq.js",
    ):
        response = client.get(path)
        assert response.status_code == 200, path
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"


def test_moments_are_the_largest_drops():
    values = [5.0, 5.2, 5.1, 1.0, 1.2, 1.1, -3.0, -3.1]
    turns = [{"answers": [{"seat": 0, "value": value}]} for value in values]
    assert [(moment["turn"], moment["seen"]) for moment in moments(turns)] == [(2, 3), (5, 6)]
    assert moments([{"answers": [{"seat": 0, "value": None}]}]) == []


def test_a_game_in_a_file_is_drawn_and_its_bots_are_known(tmp_path):
    path = new_game("reversed_stones", "board", tmp_path).path
    store = tmp_path / "podium.db"
    podium(
        "match", path, "random", "random", "--games", "2", "--nodes", "1", "--jobs", "1", "--store", store, "--quiet"
    )
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        rules = {game["name"]: game for game in get(client, "/rules")}[str(path)]
        assert [bot["name"] for bot in rules["bots"]] == ["alphabeta", "mcts", "random"]
        script = get(client, "/games/1")["rules"]["script"]
        assert "export function draw(scene, h)" in client.get(script).text
        assert "reversed_stones" in get(client, "/games/1")["turns"][0]["scene"]["game"]


def test_a_run_is_sliced(client, runs):
    run = next(run["run"] for run in runs if run["game"] == "wondev_woman")
    data = client.get(f"/api/v1/runs/{run}/slices").json()
    assert data["games"] == 2
    assert {row["value"] for row in data["slices"] if row["attribute"] == "seat"} == {"0", "1"}
    assert client.get(f"/api/v1/runs/{run}/slices", params={"bot": "nobody"}).status_code == 400
    assert client.get("/api/v1/runs/r9999/slices").status_code in (400, 404)


def test_the_next_game_that_a_bot_lost(client):
    lost = get(client, "/runs/1/games?result=lost")["games"]
    game = lost[-1]
    seat = game["ranks"].index(max(game["ranks"]))
    bot = game["bots"][seat]
    others = sorted(
        other["id"]
        for other in get(client, "/runs/1/games")["games"]
        if any(name == bot and rank > 1 for name, rank in zip(other["bots"], other["ranks"], strict=True))
        and other["id"] != game["id"]
    )
    later = [number for number in others if number > game["id"]]
    assert get(client, f"/games/{game['id']}/next_lost?seat={seat}")["game"] == (later + others + [None])[0]
    get(client, f"/games/{game['id']}/next_lost?seat=9", status=404)
    get(client, "/games/99999/next_lost?seat=0", status=404)


def test_a_game_is_saved_as_one_file(client):
    response = client.get("/api/v1/games/1/page")
    assert response.status_code == 200
    assert 'filename="g1.html"' in response.headers["content-disposition"]
    assert response.text.startswith("<!doctype html>")
    assert client.get("/api/v1/games/99999/page").status_code == 404


def test_runs_are_filtered_by_game_and_kind(client):
    runs = get(client, "/runs")
    game, kind = runs[-1]["game"], runs[-1]["kind"]
    found = get(client, f"/runs?game={game}&kind={kind}")
    assert found == [run for run in runs if (run["game"], run["kind"]) == (game, kind)]
    assert 0 < len(found) < len(runs)
    assert get(client, "/runs?game=nothing") == []
    assert found[0]["title"] == load(game).title
    assert found[0]["verdict"]
