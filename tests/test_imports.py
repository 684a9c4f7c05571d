"""Imports run one way, from room to room; a game knows no other game and no arena."""

import ast
from pathlib import Path

import podium
from tests.sources import imported_by

ROOT = Path(podium.__file__).parent
# Each room may use those before it.
ROOMS = ("kernel", "search", "games", "starters", "arena", "referees", "lab", "testing", "web", "cli")
FLOOR = ("errors.py", "tables.py")  # on which all rooms stand


def sources(folder):
    """The modules below a folder, without what starters hold: that becomes somebody else's program."""
    for path in folder.rglob("*.py"):
        *folders, name = path.relative_to(ROOT).parts
        if "starters" not in folders or (folders == ["starters"] and name == "__init__.py"):
            yield path


def rooms(folder):
    return {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_every_room_has_its_place():
    assert rooms(ROOT) <= {*ROOMS}


def test_the_plan_for_people_is_the_one_that_is_tested():
    page = (ROOT.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert " ← ".join(f"`{room}`" for room in ROOMS) in page
    assert [name for name in (*ROOMS, *FLOOR) if f"`{name}/`" not in page and f"`{name}`" not in page] == []


def test_rooms_import_only_what_lies_below():
    wrong = set()
    for path in sources(ROOT):
        room = path.relative_to(ROOT).parts[0]
        above = {*ROOMS} if room in FLOOR else {*ROOMS[ROOMS.index(room) + 1 :]} if room in ROOMS else set()
        for name in imported_by(path):
            parts = name.split(".")
            if parts[0] == "podium" and len(parts) > 1 and parts[1] in above:
                wrong.add(f"{path.relative_to(ROOT)} imports {'.'.join(parts[:3])}")
    assert not wrong, "\n".join(sorted(wrong))


def test_a_game_imports_no_other_game():
    wrong = set()
    games = rooms(ROOT / "games")
    for path in sources(ROOT / "games"):
        own = path.relative_to(ROOT / "games").parts[0]
        for name in imported_by(path):
            parts = name.split(".")
            if parts[:2] == ["podium", "games"] and len(parts) > 2 and parts[2] in games - {own}:
                wrong.add(f"{path.relative_to(ROOT)} imports {'.'.join(parts[:3])}")
    assert not wrong, "\n".join(sorted(wrong))


def test_every_module_says_what_it_is_for():
    silent = [
        str(path.relative_to(ROOT)) for path in sources(ROOT) if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []
