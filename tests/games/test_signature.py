"""Signatures of play: no bot plays differently without anybody noticing."""

import json
from pathlib import Path

import pytest

from podium.games import load, names
from podium.games.signature import NODES, play_signature, signature_positions
from tests.commands import podium

SIGNATURES = json.loads((Path(__file__).parents[1] / "golden" / "signatures.json").read_text())


def test_every_bot_of_every_game_has_one():
    assert sorted(SIGNATURES) == sorted(f"{name}/{bot}" for name in names() for bot in load(name).bots)


@pytest.mark.compiled
@pytest.mark.parametrize("which", SIGNATURES)
def test_a_bot_plays_as_it_did(which):
    """Where play changes on purpose, `podium bench --signature` prints the new hash; the commit names both."""
    game = load(which.partition("/")[0])
    assert play_signature(game, game.kind(which.partition("/")[2])).hash == SIGNATURES[which]


@pytest.mark.compiled
def test_a_signature_changes_with_a_parameter():
    game = load("zuniq")
    kind = game.kind("uct")
    changed = type(kind)(kind.name, kind.summary, kind.param_spec.variant("other", exploration=2.0), kind.make)
    assert play_signature(game, changed).hash != play_signature(game, kind).hash
    assert play_signature(game, kind).nodes == NODES * len(signature_positions("zuniq"))


@pytest.mark.compiled
def test_the_command_prints_them():
    rows = json.loads(podium("bench", "wondev_woman", "--signature", "--json"))["signatures"]
    assert {f"{row['game']}/{row['bot']}": row["hash"] for row in rows} == {
        name: found for name, found in SIGNATURES.items() if name.startswith("wondev_woman/")
    }
