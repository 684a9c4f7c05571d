"""All text of the pages stands out from its background by at least 4.5 to 1 (WCAG 2.1, level AA), in both schemes."""

import pytest

from podium.kernel import JIT
from podium.web.server import pages
from tests.web.conftest import games_of_package
from tests.web.serving import served
from tests.web.test_pages import PATIENCE, first_game

pytestmark = pytest.mark.slow
LEAST = 4.5
SEARCHES = (
    [
        ("/search?rules=zuniq&position=E5v+A2h&bot=champion:memory=16&nodes=200", ".movestable"),
        ("/search?rules=code_of_kutulu&position=seed%3D2&bot=duct&nodes=200", ".matrix"),
    ]
    if JIT
    else []
)

# The text of a page that stands out less, with its contrast: colours and opacities as the browser computes them.
WEAK = r"""(least) => {
  const numbers = (colour) => {
    const found = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    const whole = colour.startsWith("color(") ? 255 : 1;
    return [...found.slice(0, 3).map((value) => value * whole), found[3] ?? 1];
  };
  const over = (top, below) => [...[0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])), 1];
  const luminance = (colour) => {
    const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ancestors = (element) => (element ? [...ancestors(element.parentElement), element] : []);
  const hex = getComputedStyle(document.documentElement).getPropertyValue("--paper").match(/\w\w/g);
  const paper = [...hex.map((pair) => parseInt(pair, 16)), 1];
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim().slice(0, 30);
    if (!text || !element.getClientRects().length) continue;
    if (element.closest("script, style, select, svg, [disabled]")) continue;
    const above = ancestors(element).map((each) => getComputedStyle(each));
    const ground = above.reduce((colour, style) => over(numbers(style.backgroundColor), colour), paper);
    const ink = numbers(getComputedStyle(element).color);
    ink[3] *= above.reduce((product, style) => product * Number(style.opacity), 1);
    const [low, high] = [over(ink, ground), ground].map(luminance).sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < least) found.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className}: ${text}`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def address(store):
    with served(pages(store, ["127.0.0.1"])) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(browser, address, scheme):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    games = [first_game(page, address, name) for name in games_of_package()]
    places = [
        ("/", ".run"),
        ("/runs/1", ".figures"),
        ("/play", "form"),
        ("/new", "form"),
        ("/compare?runs=1,2", ".compared"),
        ("/leagues/league", ".cross"),
        ("/claims", ".claim"),
        ("/lab", ".ways"),
        ("/search", "form"),
        *SEARCHES,
        *((f"/games/{number}?turn=8", ".panel") for number in games),
    ]
    weak = {}
    for place, selector in places:
        page.goto(address + place)
        page.wait_for_selector(selector)
        weak[place] = page.evaluate(WEAK, LEAST)
    context.close()
    assert {place: found for place, found in weak.items() if found} == {}
