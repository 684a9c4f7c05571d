"""One name is one thing, and the texts are in the words of the field."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import podium

ROOT = Path(podium.__file__).parent
PROJECT = ROOT.parents[1]
GAMES = [path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").is_file()]
MODULES = [path for path in ROOT.rglob("*.py") if "starters" not in path.parts]
TEXTS = [
    path
    for path in [
        *PROJECT.glob("*.md"),
        *(PROJECT / "docs").rglob("*.md"),
        *(ROOT / "starters").rglob("*.py"),
        *(path for folder in ("tools", "tests", "examples") for path in (PROJECT / folder).rglob("*.py")),
        *(path for kind in ("*.md", "*.js") for path in ROOT.rglob(kind)),
    ]
    if path.name not in ("CHANGELOG.md", "claims.md", "test_names.py")  # history, the words of others, the list itself
]
# Modules of a game that are the same thing as a module elsewhere: what a game adds to it.
SAME_THING = {"base", "maxn", "params", "random", "rules", "view"}
SHORTEST_DOCSTRING = 16  # characters
PRIVATE_WORDS = re.compile(
    r"\b(so many|whoever|(is|are) told(?! apart)|likewise|that power|foretell\w*|foretold|put out|worthiest)\b",
    re.IGNORECASE,
)


def place(path):
    return str(path.relative_to(PROJECT))


def place_on_the_floor_plan(path):
    """Games share one floor plan, so the same name in two games is the same thing."""
    parts = path.relative_to(ROOT).parts
    return "games/*/" + "/".join(parts[2:]) if parts[0] == "games" and parts[1] in GAMES else place(path)


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def test_no_class_name_stands_for_two_things():
    found = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(place_on_the_floor_plan(path))
    # a game's View and Referee are subclasses of what the toolkit calls so
    twice = {name: places for name, places in found.items() if len(places) > 1 and name not in ("View", "Referee")}
    assert twice == {}


def test_no_module_name_stands_for_two_things():
    found = defaultdict(set)
    for path in MODULES:
        is_command = path.relative_to(ROOT).parts[0] == "cli"  # named after what it runs
        if not is_command and not path.stem.startswith("__"):
            found[path.stem].add(place_on_the_floor_plan(path))
    twice = {name for name, places in found.items() if len(places) > 1}
    assert twice - SAME_THING == set()


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_every_docstring_says_something(path):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = {
        getattr(node, "name", "module"): ast.get_docstring(node)
        for node in ast.walk(tree_of(path))
        if isinstance(node, kinds)
    }
    assert {name: text for name, text in texts.items() if text and len(text) < SHORTEST_DOCSTRING} == {}


@pytest.mark.parametrize("path", [*MODULES, *TEXTS], ids=place)
def test_no_private_words(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    # what earlier versions wrote into stores has to be read
    lines = [line for line in lines if "was put out" not in line]
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if PRIVATE_WORDS.search(line)] == []
