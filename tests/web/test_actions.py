"""Asking bots and playing at tables, without a browser."""

import json

import pytest

from podium.arena.analysis.pins import read_pins
from podium.games import load
from podium.web import analysis_worker as asking
from podium.web.live_games import MOST_LIVE
from podium.web.server import pages
from tests.web.conftest import games_of_package
from tests.web.serving import client_of

FEW = 5.0  # ms


@pytest.fixture(scope="module")
def client(store):
    with client_of(pages(store, ["127.0.0.1"])) as client:
        yield client


def post(client, path, data, status=200):
    response = client.post(f"/api/v1{path}", json=data, timeout=300)
    assert response.status_code == status, response.text
    return response.json()


def get(client, path):
    response = client.get(f"/api/v1{path}")
    assert response.status_code == 200, response.text
    return response.json()


def match_game(client, name):
    runs = [run for run in get(client, "/runs") if run["game"] == name and "cmd:" not in run["name"]]
    run = next(run for run in runs if run["kind"] == "match")
    return get(client, f"/games/{get(client, '/runs/' + run['run'] + '/games')['games'][-1]['id']}")


def events(client, table, after=None):
    """The events of a table up to its end, or to the next question."""
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    found, number, name = [], None, ""
    with client.stream("GET", f"/api/v1/tables/{table}/events", headers=headers, timeout=120) as response:
        for line in response.iter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                found.append((number, name, json.loads(line[6:])))
                if name in ("asked", "end"):
                    return found
    return found


@pytest.mark.parametrize("name", games_of_package())
def test_a_bot_is_asked_at_a_turn(client, name):
    game = match_game(client, name)
    turn = len(game["turns"]) // 2
    seat = game["turns"][turn]["answers"][0]["seat"]
    question = {"turn": turn, "seat": seat, "bot": "random", "milliseconds": FEW}
    said = post(client, f"/games/{game['id']}/think", question)
    assert said["asked"] == "random"
    assert said["seat"] == seat
    assert said["line"]
    assert said["verdict"] is None


def test_a_turn_is_pinned(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = match_game(client, "zuniq")
    played = game["turns"][4]["answers"][0]["line"]
    wish = {"turn": 4, "seat": 0, "note": "champion plays A1h"}
    assert post(client, f"/games/{game['id']}/pin", wish) == {
        "wanted": f"not {played}",
        "file": "pins.jsonl",
        "added": True,
    }
    assert not post(client, f"/games/{game['id']}/pin", wish)["added"]
    (pin,) = read_pins(tmp_path / "pins.jsonl")
    assert (pin.source, pin.turn, pin.note) == (game["game"], 5, wish["note"])
    for wrong, reason in (
        ({"turn": 5}, "not asked"),
        ({"expect": ["Z9h"]}, "cannot be played"),
        ({"expect": "A1h"}, "list of moves"),
        ({"note": "x" * 501}, "at most 500"),
        ({"seat": 2}, "from 0 to 1"),
    ):
        assert reason in post(client, f"/games/{game['id']}/pin", wish | wrong, 400)["error"]


@pytest.mark.compiled
def test_a_review_is_that_of_the_command(client):
    game = match_game(client, "zuniq")
    said = post(client, f"/games/{game['id']}/review", {"seat": 1, "bot": "champion", "milliseconds": FEW})
    played = [turn["answers"][0]["line"] for turn in game["turns"][1:-1:2]]
    assert [turn["played"] for turn in said["turns"]] == played
    assert {"cost", "better", "value"} <= set(said["turns"][0])
    own = post(client, f"/games/{game['id']}/review", {"seat": 1, "bot": "champion"})  # with the command's own budget
    assert [turn["played"] for turn in own["turns"]] == played
    refused = post(client, f"/games/{game['id']}/review", {"bot": "cmd:true", "milliseconds": FEW}, 400)
    assert "store" in refused["error"]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"bot": "cmd:/bin/true"}, "store"),
        ({"bot": "py:/etc/passwd"}, "store"),
        ({"bot": "nobody"}, "nobody"),
        ({"bot": 7}, "text"),
        ({"milliseconds": 1e9}, "milliseconds"),
        ({"milliseconds": "many"}, "milliseconds"),
        ({"turn": -1}, "turn"),
        ({"turn": 10**5}, "no turn"),
        ({"seat": 9}, "seat"),
        ({"turn": True}, "turn"),
    ],
)
def test_questions_out_of_bounds_are_refused(client, data, word):
    game = match_game(client, "zuniq")
    question = {"turn": 0, "seat": 0, "bot": "random", "milliseconds": FEW} | data
    assert word in post(client, f"/games/{game['id']}/think", question, 400)["error"]


def test_only_few_questions_may_wait(client, monkeypatch):
    monkeypatch.setattr(asking, "MOST_WAITING", 0)
    game = match_game(client, "zuniq")
    data = {"turn": 0, "seat": 0, "bot": "random", "milliseconds": FEW}
    assert "too many" in post(client, f"/games/{game['id']}/think", data, 400)["error"]


def test_a_program_of_the_store_may_be_asked(client):
    run = next(r for r in get(client, "/runs") if "cmd:" in r["name"])
    number = get(client, f"/runs/{run['run']}/games")["games"][-1]["id"]
    program = next(b["bot"] for b in get(client, f"/runs/{run['run']}")["entrants"] if b["bot"].startswith("cmd:"))
    said = post(client, f"/games/{number}/think", {"turn": 0, "seat": 0, "bot": program, "milliseconds": 5000})
    assert said["line"] == "A1h"
    assert said["drawings"]


def play_to_the_end(client, table):
    """Answer every question with the last choice; the last events."""
    seen = None
    for _ in range(400):
        news = events(client, table, seen)
        seen = news[-1][0]
        if news[-1][1] == "end":
            return news
        asked = news[-1][2]
        post(client, f"/tables/{table}/answer", {"turn": asked["turn"], "line": asked["choices"][-1]["answer"]})
    pytest.fail("the game does not end")
    return []


@pytest.mark.parametrize("name", ["zuniq", "wondev_woman", "code_of_kutulu"])
def test_a_game_against_bots_is_stored_like_any_other(client, name):
    game = load(name)
    bots = ["random"] * (game.seats - 1) + ["human"]
    table = post(client, "/tables", {"game": name, "bots": bots, "milliseconds": 1000, "seed": 4}, 201)["table"]
    about = get(client, f"/tables/{table}")
    assert about["people"] == [game.seats - 1]
    last = play_to_the_end(client, table)
    finished = next(data for _, name, data in last if name == "finished")
    stored = get(client, f"/games/{finished['game']}")
    assert stored["bots"] == bots
    assert stored["departure"] is None
    assert stored["faults"] == []
    assert stored["sentence"] == finished["sentence"]


def test_a_person_sees_no_hidden_units(client):
    table = post(
        client, "/tables", {"game": "wondev_woman", "bots": ["human", "random"], "milliseconds": 1000, "seed": 1}, 201
    )["table"]
    asked = events(client, table)[-1][2]
    scene = asked["scene"]
    assert scene["viewer"] == 0
    assert scene["scores"][1] is None
    assert all(unit is None or unit in scene["sight"][0] for unit in scene["units"][1])
    assert "-1 -1" in asked["prompt"] or None not in scene["units"][1]
    post(client, f"/tables/{table}/leave", {})


def test_a_game_goes_on_from_a_turn_with_its_parentage(client):
    game = match_game(client, "zuniq")
    start = {"game": game["id"], "turn": 6}
    data = {"from": start, "bots": ["random", "random"], "milliseconds": 1000}
    table = post(client, "/tables", data, 201)["table"]
    finished = next(data for _, name, data in events(client, table) if name == "finished")
    stored = get(client, f"/games/{finished['game']}")
    assert stored["parent"] == start
    lines = [[answer["line"] for answer in turn["answers"]] for turn in stored["turns"]]
    assert lines[:6] == [[answer["line"] for answer in turn["answers"]] for turn in game["turns"][:6]]
    assert stored["seed"] == game["seed"]


def test_hints_tables_and_answers_out_of_turn(client):
    table = post(client, "/tables", {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 1000}, 201)["table"]
    asked = events(client, table)[-1]
    hint = post(client, f"/tables/{table}/hint", {"bot": "random", "milliseconds": FEW})
    assert hint["line"] in {choice["answer"] for choice in asked[2]["choices"]}
    assert "turn" in post(client, f"/tables/{table}/answer", {"turn": 5, "line": "A1h"}, 400)["error"]
    assert "line" in post(client, f"/tables/{table}/answer", {"turn": 0, "line": "A1h\nA2h"}, 400)["error"]
    assert "line" in post(client, f"/tables/{table}/answer", {"turn": 0, "line": 3}, 400)["error"]
    post(client, f"/tables/{table}/answer", {"turn": 0, "line": "A1h"})
    again = events(client, table, asked[0])
    assert again[0][0] == asked[0] + 1, "events resume where they broke off"
    post(client, f"/tables/{table}/leave", {})
    assert events(client, table, again[-1][0])[-1][1] == "end"
    post(client, "/tables/nothing/leave", {}, 404)


def test_a_claim_is_offered_once(client):
    table = post(client, "/tables", {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 1000}, 201)["table"]
    asked = events(client, table)[-1]
    spots = {choice["answer"]: choice["spots"] for choice in asked[2]["choices"]}
    assert (spots["C3h"], spots["C3h!"]) == (["C3h"], ["claim", "C3h"])
    post(client, f"/tables/{table}/answer", {"turn": 0, "line": "C3h!"})
    again = events(client, table, asked[0])[-1][2]
    assert again["scene"]["claims"] == [1, 0]
    assert all("!" not in choice["answer"] for choice in again["choices"])
    post(client, f"/tables/{table}/leave", {})


def test_a_table_that_nobody_looks_at_makes_room(client, monkeypatch):
    monkeypatch.setattr("podium.web.live_games.AWAY_SECONDS", 0.0)
    data = {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 1000}
    opened = [post(client, "/tables", data, 201)["table"] for _ in range(MOST_LIVE + 1)]
    assert events(client, opened[0])[-1][1] == "end"
    assert events(client, opened[1])[-1][1] == "asked"
    for table in opened[1:]:
        post(client, f"/tables/{table}/leave", {})


def test_there_are_only_so_many_tables(client, monkeypatch):
    monkeypatch.setattr("podium.web.live_games.AWAY_SECONDS", 3600.0)
    opened = []
    data = {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 1000}
    for _ in range(10):
        response = client.post("/api/v1/tables", json=data)
        if response.status_code == 400:
            assert "already" in response.json()["error"]
            break
        opened.append(response.json()["table"])
    else:
        pytest.fail("there is no bound")
    for table in opened:
        post(client, f"/tables/{table}/leave", {})
    post(client, "/tables/" + post(client, "/tables", data, 201)["table"] + "/leave", {})


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"game": "chess", "bots": ["human", "random"], "milliseconds": 5},
        {"game": "zuniq", "bots": ["human"], "milliseconds": 5},
        {"game": "zuniq", "bots": ["human", "human"], "milliseconds": 5},
        {"game": "zuniq", "bots": ["human", "cmd:/bin/sh"], "milliseconds": 5},
        {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 0},
        {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 5, "seed": "seven"},
        {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 5, "seed": str(2**63)},
        {"from": {"game": 1, "turn": "x"}, "bots": ["human", "random"], "milliseconds": 5},
        {"from": [], "bots": ["human", "random"], "milliseconds": 5},
    ],
)
def test_seatings_that_make_no_sense_are_refused(client, data):
    assert post(client, "/tables", data, 400)["error"]


def test_a_seed_comes_back_with_all_its_digits(client):
    """As text: a page would round the number."""
    seed = str(2**62 + 1)
    data = {"game": "zuniq", "bots": ["random", "random:claim=on"], "milliseconds": 1000, "seed": seed}
    table = post(client, "/tables", data, 201)["table"]
    finished = next(data for _, name, data in events(client, table) if name == "finished")
    assert get(client, f"/games/{finished['game']}")["seed"] == seed
