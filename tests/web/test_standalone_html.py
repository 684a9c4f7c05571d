"""A page that carries its data opens from disk, without a server."""

import re
import sqlite3

import pytest

from podium.errors import PodiumError
from podium.web.repository import Repository
from podium.web.standalone_html import game_file, run_file
from tests.commands import podium
from tests.web.conftest import WILD
from tests.web.test_pages import DESK, PATIENCE, turn_of


@pytest.fixture
def alone(browser):
    """A page without a network, which fails its test on any error or request."""
    context = browser.new_context(viewport=DESK, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else troubles.append(f"asked {r.url}"))
    yield page
    context.close()
    assert troubles == []


def test_a_game_opens_from_disk(alone, store, tmp_path):
    path = tmp_path / "game.html"
    podium("export", "g1", "--format", "html", "--output", path, "--store", store)
    alone.goto(f"{path.as_uri()}#turn=3")
    alone.wait_for_selector(".board")
    assert turn_of(alone) == 3
    alone.keyboard.press("ArrowRight")
    assert turn_of(alone) == 4
    alone.get_by_text("show prompts").click()
    alone.wait_for_selector(".prompt pre")
    assert alone.locator(".whatif").count() == 0, "nobody is there to be asked"


def test_runs_and_leagues_open_from_disk(alone, store, tmp_path):
    repository = Repository(store)
    for run in repository.runs():
        if run["kind"] in ("match", "league"):
            path = tmp_path / f"{run['run']}.html"
            path.write_text(run_file(repository, int(run["run"][1:])), encoding="utf-8")
            alone.goto(path.as_uri())
            alone.wait_for_selector("table.list tbody tr")
            assert run["sentence"][:20] in alone.inner_text("main")


def test_wild_words_cannot_leave_the_data(store):
    repository = Repository(store)
    number = next(run for run in repository.runs() if "cmd:" in run["name"])["run"][1:]
    game = repository.games(int(number), {})["games"][-1]["id"]
    text = game_file(repository, game)
    assert WILD not in text
    assert "<script>alert" not in text
    assert len(re.findall(r"<script", text)) == 3
    assert "<b>" not in text


def test_a_page_shows_one_thing(store):
    with pytest.raises(PodiumError, match="one game or one run"):
        podium("export", "--format", "html", "--store", store)


def test_a_run_that_lists_no_entrants_is_a_sentence(tmp_path):
    path = tmp_path / "podium.db"
    podium("match", "zuniq", "random", "random:", "--games", 2, "--nodes", 1, "--store", path, "--jobs", 1, "--json")
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM entries")
    for what in ("r1", "g1"):
        with pytest.raises(PodiumError, match=r"damaged|no game of this league"):
            podium("export", what, "--format", "html", "--store", path, "--output", tmp_path / "page.html")
