"""Imports run one way: kernel <- search, games <- arena <- referees <- lab <- web <- cli; a game knows no other game."""

import ast
from pathlib import Path

import podium

ROOT = Path(podium.__file__).parent
ABOVE_GAMES = ["arena", "referees", "lab", "web", "cli"]
FORBIDDEN = {
    "kernel": {"search", "games", *ABOVE_GAMES},
    "search": {"games", *ABOVE_GAMES},
    "games": {*ABOVE_GAMES},
    **{room: set(ABOVE_GAMES[place + 1 :]) for place, room in enumerate(ABOVE_GAMES)},
}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_rooms_import_only_what_lies_below():
    wrong = []
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0]
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "podium" and len(parts) > 1 and parts[1] in FORBIDDEN.get(room, set()):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_a_game_imports_no_other_game():
    wrong = []
    games = {path.name for path in (ROOT / "games").iterdir() if path.is_dir()}
    for path in (ROOT / "games").rglob("*.py"):
        own = path.relative_to(ROOT / "games").parts[0]
        for name in imports(path):
            parts = name.split(".")
            if parts[:2] == ["podium", "games"] and len(parts) > 2 and parts[2] in games - {own}:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_every_module_says_what_it_is_for():
    silent = [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []
