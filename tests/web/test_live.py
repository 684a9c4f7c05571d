"""News of a run while it is played."""

import json
import subprocess
import sys

from podium.web.app import application
from podium.web.library import Library
from tests.web.conftest import command
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


def words_of(path, games):
    options = ("--nodes", 1, "--games", games, "--store", path, "--jobs", 1, "--json")
    return "match", "zuniq", "random", "random", *options


def test_new_games_are_told_and_told_again_after_a_break(tmp_path):
    path = tmp_path / "live.db"
    command(*words_of(path, 2))
    with client_of(application(Library(path), ["127.0.0.1"])) as client:
        number, name, run = listen(client, "/runs/1/events", 1)[0]
        assert (name, run["games"], number) == ("run", 2, 2)
        words = [sys.executable, "-m", "podium", *(str(word) for word in words_of(path, 6))]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as player:
            heard = []
            while sum(len(data["games"]) for _, _, data in heard) < 4:
                last = heard[-1][0] if heard else number
                heard += listen(client, "/runs/1/events", 1, {"Last-Event-ID": str(last)})
        assert player.returncode == 0
    assert [game["id"] for _, _, data in heard for game in data["games"]] == [3, 4, 5, 6]
    assert heard[-1][2]["run"]["games"] == 6


def test_home_tells_of_runs(store):
    with client_of(application(Library(store), ["127.0.0.1"])) as client:
        _, name, runs = listen(client, "/events", 1)[0]
    assert name == "runs"
    assert {"run", "state", "sentence", "games"} <= set(runs[0])
