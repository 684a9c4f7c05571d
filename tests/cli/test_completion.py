"""Completion in the shell: what there is, and nothing that takes time."""

import os
import subprocess
import sys

import pytest

from tests.commands import podium

ASK = """
import sys
from podium.cli import main
sys.argv[0] = "podium"  # as its users call it
try:
    main()
except SystemExit:
    pass
print(*(name for name in ("numba", "podium.cli.train", "podium.lab.learn") if name in sys.modules), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a store in which a bot was given a name."""
    path = tmp_path_factory.mktemp("completion")
    words = ("match", "zuniq", "v1=random", "random:claim=on", "--games", 2, "--nodes", 1, "--jobs", 1, "--json")
    podium(*words, "--store", path / "podium.db")
    return path


def completed(folder, text):
    """The completions of a line for bash."""
    asked = {"_PODIUM_COMPLETE": "complete_bash", "COMP_WORDS": text, "COMP_CWORD": str(len(text.split(" ")) - 1)}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")} | asked
    words = [sys.executable, "-P", "-c", ASK]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr.split() == [], "neither the compiler nor other commands are imported"
    return done.stdout.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("podium ma", ["match"]),
        ("podium match z", ["zuniq"]),
        ("podium match zuniq v", ["v1"]),
        ("podium match zuniq champ", ["champion"]),
        ("podium match zuniq champion:rave_", ["champion:rave_max="]),
        ("podium match zuniq champion:rave=off,prov", ["champion:rave=off,prove="]),
        ("podium show r", ["r1"]),
        ("podium runs delete r", ["r1"]),
        ("podium match nonsense c", []),
    ],
)
def test_what_is_offered(folder, text, expected):
    assert completed(folder, text) == expected
