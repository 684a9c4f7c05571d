"""Pictures tell everything without colours, and fit a terminal."""

import io

import pytest
from rich.console import Console

from podium.games import load, names
from podium.games.loop import play_bots
from podium.model.budget import NO_LIMIT


def pictures(name, width=80):
    """The plain text of all pictures of a game between random bots, and its last scene."""
    game = load(name)
    referee = game.new_referee(3)
    console = Console(file=io.StringIO(), width=width, color_system=None)

    def watch(requests, answers):
        console.print(game.pictures.picture(game.scene_of(referee)))

    play_bots(referee, [game.kind("random").bot(seed=seat) for seat in range(game.seats)], NO_LIMIT, watch)
    return console.file.getvalue(), game.scene_of(referee)


@pytest.mark.compiled
@pytest.mark.parametrize("name", names())
def test_pictures_fit_and_cut_nothing(name):
    text, _ = pictures(name)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


@pytest.mark.compiled
def test_cards_have_their_ids_and_inventories_their_digits():
    text, scene = pictures("fall_challenge_2020")
    last = text[text.rindex("orders") :]
    for order in scene["counter"]:
        assert f"BREW {order['id']}" in last
        assert " ".join(map(str, order["needs"])) in last
    for spell in scene["tome"]:
        assert f"LEARN {spell['id']}" in last
    for player in scene["players"]:
        assert " ".join(map(str, player["inventory"])) in last
        for spell in player["spells"]:
            assert f"{spell['id']}: " in last
            assert (f"({spell['id']}: " not in last) == spell["ready"]


@pytest.mark.compiled
def test_light_is_seen_without_colours():
    text, _ = pictures("code_of_kutulu")
    rows = [row for row in text.splitlines() if row.startswith("██")]
    assert any(row[2 * x] == ":" for row in rows for x in range(len(row) // 2))
    assert ": light" in text


@pytest.mark.compiled
def test_the_last_wall_is_another_line_and_the_mover_is_named():
    text, scene = pictures("zuniq")
    assert text.count("═══") + text.count("║") == len(scene["moves"])
    assert "White to move" in text
    assert f"last wall {scene['moves'][-1]}; no wall is left" in text


@pytest.mark.compiled
def test_one_point_is_one_point():
    text, _ = pictures("wondev_woman")
    assert "points" in text
    assert " 1 points" not in text
