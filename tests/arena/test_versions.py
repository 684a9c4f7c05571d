"""Bots with names of their own, and copies of programs that play on when the original is overwritten."""

import json

import pytest

from podium.arena.entrants import bot_kind, entrant, entrants_of, given_name, label_of
from podium.arena.match import Match
from podium.errors import PodiumError


@pytest.mark.parametrize(
    ("text", "name", "bot"),
    [
        ("v2=champion:width=200", "v2", "champion:width=200"),
        ("v2.1-fast=cmd:./bot --net=weights.bin", "v2.1-fast", "cmd:./bot --net=weights.bin"),
        (" mine=py:bot.py ", "mine", "py:bot.py"),
        ("champion:rave=off", "", "champion:rave=off"),
        ("cmd:./bot --fast=1", "", "cmd:./bot --fast=1"),
        ("2=champion", "", "2=champion"),  # --handicap counts places so
    ],
)
def test_a_name_stands_before_the_bot(text, name, bot):
    assert given_name(text) == (name, bot)


def test_a_name_is_for_tables_and_changes_nothing_else(toys, mock):
    duel = toys("duel")
    for spec in ("namer:number=6", mock(5)):
        plain, named = entrant(duel, spec), entrant(duel, f"v2={spec}")
        assert named.fingerprint == plain.fingerprint
        assert (named.label, plain.label) == ("v2", spec)
    assert bot_kind(duel, "v2=namer:number=6") == bot_kind(duel, "namer:number=6")
    assert label_of("v2=namer", 0.5) == "v2 (x0.5)"
    assert entrant(duel, "v2=namer").copy().label == "v2 (copy)"


def test_handicaps_take_names(toys):
    first, second = entrants_of(toys("duel"), ["a=namer", "b=namer:noise=3"], {"b": 0.5})
    assert (first.handicap, second.handicap) == (1, 0.5)


def test_a_name_of_a_bot_of_the_game_is_taken(toys):
    with pytest.raises(PodiumError, match="namer is a bot of duel already"):
        entrant(toys("duel"), "namer=namer:noise=0")


def test_a_bot_can_be_named_later_and_its_games_stay(toys, tmp_path):
    options = {"games": 4, "nodes": 1, "store": tmp_path / "s.db"}
    with Match("duel", "namer:number=6", "namer", **options) as match:
        match.play(jobs=1)
    with Match("duel", "six=namer:number=6", "namer", **options) as match:
        assert match.tally.counted == 4
        assert match.report().bots == ("six", "namer")
        assert [bot.label for bot in match.session.store.bots(match.run).values()] == ["six", "namer"]
        json.dumps(match.report().data())
