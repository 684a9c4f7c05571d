"""A page that carries its data opens from disk, without a server."""

import re

import pytest

from podium.errors import PodiumError
from podium.web.library import Library
from podium.web.onefile import game_file, run_file
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
    alone.get_by_text("show what the bots were told").click()
    alone.wait_for_selector(".prompt pre")
    assert alone.locator(".whatif").count() == 0, "nobody is there to be asked"


def test_runs_and_leagues_open_from_disk(alone, store, tmp_path):
    library = Library(store)
    for run in library.runs():
        if run["kind"] in ("match", "league"):
            path = tmp_path / f"{run['run']}.html"
            path.write_text(run_file(library, int(run["run"][1:])), encoding="utf-8")
            alone.goto(path.as_uri())
            alone.wait_for_selector("table.list tbody tr")
            assert run["sentence"][:20] in alone.inner_text("main")


def test_wild_words_cannot_leave_the_data(store):
    library = Library(store)
    number = next(run for run in library.runs() if "cmd:" in run["name"])["run"][1:]
    game = library.games(int(number), {})["games"][-1]["id"]
    text = game_file(library, game)
    assert WILD not in text
    assert "<script>alert" not in text
    assert len(re.findall(r"<script", text)) == 3
    assert "<b>" not in text


def test_a_page_shows_one_thing(store):
    with pytest.raises(PodiumError, match="one game or one run"):
        podium("export", "--format", "html", "--store", store)
