"""The contest's own viewer, with the files of a made-up project; its page takes what the engine's page takes."""

import json
import shutil
import threading
import urllib.error
import urllib.request
import zipfile

import pytest

from podium.arena.store.stored_game import stored_game
from podium.arena.tournament.match import Match
from podium.cli.referee import viewer_of
from podium.errors import PodiumError
from podium.referees.transcript import Transcript
from podium.referees.viewer import ViewerServer, ViewFiles, engine_result
from tests.referees.conftest import needs_java


@pytest.fixture
def files(tmp_path):
    """A project with drawings, and the engine's page in a jar."""
    view = tmp_path / "src" / "main" / "resources" / "view"
    (view / "assets").mkdir(parents=True)
    (view / "config.js").write_text("export const modules = []\n")
    (view / "assets" / "hero.png").write_bytes(b"png")
    (view / "assets" / "sheet.json").write_text('{"meta": {"image": "hero.png"}, "frames": {}}')
    (tmp_path / "secret.txt").write_text("secret")
    jar = tmp_path / "target" / "runner.jar"
    jar.parent.mkdir()
    with zipfile.ZipFile(jar, "w") as made:
        made.writestr("view/test.html", "<html>the engine's page</html>")
        made.writestr("view/config.js", "export const modules = ['of the engine']\n")
        made.writestr("view/core/Drawer.js", "export class Drawer {}\n")
        made.writestr("com/codingame/Secret.class", "secret")
    return ViewFiles(tmp_path, [str(jar)])


@pytest.fixture
def fetch(files):
    """Fetch a file of a running viewer."""
    server = ViewerServer(files, {"scores": {"0": 5}})
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def get(path, **headers):
        request = urllib.request.Request(server.address.replace("test.html", path), headers=headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode(), answer.headers["Content-Type"]

    yield get
    server.shutdown()
    server.server_close()


def test_the_files_of_the_project_come_before_those_of_the_engine(fetch):
    assert fetch("test.html") == ("<html>the engine's page</html>", "text/html")
    assert fetch("") == fetch("test.html")
    assert fetch("config.js?x=1") == ("export const modules = []\n", "text/javascript")
    assert "Drawer" in fetch("core/Drawer.js")[0]
    assert fetch("demo.js")[0] == "export const demo = null;\n"


def test_the_result_and_the_list_of_pictures_are_made(fetch):
    assert json.loads(fetch("game.json")[0]) == {"scores": {"0": 5}}
    listed = json.loads(fetch("assets.js")[0].removeprefix("export const assets = "))
    assert listed == {"images": {"hero.png": "assets/hero.png"}, "sprites": ["assets/sheet.json"]}
    assert json.loads(fetch("assets/sheet.json")[0])["meta"]["image"] == "assets/hero.png"


@pytest.mark.parametrize("path", ["../secret.txt", "%2e%2e/secret.txt", "/etc/passwd", "com/codingame/Secret.class"])
def test_nothing_else_is_served(fetch, path):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(path)


def test_another_name_of_this_machine_leads_nowhere(fetch):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch("test.html", Host="attacker.example:80")


def test_a_referee_without_a_page_is_a_sentence(tmp_path):
    with pytest.raises(PodiumError, match=r"no view/test\.html is in the class path"):
        ViewerServer(ViewFiles(tmp_path, []), {})


def test_the_result_is_written_as_the_engine_writes_it():
    """Entry i of outputs and errors is of the step before frame i; the last frame comes with the scores."""
    transcript = Transcript(
        [(0, 0, 1000, "map"), (0, 1, 1000, "go"), (1, 2, 1000, "go")],
        {0: "", 3: "$0 won"},
        {3: [("Timeout!", 1)]},
        {0: '{"global":{}}', 3: '{"frame":1}'},
        ["seed=7"],
        "{}",
        (5.0, -1.0),
    )
    result = engine_result(transcript, ["a", "b"], ["", "MOVE", None], {1: "debug"})
    assert result["outputs"]["0"] == [None, None, "MOVE\n", None]
    assert result["outputs"]["1"] == [None, None, None, None]
    assert result["errors"]["0"] == [None, None, "debug", None]
    assert result["views"] == [
        'KEY_FRAME 0\n{"global":{}}',
        "INTERMEDIATE_FRAME 1",
        "INTERMEDIATE_FRAME 2",
        'KEY_FRAME 3\n{"frame":1}',
    ]
    assert result["summaries"] == ["", "", "", "$0 won"]
    assert result["tooltips"] == [{"turn": 3, "text": "Timeout!", "event": 1}]
    assert result["scores"] == {"0": 5, "1": -1}
    assert {len(result[name]["referee"]) for name in ("outputs", "errors")} == {len(result["views"])}


@needs_java
def test_a_stored_game_opens_in_the_viewer_of_its_jar(jar, script, tmp_path):
    own = tmp_path / "own.jar"
    shutil.copy(jar, own)
    with zipfile.ZipFile(own, "a") as opened:
        opened.writestr("view/test.html", "<html>player</html>")
    bots = [f"cmd:{script('number_bot.py')} {digit}" for digit in (5, 3)]
    with Match(f"referee:{own}", *bots, games=2, store=tmp_path / "podium.db") as match:
        match.play(jobs=1)
        store = match.session.store
        server = viewer_of(stored_game(store, store.game(1)))
        result = json.loads(server.content("game.json"))
        server.server_close()
    assert server.content("test.html") == b"<html>player</html>"
    assert result["scores"] == {"0": 15, "1": 9}
    assert result["outputs"]["0"][1] == "5\n"
    assert result["views"][0].startswith("KEY_FRAME 0\n")
    assert len(result["views"]) == len(result["summaries"]) == len(result["outputs"]["1"])
