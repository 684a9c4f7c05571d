"""Records and recordings that something has changed: read, refused in a sentence, never a traceback."""

import gzip
import json
import zlib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.arena.game.record import GameRecord, kept_thoughts, thoughts_from, unpack
from podium.arena.game.recordings import read, verify
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Thoughts
from podium.kernel import JIT

LOOP: list = []
LOOP.append(LOOP)
RECORDINGS = Path(__file__).parents[2] / "recordings"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.builds(list),
    st.builds(dict),
    st.builds(lambda: [[]]),
)


@cache
def recorded(name):
    """The first recorded game, cut short: its end differs, which is a finding like others."""
    with gzip.open(RECORDINGS / f"{name}.jsonl.gz", "rt") as file:
        game = json.loads(file.readline())
    game["turns"] = game["turns"][:6]
    return json.dumps(game)


def places(data, path=()):
    """All places in plain data."""
    yield path
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))


def change(draw, data):
    """Put something else into one place of plain data, or take it out."""
    path = draw(st.sampled_from(list(places(data))[1:]))
    for key in path[:-1]:
        data = data[key]
    if draw(st.booleans()):
        data[path[-1]] = draw(SCALARS)
    else:
        del data[path[-1]]


@pytest.mark.parametrize("name", [name for name in names() if (RECORDINGS / f"{name}.jsonl.gz").exists()])
def test_mutated_recordings(name, tmp_path):
    path = tmp_path / "mutated.jsonl"

    @settings(max_examples=150 if JIT else 60)
    @given(st.data())
    def judge(data):
        game = json.loads(recorded(name))
        for _ in range(data.draw(st.integers(1, 2))):
            change(data.draw, game)
        path.write_text(json.dumps(game))
        try:
            for number, one in read(path):
                verify(load(name), number, one)
        except PodiumError as error:
            assert len(str(error)) < 2000

    judge()


RECORD = {
    "seats": [0, 1],
    "lines": ["5", None],
    "times": [1.0, 2.5],
    "prompts": [7, 8],
    "cpu": [0.5, None],
    "verdicts": {"1": ["late", {"ms": 61.0, "limit_ms": 50.0}]},
    "thoughts": {"0": {"value": 1.0, "depth": 3, "options": [["a", 1.0, 2, "", []]]}},
    "stderr": {"0": "words"},
}


def packed(data):
    return zlib.compress(json.dumps(data).encode())


def test_a_whole_record_is_read():
    record = unpack(packed(RECORD))
    assert isinstance(record, GameRecord)
    assert record.verdicts == {1: ("late", {"ms": 61.0, "limit_ms": 50.0})}
    assert thoughts_from(record.thoughts[0]).options[0].move == "a"


@given(st.data())
def test_mutated_records(data):
    record = json.loads(json.dumps(RECORD))
    change(data.draw, record)
    try:
        for thoughts in unpack(packed(record)).thoughts.values():
            thoughts_from(thoughts)
    except PodiumError as error:
        assert "damaged" in str(error)


@pytest.mark.parametrize(
    "thoughts",
    [
        "rubbish",
        Thoughts(line=5),
        Thoughts(line=[object()]),
        Thoughts(depth="deep"),
        Thoughts(options=["a"]),
        Thoughts(note=7),
        Thoughts(beliefs={"loop": LOOP}),
    ],
)
def test_thoughts_that_are_none_cost_nothing_but_themselves(thoughts):
    assert kept_thoughts(thoughts)["note"].startswith("thoughts that cannot be kept")
    assert kept_thoughts(Thoughts(depth=3)) == {"unit": "points", "depth": 3, "nodes": 0, "seconds": 0.0}


@given(st.binary(max_size=40))
def test_bytes_that_are_no_record(blob):
    with pytest.raises(PodiumError, match="damaged"):
        unpack(blob)
