"""Replay files: every wrapping is read, the traps are avoided, what is no replay is named."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.pack.replay_files import read_replays, replay_paths
from tests.pack.replays import SHAPES, result_of, save

GAME = {
    "seed": -2410583558055565000,
    "turns": [{"player": 0, "output": ["REST"]}, {"player": 1, "output": ["CAST 80 hello"]}],
    "result": {"scores": [7.0, 9.0], "ranks": [2, 1]},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("zipped", [False, True])
def test_every_wrapping_is_read(tmp_path, shape, zipped):
    (replay,) = read_replays(save(tmp_path / "game.json", SHAPES[shape](result_of(GAME)), zipped=zipped))
    assert [(frame.seat, frame.stdout) for frame in replay.frames] == [(0, "REST\n"), (1, "CAST 80 hello\n")]
    assert replay.seed == GAME["seed"], "no float has touched it"
    assert (replay.names, replay.scores, replay.ranks) == (("ann", "bob"), (7.0, 9.0), (2, 1))
    assert replay.league == (4 if shape in ("information", "arena") else None)
    assert replay.title == ("Fall Challenge 2020" if shape in ("information", "both") else "")


def test_ranks_are_seats_in_order_of_finish(tmp_path):
    result = result_of(GAME) | {"scores": [381, 374, 495, 309], "ranks": [2, 0, 1, 3], "agents": []}
    (replay,) = read_replays(save(tmp_path / "a", result))
    assert replay.ranks == (2, 3, 1, 4)
    assert replay.names == ("player 0", "player 1", "player 2", "player 3")


def test_values_may_hold_blanks_and_the_seed_may_have_another_name(tmp_path):
    text = "map=10312 3389 11203\r\ngameSeed=1505308595771\r\npod_per_player=2\n"
    (replay,) = read_replays(save(tmp_path / "a", result_of(GAME) | {"refereeInput": text}))
    assert replay.parameters["map"] == "10312 3389 11203"
    assert replay.seed == 1505308595771
    (odd,) = read_replays(save(tmp_path / "a", result_of(GAME) | {"refereeInput": "seed=abc\n"}))
    assert odd.seed == 0


def test_who_plays_oneself_is_two_players(tmp_path):
    (replay,) = read_replays(save(tmp_path / "a", result_of(GAME, ["ann", "ann"])))
    assert replay.names == ("ann (0)", "ann (1)")


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ([{"gameId": 1, "done": True, "players": []}], "list of battles"),
        ({"code": "UNAUTHORIZED"}, "error of the site: UNAUTHORIZED"),
        ({"gameResult": {"uinput": [], "views": []}}, "local game runner"),
        ([], "empty list"),
        ({"success": None, "error": {"id": 5, "message": "Not found"}}, "error of the site: Not found"),
        ({name: value for name, value in result_of(GAME).items() if name != "ranks"}, "it has no ranks"),
        (result_of(GAME) | {"refereeInput": ""}, "has no seed"),
        ("text", "JSON str"),
        (result_of(GAME) | {"ranks": [1, 1]}, "order of finish"),
        (result_of(GAME) | {"frames": [{"agentId": 7}]}, "beyond the 2"),
        (result_of(GAME) | {"frames": [{"stdout": "x"}]}, "damaged replay"),
        (result_of(GAME) | {"agents": [{"index": 9}]}, "seat 9"),
        (result_of(GAME) | {"frames": [{"agentId": -7}]}, "beyond the 2"),
        (result_of(GAME) | {"scores": [float("nan"), 1]}, "no numbers"),
        (result_of(GAME) | {"scores": [10**400, 1]}, "damaged replay"),
        (SHAPES["arena"](result_of(GAME)) | {"seed": -2410583558055565000.0}, "last digits are lost"),
        (result_of(GAME) | {"refereeInput": "seed=-2.410583558055565E18\n"}, "last digits are lost"),
    ],
)
def test_what_is_no_replay_is_named(tmp_path, document, reason):
    with pytest.raises(PodiumError, match=reason):
        read_replays(save(tmp_path / "a.json", document))


def test_a_list_without_any_game_is_named_once(tmp_path):
    battles = [{"gameId": number, "done": True, "players": []} for number in range(30)]
    refused = []
    assert read_replays(save(tmp_path / "a.json", battles), refused.append) == []
    assert len(refused) == 1 and "list of battles" in str(refused[0])
    refused.clear()
    assert len(read_replays(save(tmp_path / "a.json", [*battles, result_of(GAME)]), refused.append)) == 1
    assert len(refused) == len(battles)


def test_a_league_that_is_no_number_is_unknown(tmp_path):
    for league, found in (("gold", None), (None, None), ("3", 3), (3, 3)):
        (replay,) = read_replays(save(tmp_path / "a.json", SHAPES["arena"](result_of(GAME)) | {"league": league}))
        assert replay.league == found


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda s: (
            st.lists(s)
            | st.dictionaries(
                st.sampled_from(
                    ["success", "gameResult", "frames", "scores", "ranks", "agents", "gameId", "seed", "agentId"]
                ),
                s,
            )
        ),
    )
)
def test_any_document_is_a_replay_or_a_sentence(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("any") / "a.json"
    path.write_text(json.dumps(document))
    try:
        read_replays(path)
    except PodiumError as error:
        assert "a.json" in str(error)


def test_damaged_files_and_folders(tmp_path):
    (tmp_path / "e.json").touch()
    for name, data in (("a.json", b"{"), ("b.json", b"\xff\xfe"), ("c.json.gz", b"\x1f\x8b123"), ("d.png", b"x")):
        (tmp_path / name).write_bytes(data)
    paths = list(replay_paths([tmp_path]))
    assert [path.name for path in paths] == ["a.json", "b.json", "c.json.gz", "e.json"]
    for path in paths:
        with pytest.raises(PodiumError, match=path.name.replace(".", r"\.")):
            read_replays(path)


def test_a_file_that_is_too_large_and_a_line_that_could_take_hours_are_refused(tmp_path, monkeypatch):
    game = save(tmp_path / "a.json.gz", result_of(GAME), zipped=True)
    monkeypatch.setattr("podium.pack.replay_files.LARGEST", 2**20)
    assert len(read_replays(game)) == 1
    game.write_bytes(gzip.compress(bytes(2**20 + 1)))
    with pytest.raises(PodiumError, match="more than 1 MB"):
        read_replays(game)
    (tmp_path / "log.txt").write_text("a - " * 20_000)
    with pytest.raises(PodiumError, match="no replay"):
        read_replays(tmp_path / "log.txt")
