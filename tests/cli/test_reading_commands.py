"""Commands that only read import neither the compiler nor the modules of other commands."""

import os
import subprocess
import sys

import pytest

from podium.cli.app import COMMANDS, GROUPS, app, application
from tests.commands import podium

WHAT_IS_IMPORTED = """
import sys
from podium.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(*(name for name in ("numba", "podium.cli.match", "podium.cli.train") if name in sys.modules), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("reading") / "podium.db"
    podium("match", "zuniq", "random", "random:", "--games", 2, "--nodes", 1, "--store", path, "--jobs", 1, "--json")
    return path


@pytest.mark.parametrize("words", [("runs",), ("show", "r1"), ("show", "g1", "--json")], ids=" ".join)
def test_reading_needs_no_compiler(store, words):
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", WHAT_IS_IMPORTED, *words, "--store", store],
        env=quiet,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr.split()) == (0, [] if words != ("show", "r1") else ["podium.cli.match"])
    assert "random" in done.stdout


def test_a_command_is_the_same_alone_and_among_all_others():
    together = {command.name for command in app.registered_commands}
    assert together == {*COMMANDS}
    assert {group.typer_instance.info.name for group in app.registered_groups} == {*GROUPS}
    assert [command.name for command in application("show").registered_commands] == ["show"]
    assert not application("show").registered_groups
    assert [group.typer_instance.info.name for group in application("runs").registered_groups] == ["runs"]
    assert len(application("unheard-of").registered_commands) == len(COMMANDS)
