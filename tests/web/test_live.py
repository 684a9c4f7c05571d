"""News of a run while it is played."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from podium.web.app import application
from podium.web.live import event
from podium.web.repository import Repository
from tests.commands import podium
from tests.web.serving import client_of


def listen(client, path, wanted, headers=None):
    """The first events of a stream: id, name and data."""
    found, number, name = [], None, ""
    with client.stream("GET", f"/api/v1{path}", headers=headers or {}, timeout=60) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        for line in response.iter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                found.append((number, name, json.loads(line[6:])))
                if len(found) == wanted:
                    return found
    return found


def heard_after(client, number, games):
    """The events of a number of games after one, for a listener that connects again after each event."""
    heard = []
    while sum(len(data["games"]) for _, _, data in heard) < games:
        last = heard[-1][0] if heard else number
        heard += listen(client, "/runs/1/events", 1, {"Last-Event-ID": str(last)})
    return heard


def test_new_games_are_told_and_told_again_after_a_break(tmp_path):
    path = tmp_path / "live.db"
    match = ("match", "zuniq", "random", "random", "--nodes", 1, "--store", path, "--jobs", 1, "--json", "--games")
    podium(*match, 2)
    with client_of(application(Repository(path), ["127.0.0.1"])) as client, ThreadPoolExecutor(1) as pool:
        number, name, run = listen(client, "/runs/1/events", 1)[0]
        assert (name, run["games"], number) == ("run", 2, 2)
        listener = pool.submit(heard_after, client, number, 4)
        podium(*match, 6)
        heard = listener.result(60)
    assert [game["id"] for _, _, data in heard for game in data["games"]] == [3, 4, 5, 6]
    assert heard[-1][2]["run"]["games"] == 6


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "half a character: \ud83d"])
def test_an_event_is_json_that_a_browser_can_read(value):
    """A run whose first pair is not complete knows its difference only up to infinity."""
    data = event("run", {"value": value}).splitlines()[1].removeprefix("data: ").encode("ascii")
    json.loads(data, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_home_tells_of_runs(store):
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        _, name, runs = listen(client, "/events", 1)[0]
    assert name == "runs"
    assert {"run", "state", "sentence", "games"} <= set(runs[0])
