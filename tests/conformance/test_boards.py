"""What pages show of a game and let people do in it, for every game that offers it."""

import json

import pytest

from podium.arena.game.play import TimeControl, play_game
from podium.games import load, names
from podium.games.game import Answer
from podium.games.overlays import MOST_ATTRIBUTES, read_attributes, read_drawings
from podium.kernel.random import draw_below, generator

GAMES = names()
MOST_TURNS = 400


@pytest.mark.parametrize("name", GAMES)
def test_a_game_played_by_choices_alone_has_no_faults(name):
    game = load(name)
    referee, random = game.new_referee(5), generator(5)
    for _ in range(MOST_TURNS):
        requests = referee.requests()
        if not requests:
            break
        answers = []
        for request in requests:
            choices = game.choices_of(referee, request.seat)
            assert len({choice.answer for choice in choices}) == len(choices) > 0
            answers.append(Answer(choices[draw_below(random, len(choices))].answer))
        referee.answer(answers)
    assert referee.outcome is not None
    assert referee.outcome.faults == ()


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_sees_is_plain_data_and_changes_nothing(name):
    game = load(name)
    if game.pictures.seen is None:
        pytest.skip(f"nothing is hidden in {game.title}")
    referee = game.new_referee(3)
    for _ in range(8):
        before = game.scene_of(referee)
        for seat in range(game.seats):
            scene = game.scene_of(referee, seat)
            assert json.loads(json.dumps(scene)) == scene
            assert set(before) <= set(scene), "scene.js draws a seat's scene like the full one"
        assert game.scene_of(referee) == before
        referee.answer([Answer(game.choices_of(referee, r.seat)[-1].answer) for r in referee.requests()])


@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_a_champion_s_thoughts_are_drawn_on_spots(name):
    game = load(name)
    referee = game.new_referee(2)
    bots = [game.kind("champion").bot(seed=seat) for seat in range(game.seats)]
    scenes, overlays = [game.scene_of(referee)], set()

    def watch(turn):
        if turn.thoughts is not None:
            sketch = game.pictures.sketch(scenes[-1], turn.request.seat, turn.thoughts)
            assert json.loads(json.dumps(sketch)) == sketch
            overlays.update(overlay for overlay, drawings in sketch.items() if drawings)
        scenes.append(game.scene_of(referee))

    play_game(referee, bots, TimeControl(nodes=50), watch)
    assert "line" in overlays


def test_lines_on_standard_error_become_drawings():
    drawings, value = read_drawings(
        "thinking\n@podium text 3,2 hello there\n@podium mark 0.5 3,2 4,2\n@podium line 1,1 1,2 / way home\n"
        "@podium mark BREW_45\n@podium value 0.25\n@podium value nonsense\n@podium dance\n@podium line 1,1\n@podium\n"
    )
    assert drawings == [
        {"form": "text", "at": "3,2", "text": "hello there"},
        {"form": "mark", "at": ["3,2", "4,2"], "weight": 0.5},
        {"form": "line", "at": ["1,1", "1,2"], "text": "way home"},
        {"form": "mark", "at": ["BREW 45"], "weight": 1.0},
    ]
    assert value == 0.25


def test_a_flood_of_drawings_is_bounded():
    drawings, value = read_drawings("@podium mark " + "1,1 " * 100_000 + "\n" + "@podium text 1,1 x\n" * 10_000)
    assert len(drawings) == 500
    assert len(drawings[0]["at"]) == 200
    assert value is None
    assert read_drawings("@podium value 1e999")[1] is None


def test_bots_give_names_to_values():
    said = "hello\n@podium set walls 12\npodium set plan rush the left \n@podium set walls 13\npodium set\npodium set x"
    assert read_attributes(said) == {"walls": 13.0, "plan": "rush the left"}
    assert read_attributes("@podium set a 1e999\n@podium set b nan\n setpodium set c 1") == {"a": "1e999", "b": "nan"}
    many = "".join(f"podium set n{number} {number}\n" for number in range(1000)) + "podium set n3 -1\n"
    assert len(read_attributes(many)) == MOST_ATTRIBUTES
    assert read_attributes(many)["n3"] == -1.0
    assert read_attributes(f"podium set {'n' * 41} 1\npodium set long {'x' * 100}") == {"long": "x" * 40}
