"""Programs of several files as one: readable, and the same program."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from podium.errors import PodiumError
from podium.pack.judges import judge_named
from podium.pack.merging import merged_program, write_merged
from tests.commands import podium as command

BOT = '''#!/usr/bin/env python3
# A bot of several files.
"""My bot."""

from __future__ import annotations

import sys

import brain.search as search
from helpers import *

SIZE = 3  # also a name of brain.search


def main(unknown: Nothing = None) -> None:
    for line in sys.stdin:
        print(search.best(words(line)), SIZE, search.SIZE, __doc__)


if __name__ == "__main__":
    main()
'''
HELPERS = r'''"""Helpers."""
import re

__all__ = ["words"]
PATTERN = re.compile(r"\w+")  # a comment that stays
SIZE = "not imported by the star"


def words(line):
    return PATTERN.findall(line)


if __name__ == "__main__":
    print("this is no program here")
'''
SEARCH = '''"""Both kinds of '\\'quotes: \'\'\'"""
from . import search as itself  # circular
from .deep import value  # from a folder without __init__.py
from .deep.value import UNIT as unit

SIZE = 5


def best(words):
    import helpers  # where it is used

    assert itself.SIZE == SIZE and helpers.words("a b") == ["a", "b"]
    return max(words, key=value.of) + unit
'''
FILES = {
    "mybot.py": BOT,
    "helpers.py": HELPERS,
    "brain/__init__.py": "",
    "brain/search.py": SEARCH,
    "brain/deep/value.py": 'import importlib\n\nof = importlib.import_module("lengths").length\nUNIT = "\\t!"',
    "lengths.py": "length = len\n",
}


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / next(iter(files))


def answers(file, folder):
    words = [sys.executable, "-I", str(file)]
    return subprocess.run(words, input="aa bbbb c\n", capture_output=True, text=True, cwd=folder, env={})


def test_a_merged_program_is_the_same_program(tmp_path):
    source = written(tmp_path / "bot", FILES)
    separate = subprocess.run([sys.executable, source], input="aa bbbb c\n", capture_output=True, text=True)
    merged, _size = write_merged(source, tmp_path / "one.py")
    (tmp_path / "empty").mkdir()
    done = answers(tmp_path / "one.py", tmp_path / "empty")
    assert (done.stdout, done.stderr) == (separate.stdout, "") == ("bbbb\t! 3 5 My bot.\n", "")
    assert [*merged.modules] == ["brain", "brain.deep.value", "brain.search", "helpers", "lengths"]
    assert merged.packages == () and merged.remarks == ()
    ast.parse(merged.text, feature_version=(3, 8))


def test_a_merged_program_can_be_read(tmp_path):
    source = written(tmp_path, FILES)
    text = merged_program(source).text
    assert text.startswith("#!/usr/bin/env python3\n# mybot.py and the modules of its folder")
    assert HELPERS in text  # character by character
    assert BOT.partition("annotations\n")[2] in text
    assert "# circular" in text  # where both kinds of quotes are used, line by line


def test_an_error_of_a_merged_module_names_its_file_and_line(tmp_path):
    source = written(tmp_path, {"bot.py": "import broken\n", "broken.py": "# a comment\n\n1 / 0  # here\n"})
    write_merged(source, tmp_path / "one.py")
    error = answers(tmp_path / "one.py", tmp_path).stderr
    assert 'File "broken.py", line 3' in error and "# here" in error


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_a_program_without_modules_stays_what_it_is(tmp_path, encoding):
    source = tmp_path / "bot.py"
    source.write_bytes(
        f"# coding: {encoding}\nimport sys\nsys.stdout.buffer.write('\u00e9'.encode())\n".encode(encoding)
    )
    merged, size = write_merged(source, tmp_path / "one.py")
    assert size == len((tmp_path / "one.py").read_bytes())
    assert answers(tmp_path / "one.py", tmp_path).stdout == "\u00e9"
    assert not merged.modules


def test_what_must_be_installed_and_what_may_fail_is_said(tmp_path):
    source = written(
        tmp_path,
        {
            "bot.py": "import helper, numpy.linalg\ntry:\n    import podium\nexcept ImportError:\n    pass\n",
            "helper.py": "import importlib\n\ndef load(name):\n    return importlib.import_module(name), __file__\n"
            "BOOK = open('book.txt').read()\n",
            "book.txt": "a b",
        },
    )
    merged = merged_program(source)
    assert merged.packages == ("numpy", "podium")
    computed, beside, needs, book = merged.remarks
    assert "helper.py, line 4 imports by a name that is not written there" in computed
    assert "helper.py, line 4 uses __file__" in beside
    assert f"podium pack GAME py:{source}" in needs
    assert book == "book.txt seems to be read: data files are not merged"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"bot.py": "from . import helper\n"}, r"bot.py, line 1: the relative import is in no package"),
        ({"bot.py": "import a.b\n", "a/__init__.py": "", "a/b.py": "\nfrom .. import c\n"}, "b.py, line 2: .* leaves"),
        ({"bot.py": "import random\n", "random.py": ""}, "random.py has the name of a module of the standard library"),
        ({"bot.py": "import fast\n", "fast.cpython-311.so": ""}, "fast cannot be merged: .*fast.cpython-311.so is no"),
        ({"bot.py": "import a\n", "a.py": "def f(:\n"}, "a.py is not Python: .* in line 1"),
        ({"bot.py": "import a\n", "a.py": "a\0b"}, "a.py is not Python: .* null bytes$"),
        ({"bot.py": "import a\n", "a.py": "x = '\0'\n"}, "a.py"),
        (
            {"bot.py": "from __future__ import annotations; import a\n", "a.py": ""},
            "line 1: give each statement a line",
        ),
    ],
)
def test_what_cannot_be_merged_is_named(tmp_path, files, sentence):
    with pytest.raises(PodiumError, match=sentence):
        merged_program(written(tmp_path, files))


def test_no_source_is_written_over_and_no_file_too_large_is_written(tmp_path):
    source = written(tmp_path, {"bot.py": "import a\n", "a.py": f"x = '{'x' * 100_000}'\n"})
    for file in (source, tmp_path / "a.py"):
        with pytest.raises(PodiumError, match="is a source of the program"):
            write_merged(source, file)
    with pytest.raises(PodiumError, match="codingame takes 100,000"):
        write_merged(source, tmp_path / "one.py", judge_named("codingame"))
    assert not (tmp_path / "one.py").exists()
    with pytest.raises(PodiumError, match=r"there is no folder .*missing"):
        write_merged(source, tmp_path / "missing" / "one.py")
    with pytest.raises(PodiumError, match="is a folder"):
        write_merged(source, tmp_path)


def test_the_command_says_what_it_merged(tmp_path, monkeypatch):
    written(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    text = command("pack", "--source", "mybot.py", "-o", "one.py", "--for", "codingame")
    assert "of 100,000 UTF-16 code units" in text and "helpers, lengths" in text
    assert Path("one.py").is_file()
    with pytest.raises(PodiumError, match="or your own program with --source FILE"):
        command("pack", "zuniq")
    with pytest.raises(PodiumError, match="no GAME and BOT"):
        command("pack", "zuniq", "champion", "--source", "mybot.py")
