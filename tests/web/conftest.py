"""A store with a match of every game, a league, and a program that writes wild things, made once by the commands.

Pages are looked at in a headless Chromium of the system, driven by Playwright: one browser for all tests of a process.
"""

import json
import shutil
import sys

import pytest

from podium.games import load, names
from podium.kernel import JIT
from tests.commands import podium

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]
WILD = "<script>alert(1)</script>\x1b[31mred\x1b[0m\u202eright to left"
WILD_BOT = f"""
import sys
walls = [f"{{row}}{{column}}{{way}}" for row in "ABCDEF" for column in range(1, 7) for way in "hv"]
drawn = set()
for line in sys.stdin:
    word = line.strip()[:3]
    if line.strip() == "Quit":
        break
    drawn.add(word)
    print({WILD!r}, file=sys.stderr)
    print("@podium text A1 <b>bold</b>", file=sys.stderr)
    print("@podium value 0.25", file=sys.stderr)
    print(f"@podium set walls {{len(drawn)}}\\npodium set <b>mood</b> wild", file=sys.stderr)
    print("@podium mark 0.5 " + walls[0], file=sys.stderr)
    wall = "A1h" if "A1h" not in drawn else "A2h"
    drawn.add(wall)
    print(wall, flush=True)
"""


def games_of_package():
    return [name for name in names() if load(name).pictures.choices is not None]


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """The store's path; its runs are in the order of `games_of_package`, then the league, then the wild program."""
    folder = tmp_path_factory.mktemp("web")
    path = folder / "podium.db"
    bot = folder / "wild <b>.py"
    bot.write_text(WILD_BOT)
    for name in games_of_package():
        games = 2 if load(name).seats == 2 else 6
        first = "champion" if JIT else "random"
        podium("match", name, first, "random", "--nodes", 20, "--games", games, "--store", path, "--jobs", 1, "--json")
    podium("league", "zuniq", "random", "uct", "--nodes", 1, "--rounds", 2, "--store", path, "--jobs", 1, "--json")
    wild = f"cmd:{sys.executable} '{bot}'"
    podium("match", "zuniq", "random", wild, "--games", 2, "--store", path, "--jobs", 1, "--json")
    return path


@pytest.fixture(scope="session")
def runs(store):
    """The runs of the store by their game and kind, as `podium runs --json` tells them."""
    return json.loads(podium("runs", "--store", store, "--json"))["runs"]


@pytest.fixture(scope="session")
def browser():
    """Chromium; a test that needs it is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
