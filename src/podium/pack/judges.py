"""The judges that bots are packed for: how large a file may be, and what runs it there.

What is not known of a judge is None, and is not checked. Figures come from the judges' own pages and from programs that
looked around there; check the rules of your contest.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from podium.errors import PodiumError, unknown
from podium.files import writing


def bytes_of(text: str) -> int:
    """The size of a text in bytes of UTF-8."""
    return len(text.encode())


def utf16_units(text: str) -> int:
    """The size of a text in code units of UTF-16."""
    return len(text.encode("utf-16-le")) // 2


@dataclass(frozen=True)
class Judge:
    """Where a packed bot will run."""

    name: str
    encoding: str = "base85"  # of `podium.pack.text_encoding`
    unit: str = "bytes"
    count: Callable[[str], int] = bytes_of
    most: int | None = None  # units of a file
    memory: int | None = None  # MB
    python: str = ""  # its version there
    numpy: str = ""
    cpu: str = "x86-64"  # the default
    remark: str = ""  # one line for everybody who packs for it


CODINGAME = Judge(
    "codingame",
    "wide",
    "UTF-16 code units",
    utf16_units,
    100_000,
    768,
    "3.11.5",
    "1.23.2",
    "x86-64-v3",
    "CodinGame's contests have forbidden code that cannot be read since 2017, embedded binaries above all:"
    " check the rules of your contest",
)
CODECUP = Judge("codecup", most=1_474_560, remark="CodeCup takes one file; check its rules, and whether it has NumPy")
BOTZONE = Judge(
    "botzone", remark="Botzone asks for its simple interaction mode: check its rules, its memory and its NumPy"
)
KAGGLE = Judge(
    "kaggle", remark="Kaggle calls a function: start this file as a program from your agent, and check the rules"
)
FILE = Judge("file", cpu="x86-64-v3")
JUDGES = {judge.name: judge for judge in (FILE, CODINGAME, CODECUP, BOTZONE, KAGGLE)}


def judge_named(name: str) -> Judge:
    """The judge of that name; PodiumError if there is none."""
    if name not in JUDGES:
        raise unknown("judge", name, JUDGES)
    return JUDGES[name]


def check_place(file: Path) -> None:
    """PodiumError where no file can be written."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise PodiumError(f"there is no folder {folder}")
    if file.is_dir():
        raise PodiumError(f"{file} is a folder: name a file in it")
    if not os.access(file if file.exists() else folder, os.W_OK):
        raise PodiumError(f"{file} cannot be written: permission denied")


def write_for(judge: Judge, file: Path, text: str, subject: str, parts: str = "") -> int:
    """Write a program for a judge, and return its size in the judge's unit.

    PodiumError if it is too large there or the file cannot be written; `parts` says what makes it large.
    """
    size = judge.count(text)
    if judge.most and size > judge.most:
        raise PodiumError(f"{subject} has {size:,} {judge.unit}, and {judge.name} takes {judge.most:,}{parts}")
    with writing(file):
        file.write_text(text, encoding="utf-8")
    return size
