"""Makes the pictures of docs/web.md: plays a few games into a store, serves it, and photographs the pages.

`make pictures` runs it; it needs Playwright and the system's Chromium. With the path of a store that it filled
before, it only photographs.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent / "screenshots"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
PODIUM = [sys.executable, "-m", "podium"]
THINKING = 300_000  # ms, if kernels have to be compiled first
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}

# What is played: the commands behind r1, r2, ...
RUNS = (
    ("match", "zuniq", "champion", "uct", "--nodes", "2000", "--games", "60"),
    ("match", "wondev_woman", "champion", "greedy", "--nodes", "3000", "--games", "4"),
    ("match", "code_of_kutulu", "champion", "greedy", "--nodes", "2000", "--games", "6"),
    ("match", "fall_challenge_2020", "champion", "greedy", "--nodes", "3000", "--games", "4"),
    ("match", "code4life", "champion", "greedy", "--nodes", "2000", "--games", "4"),
    ("league", "zuniq", "champion", "champion:rave=off", "uct", "random", "--nodes", "300", "--rounds", "12"),
    ("match", "zuniq", "champion", "champion:rave=off", "--nodes", "300", "--games", "400", "--sprt", "0", "60"),
)


@contextmanager
def served(store: Path) -> Iterator[str]:
    """The address of the store's pages."""
    words = [*PODIUM, "web", "--store", str(store), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def shoot(browser: Browser, address: str, name: str, size: dict[str, int], dark: bool, *actions: str) -> None:
    """One picture; actions are keys to press, switches to turn, buttons to click."""
    context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("main > *:not(.loading)")
    for action in actions:
        act(page, action)
    page.wait_for_timeout(800)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def act(page: Page, action: str) -> None:
    """Press a key, turn a switch on or off, click on a button, or wait for an element."""
    kind, _, what = action.partition(":")
    if kind in ("check", "uncheck"):
        page.get_by_label(what).set_checked(kind == "check")
    elif kind == "click":
        page.get_by_role("button", name=what).click()
        page.get_by_role("button", name="Back to the game").wait_for(timeout=THINKING)
    elif kind == "wait":
        page.wait_for_selector(what, timeout=THINKING)
    else:
        page.keyboard.press(what)


def game_of(page: Page, address: str, run: int) -> int:
    """The first game of a run."""
    games = page.request.get(f"{address}api/v1/runs/{run}/games").json()["games"]
    return int(games[-1]["id"])


def fill(store: Path) -> None:
    """Play all runs."""
    for run in RUNS:
        subprocess.run([*PODIUM, *run, "--store", str(store), "--json"], check=True, stdout=subprocess.DEVNULL)


def photograph(store: Path) -> None:
    """All pictures."""
    FOLDER.mkdir(exist_ok=True)
    with served(store) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        zuniq, wondev, kutulu, fall, life = (game_of(page, address, run) for run in range(1, 6))
        page.close()
        shoot(browser, address, "home", DESK, False)
        shoot(browser, f"{address}runs/7", "run", DESK, False)
        shoot(browser, f"{address}leagues/r6", "league", DESK, False)
        shoot(browser, f"{address}games/{zuniq}?turn=20", "zuniq", DESK, False, "check:options")
        shoot(
            browser,
            f"{address}games/{wondev}?turn=25",
            "wondev_woman",
            DESK,
            False,
            "check:beliefs",
            "uncheck:expected line",
        )
        shoot(browser, f"{address}games/{kutulu}?turn=10", "code_of_kutulu", DESK, True)
        shoot(browser, f"{address}games/{fall}?turn=14", "fall_challenge_2020", DESK, False)
        shoot(browser, f"{address}games/{life}?turn=151", "code4life", DESK, False)
        shoot(browser, f"{address}games/{wondev}?turn=24", "what_if", DESK, True, "click:Ask about this turn")
        search = f"{address}search?game={wondev}&turn=25&bot=champion&nodes=20000"
        shoot(browser, search, "search", DESK, False, "wait:.nodeview .board")
        shoot(browser, f"{address}games/{zuniq}?turn=20", "phone", PHONE, True)
        shoot(browser, f"{address}play?game=wondev_woman", "play", DESK, False)
        browser.close()


def main() -> None:
    """Fill a store and photograph it."""
    if len(sys.argv) > 1:
        photograph(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "podium.db"
        fill(store)
        photograph(store)


if __name__ == "__main__":
    main()
