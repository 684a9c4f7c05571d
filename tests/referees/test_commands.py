"""The commands, with external referees."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from podium.cli import console
from podium.errors import AnnulledRunError, PodiumError
from podium.games import load
from podium.referees import external
from podium.referees.registry import VARIABLE
from podium.web.game_document import Replays, given_script
from podium.web.repository import Repository
from tests import commands

HERE = Path(__file__).parent
SESSIONS = HERE.parent / "recordings" / "sessions"


@pytest.fixture
def podium(tmp_path, monkeypatch):
    """Run a command in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(VARIABLE)  # and so it is put back, whatever a command sets
    monkeypatch.setattr(console.console, "width", 300)
    return commands.podium


def test_a_short_name_is_played_like_any_game(podium, script, bot):
    out = podium("referee", "add", "numbers", f"cmd:{script('fake.py', 'plain')}", "--set", "turns=2")
    assert "player 0 is sent 1 line, 1 wanted within 1000 ms" in out
    report = json.loads(podium("match", "numbers", bot(5), bot(3), "--games", 2, "--jobs", 1, "--json"))
    assert (report["games"], report["score"]) == (2, 1.0)
    shown = podium("show", "g1")
    assert "player 0 named 5" in shown
    assert "10 to 6 after 4 steps" in shown
    assert "1 game agrees" in podium("replay", "g1")
    data = json.loads(podium("show", "g1", "--json"))
    assert data["archive"]["summaries"]["2"] == "$0 named 5\n$1 named 3"
    assert "numbers" in podium("referee", "list")
    assert "fake.py plain" in podium("games")
    assert "│ numbers │" in podium("runs")
    podium("referee", "remove", "numbers")
    assert json.loads(podium("referee", "list", "--json"))["referees"] == {}


def test_a_game_can_be_shown_when_its_referee_is_gone(podium, script, bot, tmp_path):
    source = script("fake.py").split()[-1]
    own = tmp_path / "gone.py"
    own.write_text(Path(source).read_text())
    name = f"referee:cmd:{script('fake.py').replace(source, str(own))} plain:scene={tmp_path / 'draw.js'}"
    (tmp_path / "draw.js").write_text("")
    podium("match", name, bot(5), bot(3), "--games", 2, "--jobs", 1)
    (tmp_path / "draw.js").unlink()
    load.cache_clear()
    external._game.cache_clear()
    assert "player 0 named 5" in podium("show", "g1")
    assert "match r1 of gone.py plain" in podium("show", "r1")
    with pytest.raises(PodiumError, match=r"no file .*draw\.js"):
        podium("replay", "g1")


def test_short_names_are_kept_beside_the_store(podium, script, bot, tmp_path):
    (tmp_path / "deep").mkdir()
    store = tmp_path / "deep" / "games.db"
    podium("referee", "add", "far", f"cmd:{script('fake.py', 'plain')}", "--store", store)
    assert (tmp_path / "deep" / "referees.toml").is_file()
    report = json.loads(podium("match", "far", bot(5), bot(3), "--games", 2, "--jobs", 1, "--store", store, "--json"))
    assert report["games"] == 2


def test_a_referee_that_cannot_play_gets_no_name(podium, script, tmp_path):
    with pytest.raises(PodiumError, match=r"it cannot be played: the referee failed: .*boom"):
        podium("referee", "add", "bad", f"cmd:{script('fake.py', 'fail')}")
    assert not (tmp_path / "referees.toml").exists()


def test_another_number_of_players(podium, script, bot):
    name = f"referee:cmd:{script('fake.py', 'plain')}"
    report = json.loads(podium("match", name, bot(5), bot(3), "--players", 3, "--games", 6, "--jobs", 1, "--json"))
    assert (report["games"], report["score"]) == (6, 1.0)
    assert "15.0" in podium("play", name, bot(5), bot(3), bot(1), "--players", 3)


def test_a_game_of_our_own_has_its_own_number_of_players(podium):
    with pytest.raises(PodiumError, match="has 2 players, not 3"):
        podium("match", "zuniq", "random", "random", "--players", 3)


def test_exports(podium, script, bot):
    podium(
        "match",
        f"referee:cmd:{script('fake.py', 'lines')}",
        bot(5, "lines"),
        bot(3, "lines"),
        "--games",
        2,
        "--jobs",
        1,
    )
    assert "45" in podium("export", "r1", "--format", "csv")


def test_our_side_of_recorded_sessions_is_verified(podium):
    data = json.loads(podium("verify", "referee", SESSIONS / "uttt27.jsonl.gz", "--json"))
    assert (data["sessions"], data["differing"], data["first"]) == (13, 0, None)


def test_a_session_that_does_not_agree_is_shown(podium, tmp_path):
    with gzip.open(SESSIONS / "uttt27.jsonl.gz", "rt") as file:
        session = json.loads(file.readline())
    session["scores"] = [1, 2]
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(session))
    out = podium("verify", "referee", path, code=1)
    assert "scores" in out
    assert "[1, 2]" in out


@pytest.mark.parametrize(
    ("game", "name", "agree"), [("fall_challenge_2020", "fall2020", 12), ("code_of_kutulu", "kutulu", 13)]
)
def test_our_own_referees_follow_official_sessions_line_by_line(podium, tmp_path, game, name, agree):
    """All recorded sessions of the leagues whose rules we have, faults included."""
    path = tmp_path / "sessions.jsonl"
    with gzip.open(SESSIONS / f"{name}.jsonl.gz", "rt") as file:
        path.write_text("".join(line for line in file if json.loads(line)["league"] == 4))
    data = json.loads(podium("verify", game, path, "--json"))
    assert (data["games"], data["differing"], data["first"]) == (agree, 0, None)


def twin(game, *words):
    return f"referee:cmd:{sys.executable} {HERE / 'engine_twin.py'} {game} {' '.join(words)}"


def test_our_referee_is_compared_with_another_while_a_bot_plays(podium):
    data = json.loads(podium("verify", "zuniq", "--against", twin("zuniq"), "--games", 2, "--json"))
    assert (data["games"], data["differing"]) == (2, 0)
    assert data["positions"] > 20
    out = podium("verify", "zuniq", "--against", twin("zuniq", "lie"), "--games", 1, code=1)
    assert "'lie'" in out


def test_verify_needs_something_to_compare_with(podium):
    with pytest.raises(PodiumError, match="--against"):
        podium("verify", "zuniq")
    with pytest.raises(PodiumError, match="has 2 players"):
        podium("verify", "zuniq", "--against", twin("zuniq") + ":players=3", "--games", 1)


def test_a_class_in_python_plays_too(podium, script, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def bot(lines):\n    assert not lines[0].startswith('map') or len(lines) == 2, lines\n    return '4'\n"
    )
    name = f"referee:cmd:{script('fake.py', 'filler')}"
    report = json.loads(podium("match", name, "py:mine.py", "py:mine.py", "--games", 2, "--jobs", 1, "--json"))
    assert report["games"] == 2
    data = json.loads(podium("show", "g1", "--json"))
    assert data["scores"] == [12.0, 12.0]


def test_the_game_has_a_page(podium, script, bot, tmp_path):
    """Pages show the game from its transcript, and a scene.js of the user's draws it."""
    (tmp_path / "scene.js").write_text("export function draw() {}\n")
    name = f"referee:cmd:{script('fake.py', 'plain')}:scene={tmp_path / 'scene.js'}"
    podium("match", name, bot(5), bot(3), "--games", 2, "--jobs", 1)
    repository = Repository(Path("podium.db"))
    document = Replays(repository).document(1)
    assert document["rules"]["script"] == f"/scenes/given-{load(name).external.fingerprint}.js"
    assert given_script(repository, load(name).external.fingerprint) == tmp_path / "scene.js"
    assert given_script(repository, "x") is None
    assert document["turns"][2]["scene"]["summary"] == "$0 named 5\n$1 named 3"
    assert document["departure"] is None
    assert len(document["turns"]) == 7


def test_a_run_of_nothing_but_annulled_games_tells_the_reason_with_an_exit_code_of_its_own(script, tmp_path):
    name = f"referee:psyleague:{script('fake_psyleague.py', f'later:{tmp_path}/played')}"
    words = ["match", name, "cmd:/bin/true", "cmd:/bin/echo", "--games", "4", "--jobs", "1"]
    done = subprocess.run([sys.executable, "-m", "podium", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == AnnulledRunError.exit_code == 3
    assert "no game of r1 counts; g4 is annulled: the script should print `ranks` of 2 players" in done.stderr
