"""A project file: its game, store, limits and bots; revisions of a bot, checked out and built aside."""

import json
import os
import signal
import subprocess
import sys

import pytest

from podium.arena.entrants.project import find_project, resolved
from podium.errors import PodiumError
from tests.processes import wait_until

BOT = """#!{python} -SE
import sys
for line in sys.stdin:
    if line.startswith("turn"):
        print({number}, flush=True)
"""


def git(folder, *words):
    identity = ("-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def write(folder, number, build="cp bot.in mybot && chmod +x mybot"):
    (folder / "bot.in").write_text(BOT.format(python=sys.executable, number=number))
    (folder / "podium.toml").write_text(
        f"""
        game = "duel"
        store = "games.db"
        bot = "mine"
        [limits]
        time = 2000
        jobs = 1
        [bots]
        six = "namer:number=6"
        mine = {{ run = "cmd:./mybot", build = "{build}" }}
        """
    )


@pytest.fixture
def repository(tmp_path):
    """A project in a repository with two revisions; the second one names a higher number."""
    git(tmp_path, "init")
    (tmp_path / ".gitignore").write_text("mybot\ngames.db*\n")
    for number in (3, 7):
        write(tmp_path, number)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-m", f"names {number}")
    return tmp_path


def test_names_are_enough(podium, repository, monkeypatch):
    report = json.loads(podium("match", "mine", "six", "--games", 4, "--json"))
    assert (report["game"], report["bots"], report["time"]) == ("duel", ["mine", "six"], 2000)
    assert (repository / "games.db").exists()
    assert (repository / "mybot").exists(), "it was built"
    (repository / "below").mkdir()
    monkeypatch.chdir(repository / "below")
    assert json.loads(podium("runs", "--json"))["runs"][0]["run"] == "r1", "the file is found from below"
    assert json.loads(podium("match", "duel", "six", "namer", "--games", 2, "--json", "--nodes", 1))["nodes"] == 1
    assert json.loads(podium("league", "mine", "six", "--rounds", 1, "--json"))["kind"] == "league"


def test_a_revision_is_built_aside_and_played(podium, repository):
    words = ("match", "mine", "git:HEAD~1", "--games", 4)
    report = json.loads(podium(*words, "--json"))
    commit = subprocess.check_output(["git", "rev-parse", "HEAD~1"], cwd=repository, text=True)[:10]
    assert report["bots"] == ["mine", f"mine-{commit}"]
    folder = repository / "games.db-builds" / commit
    assert "print(3" in (folder / "mybot").read_text()
    assert "print(7" in (repository / "mybot").read_text(), "the working tree is left alone"
    copies = [each for each in (repository / "games.db-bots").iterdir() if each.name != "content"]
    assert len(copies) == 2, "they are archived"
    built = (folder / "mybot").stat().st_mtime_ns
    assert json.loads(podium(*words, "--json"))["run"] == report["run"], "the same revision is the same bot"
    assert (folder / "mybot").stat().st_mtime_ns == built, "it is built once"
    assert subprocess.check_output(["git", "status", "--porcelain"], cwd=repository) == b""
    named = json.loads(podium("match", f"mine-{commit}", "six", "--games", 2, "--json"))
    assert named["bots"][0] == f"mine-{commit}", "a revision is a version of the store"


def test_pins_know_the_bots_of_the_project(podium, repository):
    podium("match", "mine", "six", "--games", 2)
    game = next(g for g in ("g1", "g2") if json.loads(podium("show", g, "--json"))["answers"][0]["line"] == "7")
    podium("pin", game, "--turn", 1, "--seat", 0)
    options = ("--time", 2000, "--game", "duel")
    assert "mine passes 0 of 1 pins" in podium("pins", "mine", *options, code=1)
    assert "passes 1 of 1 pins" in podium("pins", "git:HEAD~1", *options), "it names 3 there"


def test_a_failing_build_shows_its_last_lines_and_leaves_nothing(podium, repository):
    write(repository, 5, build="echo compiling; echo error in line 7 >&2; exit 3")
    git(repository, "commit", "-am", "broken")
    for bot in ("mine", "git:HEAD"):
        with pytest.raises(PodiumError, match=r"ended with status 3:\n  compiling\n  error in line 7$"):
            podium("match", "six", bot, "--games", 2)
    builds = repository / "games.db-builds"
    assert [each.name for each in builds.iterdir() if each.is_dir()] == []
    assert not (repository / "games.db").exists()


def test_a_game_is_played_by_bots_of_the_project(podium, repository):
    for bot in ("mine", "git:HEAD~1"):
        (game,) = json.loads(podium("play", bot, "six", "--json"))["games"]
        assert game["bots"][0].startswith("mine")
    assert json.loads(podium("play", "duel", "six", "namer", "--json"))["games"][0]["bots"] == ["six", "namer"]


def test_near_names_are_those_of_the_project_too(podium, repository):
    with pytest.raises(PodiumError, match=r"unknown bot of duel and podium.toml 'mnie'; did you mean mine\?"):
        podium("match", "mnie", "six", "--games", 2)


def test_a_bot_alone_gets_a_sentence(podium, repository):
    with pytest.raises(PodiumError, match="a match has two bots, not 1: mine"):
        podium("match", "mine")
    (repository / "podium.toml").unlink()
    with pytest.raises(PodiumError, match="expected a game, then its bots"):
        podium("match", "mine")


def test_hints_leave_out_the_store_of_the_project(podium, repository):
    assert "podium watch r1\n" in podium("match", "six", "namer", "--games", 2)
    assert "podium watch r1 --store other.db\n" in podium("match", "six", "namer", "--games", 2, "--store", "other.db")


def test_a_name_given_later_is_used_everywhere(podium, repository):
    podium("match", "namer:number=5", "namer:number=6", "--games", 2)
    podium("match", "old=namer:number=5", "namer:number=4", "--games", 2)
    assert podium("show", "r1").splitlines()[0].endswith("old vs namer:number=6")


def test_a_failing_build_without_output_says_so(podium, repository):
    write(repository, 5, build="exit 3")
    with pytest.raises(PodiumError, match=r"ended with status 3 and printed nothing$"):
        podium("match", "six", "mine", "--games", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("git:no-such-thing", "has no revision 'no-such-thing'"),
        ("git:--help", "has no revision '--help'"),
        ("git:HEAD:nine", r"unknown bot of .*podium.toml 'nine'; did you mean mine\?"),
    ],
)
def test_mistakes_in_revisions_get_a_sentence(podium, repository, text, message):
    with pytest.raises(PodiumError, match=message):
        podium("match", "six", text, "--games", 2)


def test_a_revision_needs_a_repository_and_a_project(podium, tmp_path):
    with pytest.raises(PodiumError, match=r"needs a project file podium.toml here or above"):
        podium("match", "duel", "namer", "git:HEAD", "--games", 2)
    write(tmp_path, 5)
    with pytest.raises(PodiumError, match="is in no git repository"):
        podium("match", "six", "git:HEAD", "--games", 2)
    (tmp_path / "podium.toml").write_text('[bots]\nsix = "namer:number=6"\n')
    with pytest.raises(PodiumError, match=r"expected a game, then its bots"):
        podium("match", "six", "six")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = 5", "game is a text, not 5"),
        ("gme = 'duel'", "unknown key in .*podium.toml 'gme'; did you mean game"),
        ("[bots]\nmine = 3", 'mine is written "BOT" or'),
        ("[bots]\nmine = { run = 'cmd:x', biuld = 'make' }", 'mine is written "BOT" or'),
        ("[bots]\n'1' = 'namer'", "'1' is no name of a bot"),
        ("[limits]\ntiem = 5", "unknown limit in .* 'tiem'; did you mean time"),
        ("[limits]\ntime = 'soon'", r"podium.toml: time needs a number, not 'soon'"),
        ("[limits]\nstore = 'x.db'", "store is an option of a command"),
        ("game =", "cannot read .*podium.toml"),
    ],
)
def test_mistakes_in_the_file_get_a_sentence(podium, tmp_path, text, message):
    (tmp_path / "podium.toml").write_text(text)
    with pytest.raises(PodiumError, match=message):
        podium("match", "duel", "namer", "namer:number=6", "--games", 2)


def test_resolving_twice_changes_nothing(podium, repository):
    once = resolved("mine", repository / "games.db")
    assert once == f"mine=cmd:{repository}/mybot"
    assert resolved(once, repository / "games.db") == once
    assert find_project().main_bot().name == "mine"


def test_an_interrupted_build_leaves_nothing(repository):
    """Ctrl-C in the middle of a build: its processes are gone, and so is the folder of the revision."""
    write(repository, 5, build="echo $$ > ../started; sleep 100; true")
    git(repository, "commit", "-am", "slow")
    script = "from podium.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", script, "match", "zuniq", "random", "git:HEAD"],
        cwd=repository,
        stderr=subprocess.PIPE,
        text=True,
    )
    builds = repository / "games.db-builds"
    wait_until(lambda: (builds / "started").exists() and (builds / "started").read_text().strip())
    builder = int((builds / "started").read_text())
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in told
    assert [each.name for each in builds.iterdir() if each.is_dir()] == []
    wait_until(lambda: not is_alive(builder))


def is_alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_store_of_the_environment(tmp_path):
    environment = {**os.environ, "PODIUM_STORE": str(tmp_path / "mine.db")}
    (tmp_path / "podium.toml").write_text('store = "other.db"\n')
    code = "import podium; from podium.arena.store.store import DEFAULT_STORE; print(podium.STORE, DEFAULT_STORE)"
    words = [sys.executable, "-P", "-c", code]
    assert subprocess.check_output(words, env=environment, text=True).split() == [str(tmp_path / "mine.db")] * 2
    words = [sys.executable, "-P", "-m", "podium", "runs"]
    done = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "there is no store" in done.stderr
    assert "mine.db" in done.stderr
