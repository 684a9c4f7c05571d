"""The page of a search, in a real browser: it opens, navigates, and agrees with what the search reports."""

import json
import re

import pytest

from podium.arena.analysis.trace_position import load_trace
from podium.games import load
from podium.search.trace_room import KEPT, TOO_LOW, WORSE_TWIN
from podium.web.server import pages
from podium.web.traces import KEPT_TRACES
from tests.commands import podium
from tests.web.conftest import games_of_package
from tests.web.serving import client_of
from tests.web.test_pages import PATIENCE, page  # noqa: F401 - a fixture
from tests.web.test_standalone_html import alone  # noqa: F401 - a fixture

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.compiled]

# What the page knows of its tree, from the modules that it has loaded.
TREE = """async () => {
  const { search } = await import("podium/trace_source.js");
  const { tree } = await search({ rules: "zuniq", position: "E5v A2h", bot: "champion:memory=16", nodes: 300 });
  const at = (simulations) => { tree.goTo(simulations); return Array.from(tree.visits); };
  const half = at(150);
  const best = tree.ordered(0)[0];
  const values = [tree.values[0], tree.values[best]];
  return { size: tree.size, end: at(300), half, values };
}"""

# How many moves of a search cut their siblings off, and of how many the page says so.
CUTS = """async () => {
  const { search } = await import("podium/trace_source.js");
  const { nodeFacts } = await import("podium/search_node.js");
  const source = await search({ rules: "wondev_woman", position: "seed=3", bot: "champion:depth=3", nodes: 20000 });
  const rows = Array.from({ length: source.tree.size }, (_, row) => row);
  const cut = rows.filter((row) => source.tree.isCut(row)).map((row) => source.tree.lastChild(row));
  const told = cut.filter((row) => nodeFacts(source, row).some(([name]) => name === "cut off"));
  return { cuts: cut.length, told: told.length };
}"""
# The part of each layer of the icicle that is painted.
LAYERS = """async (layers) => {
  await new Promise((done) => setTimeout(done, 300));
  const { width, height } = document.querySelector(".icicle");
  const { data } = document.querySelector(".icicle").getContext("2d").getImageData(0, 0, width, height);
  return Array.from({ length: layers }, (_, layer) => {
    const first = 4 * width * Math.round(((layer + 0.3) * height) / layers);
    return data.slice(first, first + 4 * width).filter((value, at) => at % 4 === 3 && value > 40).length / width;
  });
}"""


@pytest.fixture(scope="module")
def client(store):
    with client_of(pages(store, ["127.0.0.1"])) as client:
        client.timeout = PATIENCE / 1000  # kernels may have to be compiled
        yield client


@pytest.fixture(scope="module")
def address(client):
    return str(client.base_url).rstrip("/")


def search(client, **wish):
    return client.post("/api/v1/traces", json=wish)


def number_of_game(runs, client, game):
    run = next(run for run in client.get("/api/v1/runs").json() if run["game"] == game and run["kind"] == "match")
    games = client.get(f"/api/v1/runs/{run['run'][1:]}/games").json()["games"]
    return int(str(games[0]["game"]).removeprefix("g"))


def test_a_search_is_made_and_its_nodes_are_told(client):
    made = search(client, rules="zuniq", position="E5v A2h", bot="champion:memory=16", nodes=200)
    assert made.status_code == 201
    about = made.json()
    trace = load_trace(client.get(f"/api/v1/traces/{about['id']}").content)
    assert trace.facts == about["facts"]
    assert trace.facts["result"]["nodes"] == 200
    best = trace.rows()[0]
    node = client.get(f"/api/v1/traces/{about['id']}/nodes/{best['row']}").json()
    assert node["line"] == [best["move"]] == about["line"][:1]
    assert best["move"] in node["scene"]["drawn"]
    texts = client.get(f"/api/v1/traces/{about['id']}/texts?rows=0,{best['row']}").json()
    assert texts == {"0": "", str(best["row"]): best["move"]}


def test_a_turn_of_a_stored_game_is_searched_again(client, runs):
    number = number_of_game(runs, client, "wondev_woman")
    about = search(client, game=number, turn=3, bot="champion", nodes=500).json()
    assert about["facts"]["where"].startswith(f"g{number}, turn 3")
    root = client.get(f"/api/v1/traces/{about['id']}/nodes/{about['facts']['root']}").json()
    assert about["facts"]["beliefs"]["places"] > 0
    marked = {spot for drawing in root["beliefs"] if drawing["form"] == "mark" for spot in drawing["at"]}
    hidden = sum(map(bool, (share for row in about["facts"]["beliefs"]["heat"] for share in row)))
    assert len(marked) == hidden > 0, "the enemy can be everywhere or nowhere"
    again = search(client, game=number, turn=3, bot="champion", nodes=500).json()
    assert again["facts"] == about["facts"]


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"rules": "chess", "nodes": 5}, "there is no game 'chess'"),
        ({"rules": "zuniq", "bot": "champio", "nodes": 5}, "neither a bot"),
        ({"rules": "zuniq", "position": "A9h", "nodes": 5}, "A9h"),
        ({"rules": "zuniq", "nodes": 0}, "nodes"),
        ({"rules": "zuniq", "bot": "random", "nodes": 5}, "without a search"),
        ({"rules": "zuniq", "position": 5, "nodes": 5}, "a position is a text"),
        ({"rules": "wondev_woman", "position": "-", "nodes": 5}, "may not name a file"),
        ({"rules": "wondev_woman", "position": __file__, "nodes": 5}, "may not name a file"),
        ({"rules": "wondev_woman", "position": "W" * 5000, "nodes": 5}, "WWW"),
        ({"game": 10**9, "turn": 1, "nodes": 5}, "g1000000000"),
    ],
)
def test_a_wrong_wish_is_a_sentence(client, wish, message):
    answer = search(client, **wish)
    assert answer.status_code in (400, 404)
    assert message in answer.json()["error"]


def test_wrong_rows_and_forgotten_traces_are_sentences(client):
    wish = {"rules": "zuniq", "position": "E5v A2h", "bot": "champion:memory=16", "nodes": 20}
    first = search(client, **wish).json()["id"]
    assert "rows 0 to" in client.get(f"/api/v1/traces/{first}/nodes/9999999").json()["error"]
    assert "rows are numbers" in client.get(f"/api/v1/traces/{first}/texts?rows=a").json()["error"]
    for _ in range(KEPT_TRACES):
        search(client, **wish)
    assert "no longer kept" in client.get(f"/api/v1/traces/{first}").json()["error"]


@pytest.mark.parametrize("game", games_of_package())
def test_without_a_position_the_start_is_searched(client, game):
    about = search(client, rules=game, position="", nodes=300).json()
    assert about.get("facts", {}).get("where") == "the start" or "without a search" in about["error"]


@pytest.mark.parametrize("game", games_of_package())
def test_the_position_of_a_turn_can_be_taken_elsewhere(page, address, client, runs, game):  # noqa: F811
    number = number_of_game(runs, client, game)
    turn = 3
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/games/{number}?turn={turn}")
    page.get_by_text("copy position").click()
    page.get_by_text("copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    rules = load(game)
    state = rules.position(text)
    there = client.get(f"/api/v1/games/{number}").json()["turns"][turn - 1]["scene"]
    assert without_answers(rules.scene(state)) == without_answers(there)
    again = client.post("/api/v1/traces", json={"rules": game, "position": text, "nodes": 300}).json()
    assert "error" not in again or "without a search" in again["error"]


@pytest.mark.parametrize("game", games_of_package())
def test_every_turn_has_a_position_as_text(client, runs, game):
    number = number_of_game(runs, client, game)
    turns = client.get(f"/api/v1/games/{number}").json()["turns"]
    for turn in {*range(0, len(turns) - 1, 20), len(turns) - 2}:
        text = client.get(f"/api/v1/games/{number}/position", params={"turn": turn}).json()["position"]
        load(game).position(text)
    assert client.get(f"/api/v1/games/{number}/position", params={"turn": len(turns)}).status_code == 404


def without_answers(scene):
    """A scene without what only the referee remembers: what was answered, and numbers and order of learnt spells."""
    if isinstance(scene, list):
        return sorted(map(without_answers, scene), key=str) if scene and isinstance(scene[0], dict) else scene
    if not isinstance(scene, dict):
        return scene
    told = ("last", "answer", "moves", "claims", "id")
    return {name: without_answers(part) for name, part in scene.items() if name not in told}


def test_the_page_agrees_with_the_search(page, address):  # noqa: F811 - the fixture
    page.goto(f"{address}/search?rules=zuniq&position=E5v+A2h&bot=champion:memory=16&nodes=300")
    page.wait_for_selector(".counts .nodes")
    assert page.locator(".counts .nodes").inner_text() == "300"
    found = page.evaluate(TREE)
    made = page.request.post(
        f"{address}/api/v1/traces",
        data=json.dumps({"rules": "zuniq", "position": "E5v A2h", "bot": "champion:memory=16", "nodes": 300}),
        headers={"Content-Type": "application/json"},
    ).json()
    trace = load_trace(page.request.get(f"{address}/api/v1/traces/{made['id']}").body())
    assert found["size"] == len(trace)
    assert found["end"] == trace.columns["visits"].tolist()
    assert found["half"][0] * 2 == found["end"][0]
    assert found["values"][0] == found["values"][1] != 0, "the root has the value of its best move at any moment"
    assert all(half <= end for half, end in zip(found["half"], found["end"], strict=True))


def test_the_page_opens_from_a_game_and_is_walked_by_keys(page, address, client, runs):  # noqa: F811
    number = number_of_game(runs, client, "wondev_woman")
    page.goto(f"{address}/games/{number}?turn=3")
    page.get_by_role("link", name="show the search", exact=True).click()
    page.wait_for_selector(".icicle")
    page.wait_for_selector(".nodeview .board")
    assert page.locator("h1 a").inner_text() == f"g{number}, turn 3"
    assert page.locator("h1 a").get_attribute("href") == f"/games/{number}?turn=3"
    assert page.locator(".nodefacts .line").inner_text() == "the position that is searched"
    page.locator(".links path.principal").nth(2).wait_for(state="attached")
    room = page.locator(".best .scroll").evaluate("box => box.clientWidth - box.scrollWidth")
    assert room >= 0, "as many columns of best moves as fit"
    page.locator(".icicle").focus()
    for depth in (1, 2):
        page.keyboard.press("ArrowDown")
        page.wait_for_function(
            "depth => document.querySelectorAll('.nodefacts .line button').length === depth", arg=depth
        )
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => document.querySelectorAll('.nodefacts .line button').length === 1")
    slider = page.locator(".moment input")
    slider.evaluate("range => { range.value = 0; range.dispatchEvent(new Event('input')); }")
    assert re.search(r"iteration 1 of \d+: depth 1", page.locator(".moment span").inner_text())


def test_a_search_of_simultaneous_moves_shows_every_seat_and_the_matrix(page, address, client, runs):  # noqa: F811
    number = number_of_game(runs, client, "code_of_kutulu")
    page.goto(f"{address}/search?game={number}&turn=3&bot=duct&nodes=400")
    page.wait_for_selector(".turnview .matrix")
    about = search(client, game=number, turn=3, bot="duct", nodes=400).json()
    node = client.get(f"/api/v1/traces/{about['id']}/nodes/0").json()
    assert page.locator(".seattables > div").count() == len(node["turn"]["seats"]) == 4
    for seat in node["turn"]["seats"]:
        assert sum(move["visits"] for move in seat["moves"]) == 400
    names = client.get(f"/api/v1/games/{number}").json()["bots"]
    assert [name.removesuffix(" searched") for name in page.locator(".seattables h3").all_inner_texts()] == [
        names[seat["seat"]] for seat in node["turn"]["seats"]
    ]
    assert "score" in page.locator(".seattables thead").first.inner_text()  # it selects by PUCT
    choices = page.locator(".movestable").last.locator("tbody button").all_inner_texts()
    assert len(set(choices)) == len(choices) > 3, "a joint choice is written to its end"
    assert not [text for text in page.locator(".links text").all_text_contents() if "…" in text]
    best = max(zip(node["turn"]["matrix"]["row_shares"], node["turn"]["matrix"]["rows"], strict=True))[1]
    assert page.locator(".matrix tbody th").first.inner_text() == best
    slider = page.locator(".moment input")  # earlier, the visits of each seat are those of that moment
    slider.evaluate("range => { range.value = range.max / 2; range.dispatchEvent(new Event('input')); }")
    page.wait_for_function("() => !document.querySelector('.matrix')")
    shown = page.locator(".seattables > div").first.locator("tbody tr td:nth-child(3)").all_inner_texts()
    assert sum(map(int, shown)) == 200


def test_smitsimax_has_a_tree_for_each_seat(page, address, client, runs):  # noqa: F811
    number = number_of_game(runs, client, "code_of_kutulu")
    page.goto(f"{address}/search?game={number}&turn=3&bot=smitsimax&nodes=300")
    page.wait_for_selector(".searchpanel .switches input")
    trees = page.locator(".searchpanel .switches input")
    assert trees.count() == 4
    trees.nth(2).check()
    page.locator(".icicle").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.querySelectorAll('.nodefacts .line button').length === 1")
    assert trees.nth(2).is_checked()
    assert page.locator(".meanings", has_text="of the seat whose tree it is").count() == 1


def test_a_bot_that_is_asked_shows_the_matrix_of_the_turn(page, address, client, runs):  # noqa: F811
    number = number_of_game(runs, client, "code_of_kutulu")
    page.goto(f"{address}/games/{number}?turn=3")
    page.wait_for_function("() => document.querySelectorAll('.whatif select')[0]?.options.length > 3")
    page.locator(".whatif select").first.select_option("matrix")
    page.get_by_text("Ask about this turn").click()
    page.wait_for_selector(".panel .matrix")
    shares = [int(text.removesuffix(" %")) for text in page.locator(".matrix tbody .part").all_inner_texts()]
    assert 98 <= sum(shares) <= 102


def test_seats_are_those_of_the_game_that_was_played(page, address, client, runs):  # noqa: F811
    """A prompt of Wondev Woman calls its reader seat 0."""
    number = number_of_game(runs, client, "wondev_woman")
    names = client.get(f"/api/v1/games/{number}").json()["bots"]
    for turn, own in ((5, 0), (6, 1)):
        page.goto(f"{address}/search?game={number}&turn={turn}&bot=champion&nodes=300")
        page.wait_for_selector(".searchlegend")
        assert f"as {names[own]}" in page.locator("h1").inner_text()
        assert f"● {names[own]}, ▲ {names[1 - own]} to move" in page.locator(".searchlegend").inner_text()
        colours = page.evaluate(
            """() => ["--seat-0", "--player-0"].map((name) =>
                 getComputedStyle(document.querySelector(".search")).getPropertyValue(name))"""
        )
        assert (colours[0] == colours[1]) == (own == 0), "the colours are those of the game's page"


def test_cut_moves_are_told_by_the_move_that_cut_and_no_layer_is_missing(page, address):  # noqa: F811
    page.goto(f"{address}/search?rules=wondev_woman&position=seed%3D3&bot=champion:depth=3&nodes=20000")
    page.wait_for_selector(".nodeview .board")
    found = page.evaluate(CUTS)
    assert found["cuts"] > 50
    assert found["told"] == found["cuts"]
    assert min(page.evaluate(LAYERS, 4)) > 0.5, "bars narrower than a pixel are drawn, too"


def test_the_layers_of_a_beam_are_counted(page, address, client):  # noqa: F811
    wish = {"rules": "fall_challenge_2020", "position": "seed=1", "bot": "champion:width=30,depth=5", "nodes": 20000}
    trace = load_trace(client.get(f"/api/v1/traces/{search(client, **wish).json()['id']}").content)
    page.goto(f"{address}/search?{'&'.join(f'{name}={value}' for name, value in wish.items())}")
    page.get_by_text("layers: what was kept").wait_for()
    ply, source = trace.columns["ply"], trace.columns["source"]
    rows = page.locator("details", has_text="layers:").locator("tbody tr").all_inner_texts()
    assert len(rows) == 5
    for depth, row in enumerate(rows, 1):
        counts = [int((source[ply == depth] == word).sum()) for word in (KEPT, TOO_LOW, WORSE_TWIN)]
        assert [int(cell.replace(",", "")) for cell in row.split("\t")[:4]] == [depth, *counts]
    assert rows[-1].split("\t")[4].startswith("1 of "), "the chosen line is the best of the last layer"
    page.locator("details", has_text="layers:").locator("tbody button").nth(2).click()
    page.wait_for_function("() => document.querySelectorAll('.nodefacts .line button').length === 3")


def test_two_searches_stand_side_by_side(page, address):  # noqa: F811
    page.goto(f"{address}/search?rules=wondev_woman&position=seed%3D3&bot=champion&nodes=2000&nodes2=400")
    page.wait_for_function("() => document.querySelectorAll('.icicle').length === 2")
    assert page.locator(".counts .nodes").all_inner_texts() == ["2,000", "400"]
    assert page.locator(".comparison tbody tr").count() >= 2
    page.wait_for_load_state("networkidle")  # the moves of both have their texts
    assert page.locator(".nodefacts .line").inner_text().startswith("above: ")
    page.locator(".icicle").nth(1).focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => /^below: ./.test(document.querySelector('.nodefacts .line').textContent)")


def test_a_turn_without_a_search_keeps_its_way_back(browser, address, client, runs):
    number = number_of_game(runs, client, "zuniq")
    plain = browser.new_page()  # a refusal is an error in the console, too
    plain.goto(f"{address}/search?game={number}&turn=4&bot=random&nodes=300")
    plain.get_by_role("alert").get_by_text("chose without a search").wait_for()
    assert plain.locator("h1").inner_text() == f"Zuniq · g{number}, turn 4"
    plain.locator("h1 a").click()
    plain.wait_for_url(f"**/games/{number}?turn=4")
    plain.close()


def test_the_same_page_is_one_file(alone, tmp_path):  # noqa: F811 - the fixture
    path, file = tmp_path / "search.html", tmp_path / "search.npz"
    words = ("analyze", "fall_challenge_2020", "seed=1", "--nodes", 600, "--html", path, "--trace", file, "--json")
    podium(*words)
    alone.goto(path.as_uri())
    alone.wait_for_selector(".nodeview .board")
    nodes = load_trace(file).facts["result"]["nodes"]
    assert alone.locator(".counts .nodes").inner_text() == f"{nodes:,}"
    assert alone.locator(".icicle").count() == 1
    alone.locator(".movestable button").first.click()
    alone.wait_for_function("() => document.querySelectorAll('.nodefacts .line button').length === 1")
