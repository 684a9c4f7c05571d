"""What a phone shows needs no sideways scrolling, after a click as before."""

import pytest

from podium.web.server import pages
from tests.web.conftest import games_of_package
from tests.web.serving import served
from tests.web.test_pages import PATIENCE, PHONE, first_game, overflows

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture(scope="module")
def address(store):
    with served(pages(store, ["127.0.0.1"])) as address:
        yield address


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.parametrize("game", games_of_package())
def test_a_reviewed_game(phone, address, game):
    phone.goto(f"{address}/games/{first_game(phone, address, game)}")
    phone.get_by_role("button", name="Review the game").click()
    phone.get_by_role("button", name="Review again").wait_for()
    assert phone.locator(".review table").count() == 1
    assert overflows(phone) <= 0


def test_the_numbers_of_the_evaluation_bar_are_whole(phone, address):
    phone.goto(f"{address}/games/{first_game(phone, address, 'zuniq')}?turn=12")
    phone.wait_for_selector(".evaluation span")
    cut = "parts => parts.filter((part) => part.textContent && part.scrollWidth > part.clientWidth).length"
    assert phone.locator(".evaluation span").evaluate_all(cut) == 0


@pytest.mark.parametrize(
    "wish",
    [
        "rules=wondev_woman&position=seed%3D3&bot=champion&nodes=2000&bot2=champion:killers=off",
        "rules=code_of_kutulu&position=seed%3D2&bot=duct&nodes=300",
        "rules=zuniq&position=E5v+A2h&bot=champion:memory=16&nodes=300",
        "rules=fall_challenge_2020&position=seed%3D1&bot=champion:width=30&nodes=2000",
    ],
)
def test_a_search(phone, address, wish):
    phone.goto(f"{address}/search?{wish}")
    phone.locator(".movestable tbody button").first.wait_for()
    assert overflows(phone) <= 0
    cut = "tables => tables.filter((table) => table.scrollWidth > table.clientWidth).length"
    assert phone.locator(".movestable .scroll, .best .scroll").evaluate_all(cut) == 0, "tables and best moves fit"
