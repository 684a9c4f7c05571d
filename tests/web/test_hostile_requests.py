"""Requests that are wrong, half sent or broken off: a 4xx at most, no traceback in the log, nothing left open."""

import logging
import socket
import time

import pytest

from podium.arena.tournament.match import Match
from podium.web import live_games, server
from podium.web.server import pages
from tests.web.serving import client_of, served

SECONDS = 0.3  # in place of the server's patience
TABLE = {"game": "zuniq", "bots": ["human", "random"], "milliseconds": 5}


@pytest.fixture
def errors(caplog):
    """What the server has logged of errors; nothing, in the end."""
    with caplog.at_level(logging.WARNING):
        yield caplog
    assert [record.getMessage() for record in caplog.records if record.name.startswith("uvicorn")] == []


@pytest.fixture(scope="module")
def small_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "podium.db"
    with Match("zuniq", "random", "random:", games=2, nodes=1, store=path) as match:
        match.play(jobs=1)
    return path


@pytest.fixture
def client(small_store, errors):
    with client_of(pages(small_store, ["127.0.0.1"])) as client:
        yield client


@pytest.fixture
def tables(monkeypatch):
    """The live games that are started, by their ids."""
    found = {}
    start = live_games.LiveGame.start
    monkeypatch.setattr(
        live_games.LiveGame, "start", lambda self, keep: (found.update({self.id: self}), start(self, keep))
    )
    return found


def wait_until(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("it did not happen")


@pytest.mark.parametrize("place", ["after", "header"])
def test_numbers_of_events_that_are_none(client, place):
    word = "²"
    asked = {"params": {"after": word}} if place == "after" else {"headers": {"Last-Event-ID": word.encode("latin-1")}}
    with client.stream("GET", "/api/v1/runs/1/events", **asked) as response:
        assert response.status_code == 200
        assert next(response.iter_lines()).startswith("id: ")


@pytest.mark.parametrize("number", ["²", "-1", "1" * 16, "9" * 5000])
def test_numbers_of_runs_that_are_none(client, number):
    response = client.get("/api/v1/runs", params={"before": number})
    assert (response.status_code, "before is a number" in response.text) == (400, True), response.text


def test_an_origin_that_is_no_address(client):
    assert client.get("/api/v1/runs", headers={"Origin": "http://[::1"}).status_code == 403


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/events", "/nowhere"])
@pytest.mark.parametrize("later", [False, True])
def test_a_body_that_is_not_http(small_store, caplog, path, later):
    """The first chunk has no length: the server refuses the request while it answers it."""
    with (
        caplog.at_level(logging.ERROR),
        served(pages(small_store, ["127.0.0.1"]), **server.PROTOCOL) as address,
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=30) as link,
    ):
        head = f"GET {path} HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\nTransfer-Encoding: chunked\r\n\r\n"
        link.sendall(head.encode())
        if later:
            assert link.recv(10)
        link.sendall(b"zz\r\n")
        while link.recv(10_000):
            continue  # until the server closes the connection
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize("content", [b"[" * 50_000, b'{"a":' * 15_000, b"\xff", b"{", b"[]", b"1" * 90_000])
def test_bodies_that_are_no_objects(client, content):
    response = client.post("/api/v1/tables", content=content, headers={"Content-Type": "application/json"})
    assert response.status_code == 400, response.text


@pytest.mark.parametrize("path", ["/tables/gone", "/tables/gone/events"])
def test_a_table_of_a_server_that_was_restarted(client, path):
    response = client.get(f"/api/v1{path}")
    assert (response.status_code, "restarted" in response.json()["error"]) == (404, True)


def test_an_answer_to_a_table_that_has_just_ended(client, tables):
    table = client.post("/api/v1/tables", json=TABLE).json()["table"]
    with client.stream("GET", f"/api/v1/tables/{table}/events") as response:
        any(line == "event: asked" for line in response.iter_lines())
    asked = tables[table].asked
    tables[table]._process.kill()
    wait_until(lambda: tables[table].over)
    tables[table].asked = asked  # as in the moment before that was noticed
    response = client.post(f"/api/v1/tables/{table}/answer", json={"turn": 0, "line": "A1h"})
    assert response.status_code == 400, response.text


def test_a_client_that_hangs_up_in_the_middle_of_a_request(small_store, errors):
    with served(pages(small_store, ["127.0.0.1"])) as address:
        host, port = address.removeprefix("http://").split(":")
        for sent in (b"", b"GET /api", post_head(1000, port), post_head(1000, port) + b"{"):
            with socket.create_connection((host, int(port))) as link:
                link.sendall(sent)
        with socket.create_connection((host, int(port))) as link:
            link.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            assert link.recv(10)
        time.sleep(SECONDS)


def post_head(length, port):
    head = f"POST /api/v1/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize("sent", ["nothing", "head", "second head", "body"])
def test_half_a_request_is_not_waited_for(small_store, errors, monkeypatch, sent):
    monkeypatch.setattr("podium.web.connections.HEAD_SECONDS", SECONDS)
    monkeypatch.setattr("podium.web.actions.BODY_SECONDS", SECONDS)
    with served(pages(small_store, ["127.0.0.1"]), **server.PROTOCOL) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=30) as link:
            whole = f"GET /api/v1 HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
            parts = {"nothing": b"", "head": whole[:20], "second head": whole + whole[:20]}
            link.sendall(parts.get(sent) or (post_head(1000, port) + b"{" if sent == "body" else b""))
            while link.recv(10_000):
                continue  # until the server closes the connection


def test_a_whole_request_may_take_its_time(small_store, errors, monkeypatch):
    monkeypatch.setattr("podium.web.connections.HEAD_SECONDS", SECONDS)
    with (
        served(pages(small_store, ["127.0.0.1"]), **server.PROTOCOL) as address,
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=30) as link,
    ):
        link.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\n\r\n".encode())
        link.settimeout(3 * SECONDS)
        with pytest.raises(TimeoutError):
            while link.recv(10_000):
                continue


def test_a_table_whose_page_is_gone_ends(client, tables, monkeypatch):
    watched = client.post("/api/v1/tables", json=TABLE).json()["table"]
    monkeypatch.setattr(live_games, "GONE_SECONDS", SECONDS)
    unseen = client.post("/api/v1/tables", json=TABLE).json()["table"]
    with client.stream("GET", f"/api/v1/tables/{watched}/events") as response:
        any(line == "event: asked" for line in response.iter_lines())
        wait_until(lambda: tables[unseen].over)
        assert not tables[watched].over
    wait_until(lambda: tables[watched].over)
    wait_until(lambda: not tables[watched]._process.is_alive())


@pytest.mark.parametrize("bot", ["champion:memory=65536", "alphazero:network=/etc/passwd", "mine=uct:memory=4096"])
def test_what_a_page_may_not_ask_for(client, bot):
    question = {"turn": 0, "seat": 0, "bot": bot, "milliseconds": 5}
    for path, data in (("games/1/think", question), ("tables", {**TABLE, "bots": ["human", bot]})):
        response = client.post(f"/api/v1/{path}", json=data)
        assert (response.status_code, "page" in response.json()["error"]) == (400, True), response.text


def test_a_store_that_was_replaced_is_read_anew(tmp_path):
    """The new one has runs and games of the same numbers."""
    path = tmp_path / "podium.db"
    with client_of(pages(path, ["127.0.0.1"])) as client:
        seen = []
        for seed, games in ((1, 4), (2, 2)):
            for file in tmp_path.iterdir():
                file.unlink()
            with Match("zuniq", "random", "random:", games=games, nodes=1, seed=seed, store=path) as match:
                match.play(jobs=1)
            run, game, filtered, prompts = (
                client.get(f"/api/v1/{name}").json()
                for name in ("runs/1", "games/1", "runs/1/games?seat=0&bot=1", "games/1/prompts")
            )
            assert (run["games"], run["last_game"], run["seed"]) == (games, games, str(seed))
            assert filtered["found"] == games // 2
            seen.append((game["seed"], prompts))
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] != seen[1][1]
