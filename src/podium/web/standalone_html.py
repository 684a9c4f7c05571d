"""A game or a run as one HTML file that opens from disk, without a server: the page with its data inside.

The modules are the same as the server's. They import one another as `podium/name.js`, and the file's import map leads
these names to the modules' own text, so nothing is bundled or rewritten.
"""

import base64
import json
from collections.abc import Mapping
from html import escape
from typing import Any

from podium.arena.tournament.run_session import LEAGUE
from podium.games import load
from podium.web.app import static_files
from podium.web.encoding import encode_for_page
from podium.web.game_document import Replays, script_of
from podium.web.repository import Repository
from podium.web.security import hash_source

START = 'import "podium/main.js";'
GAMES_IN_A_REPORT = 200


def game_file(repository: Repository, number: int) -> str:
    """The page of a game as one HTML file."""
    replays = Replays(repository)
    game = replays.document(number)
    data = {f"/games/{number}": game, f"/games/{number}/prompts": replays.prompts(number)}
    names = " vs ".join(game["bots"])
    return page(f"g{number} · {names} · {game['rules']['title']}", f"/games/{number}", data, game["rules"]["name"])


def run_file(repository: Repository, number: int) -> str:
    """The page of a run or a league as one HTML file."""
    run = repository.run(number)
    games = repository.games(number, {}, most=GAMES_IN_A_REPORT)
    data: dict[str, Any] = {f"/runs/{number}": run, f"/runs/{number}/games": games}
    path = f"/runs/{number}"
    if run["kind"] == LEAGUE:
        path = f"/leagues/r{number}"
        data[path] = repository.league(f"r{number}")
    return page(f"r{number} · {run['name']}", path, data, run["game"])


def page(title: str, path: str, data: Mapping[str, Any], game: str) -> str:
    """A page with the answers to all its requests inside."""
    sources = static_files()
    modules = {f"podium/{name}": text for name, text in sources.items() if name.endswith(".js")}
    rules = load(game)
    script = script_of(rules)
    source = rules.pictures.scene_js
    if script and source:
        modules[f"podium{script}"] = source.read_text(encoding="utf-8")
    import_map = json.dumps({"imports": {name: _address("text/javascript", text) for name, text in modules.items()}})
    style = sources["podium.css"]
    policy = (
        f"default-src 'none'; script-src data: {hash_source(import_map)} {hash_source(START)}; "
        f"style-src {hash_source(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="{_address("image/svg+xml", sources["icon.svg"])}">
<style>{style}</style>
<script type="importmap">{import_map}</script>
<script type="application/json" id="carried">{encode_for_page({"path": path, "data": dict(data)})}</script>
<script type="module">{START}</script>
</head>
<body></body>
</html>
"""


def _address(media_type: str, text: str) -> str:
    """A text as a data URL."""
    return f"data:{media_type};base64,{base64.b64encode(text.encode()).decode()}"
