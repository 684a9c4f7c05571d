"""The data files of a bot: what it reads is a part of it, what it writes is not."""

import pytest

from podium.arena.entrants.data_files import data_files
from podium.arena.entrants.entrant import entrant
from podium.games import load

WEIGHTS = """
from pathlib import Path
import numpy as np
WEIGHTS = np.loadtxt(Path(__file__).with_name("weights.txt"), ndmin=1)
def bot(lines):
    return "A1h"
"""


def test_other_weights_are_another_bot(tmp_path):
    (tmp_path / "mybot.py").write_text(WEIGHTS)
    fingerprints = []
    for weights in ("1.0", "9.0", "1.0"):
        (tmp_path / "weights.txt").write_text(weights)
        (tmp_path / "notes.txt").write_text(weights)
        fingerprints.append(entrant(load("zuniq"), f"py:{tmp_path}/mybot.py").fingerprint)
    assert fingerprints[0] != fingerprints[1]
    assert fingerprints[0] == fingerprints[2]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("open('weights.txt')", ["weights.txt"]),
        ("open(HERE / 'data' / 'a.csv')", ["a.csv"]),
        ("[path.read_text() for path in (HERE / 'data').iterdir()]", ["a.csv", "b.csv"]),
        ("load(f'data/{name}.csv')", ["a.csv", "b.csv"]),
        ("load(HERE.glob('weights*'))", ["weights.txt"]),
        ("load(Path(__file__).with_suffix('.npz'))", ["mybot.npz"]),
        ("'weights.txt' in 'a\\nweights.txt'", ["weights.txt"]),
        ("open('weights.txt', 'w')", []),
        ("open('weights.txt', mode='a')", []),
        ("NOTES = HERE / 'weights.txt'\nNOTES.write_text('x')", []),
        ("class Bot:\n    def __init__(self):\n        self.path = 'weights.txt'\n        np.save(self.path, 1)", []),
        ("open('log.log')", []),
        ("open('.'), open(''), f'{x}', '*', '..', 'nothing.txt', 'mybot.py', 'x' * 1000", []),
    ],
)
def test_what_counts(tmp_path, monkeypatch, source, found):
    (tmp_path / "data").mkdir()
    for name in ("weights.txt", "mybot.npz", "log.log", "data/a.csv", "data/b.csv", "unused.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "mybot.py").write_text(source)
    assert [path.name for path in data_files([tmp_path / "mybot.py"])] == found


def test_the_current_folder_counts_where_the_source_has_no_such_file(tmp_path, monkeypatch):
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mybot.py").write_text("open('here.txt')")
    (tmp_path / "here.txt").touch()
    monkeypatch.chdir(tmp_path)
    assert data_files([tmp_path / "bots" / "mybot.py"]) == [tmp_path / "here.txt"]
