"""Runs that pages start, stop and compare: by their addresses, and in a real browser."""

import shutil
import time

import pytest

from podium.arena.store.store import Store
from podium.web.server import pages
from tests.web.serving import client_of, served
from tests.web.test_pages import PATIENCE, page  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow
WISH = {"game": "zuniq", "bots": ["random", "uct"], "nodes": 1, "games": 100_000, "jobs": 1}
MOMENT = 0.1  # seconds


@pytest.fixture(scope="module")
def own_store(store, tmp_path_factory):
    """A copy, so that other tests find what they expect."""
    path = tmp_path_factory.mktemp("runs") / "games.db"
    shutil.copy(store, path)
    return path


@pytest.fixture
def client(own_store):
    with client_of(pages(own_store, ["127.0.0.1"])) as client:
        yield client


def wait_for(condition):
    for _ in range(int(PATIENCE / 1000 / MOMENT)):
        if found := condition():
            return found
        time.sleep(MOMENT)
    raise AssertionError("it did not happen")


def test_a_run_is_played_until_it_is_stopped_and_keeps_its_games(client):
    number = client.post("/api/v1/runs", json=WISH).json()["run"]
    assert client.get("/api/v1/playing").json()["playing"] == [number]
    games = wait_for(lambda: client.get(f"/api/v1/runs/{number}").json()["games"])
    assert client.get("/api/v1/runs").json()[0]["state"] == "running"
    assert client.post(f"/api/v1/runs/{number}/stop", json={}).status_code == 200
    assert client.get("/api/v1/playing").json()["playing"] == []
    run = client.get(f"/api/v1/runs/{number}").json()
    assert run["state"] == "paused"
    assert run["games"] >= games
    assert run["wanted"] == 100_000
    again = client.post("/api/v1/runs", json={**WISH, "games": run["games"] + 2}).json()["run"]
    assert again == number, "the same request goes on with the same run"
    wait_for(lambda: client.get("/api/v1/playing").json()["playing"] == [])
    run = client.get(f"/api/v1/runs/{number}").json()
    assert run["state"] == "finished"
    assert "not played by this server" in client.post(f"/api/v1/runs/{number}/stop", json={}).json()["error"]


def test_more_bots_play_a_league(client):
    wish = {**WISH, "bots": ["random", "uct", "uct:exploration=0.3"], "games": 12, "name": "three"}
    number = client.post("/api/v1/runs", json=wish).json()["run"]
    wait_for(lambda: client.get("/api/v1/playing").json()["playing"] == [])
    league = client.get("/api/v1/leagues/three").json()
    assert (league["run"], league["games"], len(league["ratings"])) == (f"r{number}", 12, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"bots": ["random"]}, "2 to 12 bots"),
        ({"bots": ["random", "random"]}, "name each once"),
        ({"bots": ["random", "nobody"]}, "neither a bot"),
        ({"bots": ["random", "cmd:touch /tmp/oops"]}, "neither a bot"),
        ({"games": 1}, "games is a whole number"),
        ({"nodes": -1}, "nodes is a whole number"),
        ({"milliseconds": 10**6}, "milliseconds is a number"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_a_wrong_wish_is_a_sentence(client, change, message):
    answer = client.post("/api/v1/runs", json={**WISH, **change})
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert client.get("/api/v1/playing").json()["playing"] == []


def test_few_runs_are_played_at_a_time_and_none_after_the_server(own_store):
    with client_of(pages(own_store, ["127.0.0.1"])) as client:
        numbers = [client.post("/api/v1/runs", json={**WISH, "seed": seed}).json()["run"] for seed in (8, 9)]
        refused = client.post("/api/v1/runs", json={**WISH, "seed": 10}).json()
        assert "stop one of them first" in refused["error"]
    with client_of(pages(own_store, ["127.0.0.1"])) as client:
        assert {client.get(f"/api/v1/runs/{number}").json()["state"] for number in numbers} == {"paused"}


def test_a_page_starts_stops_and_compares_runs(page, own_store):  # noqa: F811 - the fixture
    with served(pages(own_store, ["127.0.0.1"])) as address:
        page.goto(address)
        page.get_by_role("link", name="New run").click()
        page.locator("form select").select_option("zuniq")
        page.get_by_label("bot 1").fill("uct")
        page.get_by_label("bot 2").fill("random")
        page.get_by_label("games", exact=True).fill("50000")
        page.get_by_label("nodes per move").fill("1")
        page.get_by_role("button", name="Start the match").click()
        page.get_by_role("button", name="Stop").wait_for()
        page.wait_for_function("() => /[1-9]\\d of 50,000 games/.test(document.querySelector('.done')?.textContent)")
        # No news, as where the last game was shown before the stop: the page sees by itself that the run has ended.
        page.route("**/events?*", lambda route: route.fulfill(content_type="text/event-stream", body=": no news\n\n"))
        page.reload()  # a page that is left changes nothing
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("link", name="Play more games").click()
        fields = ("bot 1", "bot 2", "games", "nodes per move")
        wish = [page.get_by_label(field, exact=field == "games").input_value() for field in fields]
        assert wish == ["uct", "random", "50000", "1"], "the same request as before"
        page.go_back()
        page.get_by_role("link", name="Compare").click()
        page.get_by_label("compare with").select_option(index=1)
        page.wait_for_selector(".compared table")
        assert page.locator(".compared thead th").count() == 3
        assert page.locator(".compared svg circle").count() >= 1
        assert page.locator(".compared tr", has_text="Elo minus that of").count() == 1


def test_matches_can_be_compared_however_many_runs_came_later(page, own_store, tmp_path):  # noqa: F811
    path = tmp_path / "many.db"
    shutil.copy(own_store, path)
    with Store(path) as store:
        conditions = store.run(1).conditions
        for number in range(60):
            store.open_run("league", f"league {number}", f"league {number}", 1, conditions)
    with served(pages(path, ["127.0.0.1"])) as address:
        page.goto(f"{address}/compare?runs=2")
        page.get_by_label("compare with").select_option("1")
        page.wait_for_url("**/compare?runs=2,1")
        page.wait_for_selector(".compared table")


def test_a_third_bot_makes_a_league_of_a_match(page, own_store):  # noqa: F811 - the fixture
    with served(pages(own_store, ["127.0.0.1"])) as address:
        page.goto(f"{address}/new?game=zuniq&bot=random&bot=random")
        page.get_by_role("button", name="Add a bot").click()
        assert page.get_by_role("button", name="Start the league").count() == 1
        page.get_by_role("button", name="Remove the last").click()
        assert page.get_by_label("bot 2").input_value() == "random"
