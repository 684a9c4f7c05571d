"""The pages in a real browser: headless Chromium of the system, driven by Playwright. Skipped where there is none."""

import contextlib
import re
import sys
from pathlib import Path

import pytest

from podium.arena.analysis.pins import read_pins
from podium.games import load
from podium.kernel import JIT
from podium.web.server import pages
from tests.commands import podium
from tests.pack.replays import numbers_game, recorded, result_of, save
from tests.web.conftest import games_of_package
from tests.web.serving import served

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.slow
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 60_000  # ms
TURNS = 4  # that a person plays with the mouse, before a script goes on

# Goes through a game with the arrow key: what the page says, and the picture, for each turn.
WALK = """() => Array.from({ length: Number(document.querySelector("input[type=range]").max) + 1 }, () => {
  const seen = ["output.turn", ".board"].map((place) => document.querySelector(place).innerHTML);
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return seen;
})"""
# The turn for which a person is asked, once that is so, or that the game is over.
ASKED = """() => document.querySelector(".status a.button") ? "over"
  : document.querySelector(".status")?.textContent.match(/Your move, turn (\\d+)/)?.[1]"""

# Clicks open spots, or a button if there is none, until the game is over; quicker than any mouse.
HURRY = """async () => {
  for (let clicks = 0; !document.querySelector(".status a.button"); clicks++) {
    const spots = document.querySelectorAll(".board .open");
    const target = spots[(clicks * 7) % spots.length] ?? document.querySelector(".moves > div.buttons button");
    target?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 2));
  }
}"""


@pytest.fixture(scope="module")
def address(store):
    with served(pages(store, ["127.0.0.1"])) as address:
        yield address


@pytest.fixture
def page(browser):
    """A page that fails its test on any error in the console and on any request to anywhere else."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    here = ("http://127.0.0.1:", "data:", "about:")
    page.on("request", lambda request: None if request.url.startswith(here) else troubles.append(request.url))
    page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert troubles == []


def runs_of(page, address):
    return {run["name"] + " " + run["game"]: run for run in page.request.get(f"{address}/api/v1/runs").json()}


def first_game(page, address, name):
    """The first game of the match of a game."""
    runs = page.request.get(f"{address}/api/v1/runs").json()
    run = next(r for r in runs if (r["game"], r["kind"]) == (name, "match") and "cmd" not in r["name"])
    return page.request.get(f"{address}/api/v1/runs/{run['run']}/games").json()["games"][-1]["id"]


def turn_of(page):
    return int(re.match(r"turn (\d+)", page.locator("output.turn").inner_text())[1])


def overflows(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_home_leads_to_runs_and_leagues(page, address):
    page.goto(address)
    page.wait_for_selector(".run")
    assert page.locator(".run").count() == len(runs_of(page, address))
    page.locator(".run a", has_text="league").first.click()
    page.wait_for_selector(".cross")
    page.wait_for_selector("table.list a")
    assert page.locator("table.list tbody tr").count() == 4


@pytest.mark.parametrize("name", games_of_package())
def test_a_whole_replay(page, address, name):
    number = first_game(page, address, name)
    page.goto(f"{address}/games/{number}")
    page.wait_for_selector(".board")
    last = int(page.locator("input[type=range]").get_attribute("max"))
    turns, pictures = zip(*page.evaluate(WALK), strict=True)
    assert list(turns) == [*(f"turn {turn} of {last}" for turn in range(1, last + 1)), f"the end, after turn {last}"]
    assert len(set(pictures)) > last / 3, "the picture hardly ever changed"
    page.keyboard.press("Home")
    assert turn_of(page) == 1
    page.keyboard.press("End")
    assert page.locator("output.turn").inner_text().startswith("the end")


def test_the_address_leads_to_a_turn_and_follows_it(page, address):
    number = first_game(page, address, "zuniq")
    page.goto(f"{address}/games/{number}?turn=7")
    page.wait_for_selector(".board")
    assert turn_of(page) == 7
    page.get_by_role("button", name="one turn on").click()
    page.wait_for_url("**turn=8")
    page.locator(".plot").first.click(position={"x": 300, "y": 40})
    assert turn_of(page) > 8
    page.get_by_label("speed").select_option("5")
    page.get_by_role("button", name="first turn").click()
    page.get_by_role("button", name="play", exact=True).click()
    page.locator("output.turn", has_text=re.compile(r"turn ([2-9]|\d\d)")).wait_for()
    page.get_by_role("button", name="pause").click()
    stopped = turn_of(page)
    page.wait_for_timeout(200)
    assert turn_of(page) == stopped


def test_thoughts_prompts_and_overlays(page, address):
    if not JIT:
        pytest.skip("bots think too little without the compiler")
    number = first_game(page, address, "zuniq")
    page.goto(f"{address}/games/{number}")
    page.wait_for_selector(".board")
    for _ in range(8):  # beyond the opening book
        page.keyboard.press("ArrowRight")
    if page.locator(".overlay *").count() == 0:  # it is the other seat's turn
        page.keyboard.press("ArrowRight")
    assert page.locator(".overlay *").count() > 0, "the expected line is not drawn"
    page.get_by_label("options").check()
    assert page.locator(".overlay .label").count() > 0
    page.get_by_label("expected line").uncheck()
    page.get_by_label("options").uncheck()
    assert page.locator(".overlay *").count() == 0
    page.get_by_label("changes").check()
    assert page.locator(".overlay .changed").count() > 0
    page.get_by_text("show prompts").click()
    page.wait_for_selector(".prompt pre")


def test_wild_words_are_only_words(page, address):
    run = next(run for name, run in runs_of(page, address).items() if "cmd:" in name)
    page.goto(f"{address}/runs/{run['run'][1:]}")
    page.wait_for_selector("table.list a")
    page.locator("table.list a").first.click()
    page.wait_for_selector(".board")
    page.keyboard.press("End")
    page.wait_for_selector(".stderr pre")
    text = page.locator(".stderr pre").first.inner_text()
    assert "<script>alert(1)</script>" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert page.locator("main script, main b:not(.result)").count() == 0
    assert page.locator(".attribute figcaption").first.inner_text().startswith("walls")
    assert page.locator(".attribute polyline").count() == 1
    page.keyboard.press("ArrowLeft")
    page.get_by_label("bot's drawings").check()
    page.locator(".overlay .label", has_text="<b>bold</b>").wait_for()


def test_a_run_filters_its_games(page, address):
    page.goto(f"{address}/runs/1")
    page.wait_for_selector("table.list a")
    everything = page.locator("table.list tbody tr").count()
    page.get_by_label("with fault").select_option("any")
    page.locator("table.list tbody tr").first.wait_for(state="detached")
    page.get_by_label("with fault").select_option("")
    page.locator("table.list tbody tr").first.wait_for()
    assert page.locator("table.list tbody tr").count() == everything


def test_a_run_is_sliced_by_a_click(page, address):
    page.goto(f"{address}/runs/1")
    page.get_by_role("button", name="Slice the results").click()
    page.locator(".slices td", has_text="seat").first.wait_for()
    page.goto(f"{address}/leagues/league")
    page.get_by_label("bot to slice").select_option("uct")
    page.get_by_role("button", name="Slice the results").click()
    page.locator(".slices th", has_text="score of uct").wait_for()


@pytest.fixture(scope="module")
def phone(browser):
    context = browser.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", ["/", "/runs/1", "/leagues/league", "/games/1", "/play", "/lab"])
def test_phones_need_no_sideways_scrolling(phone, address, path):
    phone.goto(address + path)
    phone.wait_for_selector("main > *:not(.loading)")
    for scheme in ("light", "dark"):
        phone.emulate_media(color_scheme=scheme)
        assert overflows(phone) <= 0


def sit_down(page, address, name):
    """Take the first seat against random bots."""
    page.goto(f"{address}/play?game={name}")
    seats = page.locator("form select")
    seats.first.wait_for()
    for seat in range(1, load(name).seats):
        seats.nth(seat).select_option("random")
    page.get_by_role("button", name="Play", exact=True).click()


def click_open_spots(page):
    """Click on the board as a person does, a different spot each time, or a button if there is none, for some turns."""
    played, clicks = set(), 0
    while (turn := page.wait_for_function(ASKED).json_value()) != "over" and len(played) < TURNS:
        played.add(turn)
        clicks += 1
        assert clicks < 3000
        spots = page.locator(".board .open")
        count = spots.count()
        target = spots.nth(clicks * 7 % count) if count else page.locator(".moves > div.buttons button").first
        with contextlib.suppress(playwright.TimeoutError):  # it may lie under a spot within it
            target.click(timeout=500)


@pytest.mark.parametrize("name", games_of_package())
def test_a_person_plays_a_game_to_its_end_by_clicking(page, address, name):
    sit_down(page, address, name)
    click_open_spots(page)
    page.evaluate(HURRY)
    page.locator("text=Open the game page").click()
    page.wait_for_selector("output.turn")
    assert "human" in page.inner_text("h1")
    assert page.locator(".warning").count() == 0, "a click led to a fault"


def test_a_bot_is_asked_and_the_game_goes_on(page, address):
    number = first_game(page, address, "wondev_woman")
    page.goto(f"{address}/games/{number}?turn=5")
    page.wait_for_selector(".whatif select")
    page.locator(".whatif select").first.select_option("greedy")
    page.locator(".whatif input").fill("1000")
    page.get_by_role("button", name="Ask about this turn").click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert "greedy (asked now)" in page.inner_text(".panels")
    page.get_by_role("button", name="Back to the game").click()
    assert "asked now" not in page.inner_text(".panels")
    page.get_by_role("button", name="Continue yourself").click()
    page.wait_for_url("**/play/**")
    page.get_by_text("Your move").wait_for()
    page.get_by_role("link", name=f"g{number}, turn 5").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Play that").click()
    page.get_by_text("Your move").wait_for()
    page.get_by_role("button", name="Leave").click()
    page.get_by_text("nothing is stored").wait_for()


def test_a_game_of_a_contests_site_is_shown_sliced_and_played_on(page, tmp_path):
    files = []
    for number in (1, 2):
        result = result_of(recorded("wondev_woman", number), ("me", "you"), game_id=number)
        result["frames"][1]["stderr"] = "@podium set mood calm\nmine\n"
        files.append(save(tmp_path / f"{number}.json", result))
    podium("import", *files, "--me", "me", "--store", tmp_path / "s.db")
    with served(pages(tmp_path / "s.db", ["127.0.0.1"])) as address:
        page.goto(f"{address}/leagues/1")
        facts = page.locator(".facts").inner_text()
        assert "played on the contest's site" in facts and "seed" not in facts
        assert page.get_by_text("Play more games").count() == 0
        assert page.get_by_label("bot to slice").input_value() == "me"
        page.get_by_role("button", name="Slice the results").click()
        page.locator(".slices td", has_text="map").first.wait_for()
        page.goto(f"{address}/games/1")
        page.get_by_text("The times of this game are unknown.").wait_for()
        page.get_by_text("mine").wait_for()
        page.get_by_role("button", name="Continue with bots").click()
        page.get_by_role("heading", name="champion").wait_for()
        page.goto("about:blank")


def test_a_game_that_no_bot_here_plays_is_shown_and_nobody_is_asked(page, tmp_path):
    replay = save(tmp_path / "a.json", numbers_game(3, "seed=5\n"))
    fake = Path(__file__).parents[1] / "referees" / "fake.py"
    referee = f"referee:cmd:{sys.executable} -S -E {fake} plain"
    podium("import", replay, "--game", referee, "--store", tmp_path / "s.db")
    with served(pages(tmp_path / "s.db", ["127.0.0.1"])) as address:
        page.goto(f"{address}/games/1")
        page.get_by_text("No bot here plays this game.").wait_for()
        assert page.get_by_role("button", name="Continue with bots").count() == 0
        assert page.get_by_role("button", name="Review the game").count() == 0
        page.goto("about:blank")


def test_a_review_marks_the_graph_and_a_click_pins_a_turn(page, address, tmp_path, monkeypatch):
    if not JIT:
        pytest.skip("bots think too little without the compiler")
    number = first_game(page, address, "zuniq")
    page.goto(f"{address}/games/{number}")
    page.wait_for_selector(".whatif select")
    page.locator(".whatif select").nth(1).select_option("1")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_text("in the opinion of champion").wait_for()
    assert page.locator(".graph polyline[stroke-dasharray]").count() == 1, "the judge's opinion is drawn"
    page.locator(".review table button").first.click()
    assert turn_of(page) % 2 == 0, "only turns of the reviewed seat are in the list"
    monkeypatch.chdir(tmp_path)
    page.get_by_role("button", name="Pin").first.click()
    page.get_by_text("added to pins.jsonl").wait_for()
    (pin,) = read_pins(tmp_path / "pins.jsonl")
    assert (pin.source, pin.seat, pin.turn) == (f"g{number}", 1, turn_of(page))


def test_moves_are_listed_with_their_worth_and_keys_are_explained(page, address):
    number = first_game(page, address, "zuniq")
    page.goto(f"{address}/games/{number}?turn=12")
    moves = page.locator(".movelist button")
    moves.first.wait_for()
    document = page.request.get(f"{address}/api/v1/games/{number}").json()
    answers = [answer for turn in document["turns"] for answer in turn["answers"]]
    assert moves.count() == len(answers)
    assert page.locator(".movelist [aria-current]").inner_text().split()[:2] == ["12", answers[11]["line"]]
    assert page.locator(".movelist [aria-current]").is_visible()
    moves.nth(3).click()
    assert turn_of(page) == 4
    known = next(answer for answer in answers[3::-1] if answer["win"] is not None)
    first = known["win"] if known["seat"] == 0 else 1 - known["win"]
    assert f"{document['bots'][0]} {100 * first:.0f} %" in page.locator(".evaluation").get_attribute("aria-label")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="keys").get_by_text("ten turns").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_the_next_lost_game_is_one_click_away(page, address):
    number = first_game(page, address, "zuniq")
    page.goto(f"{address}/games/{number}")
    page.get_by_role("button", name="next game lost by").click()
    page.wait_for_function(
        f"() => location.pathname !== '/games/{number}' || document.body.innerText.includes('no other game')"
    )


def test_claims_are_filtered(page, address):
    page.goto(f"{address}/claims")
    page.wait_for_selector(".claim")
    claims = page.request.get(f"{address}/api/v1/claims").json()["claims"]
    assert page.locator(".claim").count() == len(claims)
    verdict, title = claims[-1]["verdict"], claims[-1]["title"]
    page.locator(".filters select").nth(1).select_option(verdict)
    page.locator(".filters select").first.select_option(title)
    fitting = [claim for claim in claims if (claim["verdict"], claim["title"]) == (verdict, title)]
    assert page.locator(".claim").count() == len(fitting) < len(claims)


def test_a_game_is_played_by_keys(page, address):
    sit_down(page, address, "zuniq")
    page.wait_for_function(ASKED)
    board = page.locator("svg.board")
    assert "Zuniq" in board.get_attribute("aria-label")
    assert board.locator("[tabindex='0']").count() == 1, "the board is one stop of Tab"
    board.locator("[tabindex='0']").focus()
    before = page.evaluate("document.activeElement.getAttribute('data-spot')")
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate("document.activeElement.getAttribute('data-spot')")
    assert chosen != before
    assert page.evaluate("document.activeElement.getAttribute('role')") == "button"
    page.keyboard.press("Enter")
    page.wait_for_function("() => /Your move, turn 3/.test(document.querySelector('.status')?.textContent)")
    page.get_by_role("button", name="Leave").click()


def test_the_empty_lab_says_how_to_begin(page, address):
    page.goto(f"{address}/lab")
    page.get_by_text("podium ablate GAME BOT").wait_for()


def test_a_match_is_live(page, tmp_path):
    match = ("match", "zuniq", "random", "random", "--nodes", 1, "--jobs", 1, "--json", "--store", tmp_path / "live.db")
    podium(*match, "--games", 2)
    with served(pages(tmp_path / "live.db", ["127.0.0.1"])) as address:
        page.goto(f"{address}/runs/1")
        page.wait_for_selector("table.list a")
        podium(*match, "--games", 8)
        page.locator("table.list a", has_text="g8").wait_for()
        page.locator(".progress", has_text="8 games").wait_for()
        page.goto("about:blank")


def test_pieces_stand_above_what_is_drawn_over_the_board(page, address):
    number = first_game(page, address, "wondev_woman")
    page.goto(f"{address}/games/{number}?turn=3")
    page.wait_for_selector(".overlay polyline")
    drawn = page.locator(".overlay .piece").count()
    pieces = page.locator(".board .piece").count() - drawn
    assert drawn == pieces == 4
    boxes = page.evaluate(
        """() => [".board .piece:not(.overlay *)", ".overlay .piece"].map((name) =>
          [...document.querySelectorAll(name)].map((piece) => {
            const { x, y } = piece.getBoundingClientRect();
            return [Math.round(x), Math.round(y)];
          }))"""
    )
    assert boxes[0] == boxes[1]


def test_a_game_of_an_external_referee_offers_what_programs_can_do(page, tmp_path):
    folder, store = Path(__file__).parents[1] / "referees", tmp_path / "podium.db"
    command = f"{sys.executable} -S -E {folder}"
    first, second = (f"cmd:{command}/number_bot.py {digit}" for digit in (5, 3))
    referee = f"referee:cmd:{command}/fake.py plain"
    podium("match", referee, first, second, "--games", 2, "--jobs", 1, "--store", store, "--json")
    with served(pages(store, ["127.0.0.1"])) as address:
        page.goto(f"{address}/games/1?turn=1")
        assert page.get_by_role("link", name="show the search").count() == 0
        assert page.get_by_role("button", name="Review the game").count() == 0
        assert page.get_by_text("copy SVG").count() == 0
        page.locator(".whatif select").first.select_option(second)
        page.get_by_role("button", name="Ask about this turn").click()
        page.get_by_role("button", name="Back to the game").wait_for()
        page.goto(f"{address}/runs/1")
        page.get_by_role("link", name="Play more games").click()
        page.wait_for_selector("form.tall")
        assert page.locator("form.tall select").input_value() == referee
        assert page.get_by_label("bot 2").input_value() == second


def test_runs_are_filtered_by_what_was_played(page, address):
    page.goto(address)
    page.wait_for_selector(".run")
    games = page.locator(".filters select").first
    assert games.locator("option").count() == 1 + len(games_of_package())
    games.select_option("wondev_woman")
    shown = "[...document.querySelectorAll('.run h2')].map((head) => head.textContent)"
    page.wait_for_function(f"() => {shown}.every((text) => text.startsWith('Wondev Woman'))")
    assert page.locator(".run").count() > 0
