"""Settings of games are typed and bounded like the parameters of bots, wherever they come from."""

import pytest

from podium.errors import PodiumError
from podium.games import load


def test_texts_become_what_the_setting_is():
    wondev = load("wondev_woman")
    assert wondev.read_settings({"symmetric": "false", "mapIndex": "2"}) == {"symmetric": False, "mapIndex": 2}
    asymmetric = wondev.new_referee(5, {"symmetric": "false"})
    assert bytes(asymmetric.state) == bytes(wondev.new_referee(5).state)
    assert bytes(asymmetric.state) != bytes(wondev.new_referee(5, {"symmetric": "true"}).state)


def test_what_is_not_given_is_left_to_the_seed():
    kutulu = load("code_of_kutulu")
    assert kutulu.read_settings({"map": None}) == {}
    assert kutulu.read_settings({"map": "typhoon"}) == {"map": "Typhoon"}
    assert len({int(kutulu.new_referee(seed * 0x9E3779B97F4A7).state.maze) for seed in range(20)}) > 3


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("wondev_woman", {"mapIndex": "x"}, "mapIndex needs a whole number, not 'x'"),
        ("wondev_woman", {"mapIndex": "1.5"}, "needs a whole number"),
        ("wondev_woman", {"mapIndex": "9" * 5000}, "needs a whole number"),
        ("wondev_woman", {"mapIndex": "1" + 30 * "0"}, "mapIndex must be at most 1,000,000,000, not 1000"),
        ("wondev_woman", {"symmetric": "maybe"}, "on or off expected"),
        ("wondev_woman", {"symetric": "on"}, "did you mean symmetric"),
        ("code_of_kutulu", {"map": "Tyhpoon"}, "did you mean Typhoon"),
        ("fall_challenge_2020", {"league": 1}, "league must be from 3"),
        ("zuniq", {"league": 1}, "unknown setting of zuniq"),
    ],
)
def test_what_a_setting_cannot_be_is_a_sentence(game, settings, message):
    with pytest.raises(PodiumError, match=message):
        load(game).new_referee(1, settings)


def test_a_recording_tells_more_than_settings():
    assert load("wondev_woman").settings_among({"mapIndexUsed": 1, "mapIndex": 7}) == {"mapIndex": 7}
