"""Imports run one way; a game knows no other game and no arena."""

import ast
from pathlib import Path

import podium
from tests.sources import imported_by

ROOT = Path(podium.__file__).parent
# Each package may use those before it.
PACKAGES = (
    "kernel",
    "model",
    "search",
    "games",
    "starters",
    "arena",
    "referees",
    "lab",
    "testing",
    "pack",
    "web",
    "cli",
    "zoo",
    "api",
)
BASE = ("errors.py", "files.py", "display.py")  # every package may use these

# The same inside the arena.
ARENA = ("stats", "entrants", "processes", "game", "store", "tournament", "analysis")


def sources(folder):
    """The modules below a folder, without what starters hold: that becomes somebody else's program."""
    for path in folder.rglob("*.py"):
        *folders, _name = path.relative_to(ROOT).parts
        if "starters" not in folders or folders == ["starters"]:
            yield path


def packages(folder):
    return {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_every_package_has_its_place():
    assert packages(ROOT) <= {*PACKAGES}


def contributing():
    """The page with the plan, on one line."""
    return " ".join((ROOT.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8").split())


def test_the_plan_for_people_is_the_one_that_is_tested():
    page = contributing()
    assert " ← ".join(f"`{package}`" for package in PACKAGES) in page
    assert [name for name in (*PACKAGES, *BASE) if f"`{name}/`" not in page and f"`{name}`" not in page] == []


def test_packages_import_only_what_lies_below():
    wrong = set()
    for path in sources(ROOT):
        package = path.relative_to(ROOT).parts[0]
        above = set(
            PACKAGES if package in BASE else PACKAGES[PACKAGES.index(package) + 1 :] if package in PACKAGES else ()
        )
        for name in imported_by(path):
            parts = name.split(".")
            if parts[0] == "podium" and len(parts) > 1 and parts[1] in above:
                wrong.add(f"{path.relative_to(ROOT)} imports {'.'.join(parts[:3])}")
    assert not wrong, "\n".join(sorted(wrong))


def test_packages_of_the_arena_import_only_what_lies_below():
    assert packages(ROOT / "arena") == {*ARENA}
    assert " ← ".join(f"`{package}`" for package in ARENA) in contributing()
    wrong = set()
    for path in sources(ROOT / "arena"):
        package = path.relative_to(ROOT / "arena").parts[0]
        above = {*ARENA[ARENA.index(package) + 1 :]} if package in ARENA else {*ARENA}
        for name in imported_by(path):
            parts = name.split(".")
            if parts[:2] == ["podium", "arena"] and len(parts) > 2 and parts[2] in above:
                wrong.add(f"{path.relative_to(ROOT)} imports {'.'.join(parts[:4])}")
    assert not wrong, "\n".join(sorted(wrong))


def test_a_game_imports_no_other_game():
    wrong = set()
    games = packages(ROOT / "games")
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
