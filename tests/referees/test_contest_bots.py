"""Bosses and starter AIs of a contest's repository are bots."""

import shutil
import subprocess

import pytest

from podium.arena.entrants.entrant import entrant
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.games import load
from podium.referees.contest_bots import command_of, contest_bot
from tests.referees.conftest import needs_java

NAMER = "while True:\n    input()\n    print({}, flush=True)\n"
JAVA = """
import java.util.Scanner;
class Helper { int number() { return 4; } }
public class Player {
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) { in.nextLine(); System.out.println(new Helper().number()); }
    }
}
"""
CPP = """
#include <iostream>
#include <string>
int main() { std::string line; while (getline(std::cin, line)) std::cout << 6 << std::endl; }
"""


@pytest.fixture
def project(tmp_path):
    config = tmp_path / "config"
    for level in ("level1", "level2"):
        (config / level).mkdir(parents=True)
    (config / "config.ini").write_text("min_players=2\nmax_players=2\ntype=multi\n")
    (config / "Boss.py").write_text(NAMER.format(1))
    (config / "level2" / "Boss.py").write_text(NAMER.format(2))
    (tmp_path / "starterAIs").mkdir()
    (tmp_path / "starterAIs" / "Starter.py").write_text(NAMER.format(3))
    return tmp_path


def answer(argv):
    return subprocess.run(argv, input="go\n", capture_output=True, text=True).stdout.split()[0]


@pytest.mark.parametrize(
    ("spec", "league", "number"),
    [
        ("boss:1", 0, "1"),
        ("boss:2", 0, "2"),
        ("boss", 2, "2"),
        ("boss", 0, "1"),
        ("starter:py", 0, "3"),
        ("starter", 0, "3"),
    ],
)
def test_they_are_found_by_league_and_language(project, spec, league, number):
    assert answer(contest_bot(project / "target" / "x.jar", league, spec)) == number


def test_others_are_a_sentence(project, tmp_path_factory):
    assert contest_bot(project, 0, "champion") is None
    with pytest.raises(PodiumError, match=r"unknown bot of .*'boss:3'; did you mean boss:"):
        contest_bot(project, 0, "boss:3")
    with pytest.raises(PodiumError, match="there is no folder `config` near"):
        contest_bot(tmp_path_factory.mktemp("empty") / "a" / "b" / "x.jar", 0, "boss")


@needs_java
def test_a_boss_in_java_is_compiled_once_whatever_its_class_is_called(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "Boss.java").write_text(JAVA)
    assert answer(command_of(tmp_path / "Boss.java")) == "4"
    monkeypatch.setattr("podium.referees.contest_bots.subprocess.run", None)
    assert command_of(tmp_path / "Boss.java")[-1] == "Player"


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_boss_in_cpp(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "Boss.cpp").write_text(CPP)
    assert answer(command_of(tmp_path / "Boss.cpp")) == "6"
    (tmp_path / "Boss.cpp").write_text("int main( {")
    with pytest.raises(PodiumError, match="cannot be compiled"):
        command_of(tmp_path / "Boss.cpp")


@needs_java
def test_they_play_in_a_match(project, jar):
    (project / "target").mkdir()
    shutil.copy(jar, project / "target" / "x.jar")
    name = f"referee:{project}:league=2"
    assert entrant(load(name), "boss:2").argv[-1].endswith("level2/Boss.py")
    with Match(name, "starter:py", "boss:2", games=2, store=project / "podium.db") as match:
        assert match.play(jobs=1).score == 1.0
