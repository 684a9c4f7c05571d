"""Bots with names of their own, and copies of programs that play on when the original is overwritten."""

import json
import sys

import pytest

from podium.arena.entrants.bot_names import bot_kind, given_name
from podium.arena.entrants.entrant import Entrant, entrant, entrants_of, label_of
from podium.arena.game.record import unpack
from podium.arena.store.archive import Archive
from podium.arena.tournament.league import League
from podium.arena.tournament.match import Match
from podium.errors import PodiumError, UnknownNameError


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


@pytest.fixture
def program(tmp_path):
    """Write a program that always names one number, with a helper that it imports; its command."""
    folder = tmp_path / "mine"
    folder.mkdir()

    def write(number):
        (folder / "numbers_of_mine.py").write_text(f"NUMBER = {number}\n")
        (folder / "bot.py").write_text(
            "import sys\nfrom numbers_of_mine import NUMBER\n\n"
            "for line in sys.stdin:\n"
            "    if line.startswith('turn'):\n        print(NUMBER, flush=True)\n"
        )
        return f"cmd:{sys.executable} -S -E {folder / 'bot.py'}"

    return write


TERMS = {"time": 20_000, "thoughts": False}


def test_a_script_is_made_of_what_it_imports_from_its_folder(toys, program):
    first = entrant(toys("duel"), program(3))
    assert entrant(toys("duel"), program(4)).fingerprint != first.fingerprint
    assert entrant(toys("duel"), program(3)).fingerprint == first.fingerprint


def test_an_overwritten_version_plays_on_from_its_copy(toys, program, tmp_path):
    """Of the league's three bots the first two are the same file at different times."""
    store = tmp_path / "s.db"
    with League("duel", [f"v1={program(3)}", "namer:number=4,noise=0"], rounds=1, store=store, **TERMS) as league:
        league.play(jobs=1)
    with League("duel", [f"v2={program(7)}"], rounds=1, store=store, **TERMS) as league:
        report = league.play(jobs=1)
    assert [row.bot for row in report.ratings] == ["v2", "namer:number=4,noise=0", "v1"]
    assert not any(row.retired for row in report.ratings)
    assert report.games == 6
    with pytest.raises(PodiumError, match="v1 is the name of another bot of this league"):
        League("duel", [f"v1={program(8)}"], store=store, **TERMS)
    with Match("duel", "v1", "v2", games=2, store=store, **TERMS) as match:
        report = match.play(jobs=1)
        record = unpack(match.session.store.record(7))
    assert (report.bots, report.lost) == (("v1", "v2"), 2)
    assert record.lines[:2] == ["3", "7"]


def test_without_an_archive_an_overwritten_program_is_retired(toys, program, tmp_path):
    options = {"rounds": 1, "store": tmp_path / "s.db", "archive": False, **TERMS}
    with League("duel", [f"v1={program(3)}", "namer:number=4,noise=0"], **options) as league:
        league.play(jobs=1)
    with League("duel", [f"v2={program(7)}"], **options) as league:
        report = league.play(jobs=1)
    assert [row.bot for row in report.ratings if row.retired] == ["v1"]
    with pytest.raises(PodiumError, match=r"v1 .* is not what it was when it played, and no copy was kept"):
        Match("duel", "v1", "namer", store=tmp_path / "s.db")


def test_a_version_plays_on_though_its_file_changes_in_the_middle_of_a_match(toys, program, tmp_path):
    def overwrite(match):
        if match.tally.finished == 2:
            program(9)

    options = {"games": 6, "store": tmp_path / "s.db", "archive": True, **TERMS}
    with Match("duel", program(3), "namer:noise=0", **options) as match:
        match.play(jobs=1, progress=overwrite)
        answers = [unpack(match.session.store.record(number)).lines for number in range(1, 7)]
    assert all("3" in lines and "9" not in lines for lines in answers)


def test_versions_share_what_they_have_in_common(toys, program, tmp_path):
    archive = Archive(tmp_path / "s.db")
    for number in (3, 4):
        archive.adopt(entrant(toys("duel"), program(number)), lambda copy: None)
    kept = list((archive.folder / "content").iterdir())
    assert len(kept) == 3  # the script, and two files of numbers
    script = next(path for path in kept if b"import" in path.read_bytes())
    assert script.stat().st_nlink == 3


def test_words_of_all_kinds_name_the_copy(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classes").mkdir()
    for name in ("bot", "weights.bin", "lib.jar", "classes/Bot.class"):
        (tmp_path / name).write_text(name)
    (tmp_path / "bot").chmod(0o755)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/all.csv").touch()
    (tmp_path / "data/part.py").touch()
    who = entrant(toys("duel"), "cmd:./bot --net=weights.bin -cp lib.jar:classes --seed {seed} data")
    archive = Archive("s.db")
    copy, reason = archive.adopt(who, lambda copy: None)
    inside = f"{archive.folder / who.fingerprint / 'files'}{tmp_path}"
    assert reason == ""
    assert copy.argv == (
        f"{inside}/bot",
        f"--net={inside}/weights.bin",
        "-cp",
        f"{inside}/lib.jar:{inside}/classes",
        "--seed",
        "{seed}",
        "data",  # a folder with more than programs load: it stays
    )
    assert copy.fingerprint == who.fingerprint
    monkeypatch.chdir("/")
    assert archive.recall(who) == copy
    (archive.folder / who.fingerprint / f"files{tmp_path}/weights.bin").chmod(0o644)
    (archive.folder / who.fingerprint / f"files{tmp_path}/weights.bin").write_text("damaged")
    assert archive.recall(who) is None


def test_what_is_installed_is_not_copied_and_must_stay_what_it_is(toys, program, tmp_path, monkeypatch):
    archive = Archive(tmp_path / "s.db")
    who = entrant(toys("duel"), program(3))
    copy, _ = archive.adopt(who, lambda copy: None)
    assert copy.argv[0] == who.argv[0]
    note = archive.folder / who.fingerprint / "version.json"
    data = json.loads(note.read_text())
    assert list(data["installed"]) == [who.argv[0]]
    data["installed"][who.argv[0]] = "another interpreter"
    note.write_text(json.dumps(data))
    assert archive.recall(who) is None


def test_a_program_whose_copy_cannot_play_plays_where_it_is(toys, tmp_path):
    """It reads a file beside itself that nobody can know of."""
    (tmp_path / "secret").write_text("7")
    script = tmp_path / "bot.py"
    script.write_text(
        "import pathlib, sys\nnumber = (pathlib.Path(__file__).parent / ('sec' + 'ret')).read_text()\n"
        "for line in sys.stdin:\n    if line.startswith('turn'):\n        print(number, flush=True)\n"
    )
    options = {"games": 2, "store": tmp_path / "s.db", "archive": True, **TERMS}
    with Match("duel", f"v1=cmd:{sys.executable} -S -E {script}", "namer", **options) as match:
        report = match.play(jobs=1)
    assert report.won == 2
    assert "v1 plays where it is, and is not kept in case it changes" in report.warnings[0]


def test_a_python_file_is_kept_with_what_it_imports(toys, tmp_path):
    (tmp_path / "my_numbers.py").write_text("NUMBER = '3'\n")
    (tmp_path / "my_bot.py").write_text("from my_numbers import NUMBER\n\n\ndef bot(lines):\n    return NUMBER\n")
    duel = toys("duel")
    who = entrant(duel, f"v1=py:{tmp_path / 'my_bot.py'}")
    archive = Archive(tmp_path / "s.db")
    copy, _ = archive.adopt(who, lambda copy: None)
    (tmp_path / "my_numbers.py").write_text("NUMBER = '4'\n")
    assert entrant(duel, who.name).fingerprint != who.fingerprint
    again = archive.recall(Entrant(who.name, who.fingerprint))
    assert again == copy
    assert again.python.folder.startswith(str(archive.folder))


def test_a_bot_named_twice_takes_part_once(toys, tmp_path):
    options = {"rounds": 1, "store": tmp_path / "s.db", "nodes": 1}
    for bots in (["six=namer:number=6", "namer:number=6", "namer"], ["namer:number=6", "six=namer:number=6", "namer"]):
        with League("duel", bots, against="namer:number=6", **options) as league:
            assert {who.label for who in league.session.entrants.values()} == {"six", "namer"}
    with pytest.raises(PodiumError, match="a and b are the same bot: give it one name"):
        League("duel", ["a=namer", "b=namer"], **options)


PACKED_NAMER = (  # a packed bot takes options, which the number of this one does not depend on
    "import sys\nassert '--seed' in sys.argv and '--nodes' in sys.argv\n"
    "for line in sys.stdin:\n    if line.startswith('turn'):\n        print(6, flush=True)\n"
)


@pytest.fixture
def edited(monkeypatch):
    """Change what the bots of games are made of, as an edited source does."""

    def edit():
        monkeypatch.setattr("podium.arena.entrants.entrant.sources", lambda *made_of: "edited")

    return edit


def test_a_bot_of_a_game_plays_on_from_its_packed_file(toys, tmp_path, edited):
    """The packer gets the name of the bot; the bot plays itself until it changes, and then there are two."""
    packed = []

    def packer(game, bot, file):
        packed.append((game, bot))
        file.write_text(PACKED_NAMER)

    options = {"rounds": 1, "store": tmp_path / "s.db", "nodes": 1, "archive": True, "packer": packer}
    with League("duel", ["namer:number=6,noise=0", "v1=namer:number=2,noise=0"], **options) as league:
        league.play(jobs=1)
        old = {who.label: who for who in league.session.entrants.values()}
    assert packed == [("duel", "namer:number=6,noise=0"), ("duel", "namer:number=2,noise=0")]
    assert not any(who.is_program for who in old.values())
    edited()
    name = f"namer-{old['namer:number=6,noise=0'].fingerprint[:6]}"
    with League("duel", ["namer:number=6,noise=0"], **options) as league:
        report = league.play(jobs=1)
        now = {who.label: who for who in league.session.entrants.values()}
    assert {row.bot for row in report.ratings} == {"namer:number=6,noise=0", name, "v1"} == {*now}
    assert not any(row.retired for row in report.ratings)
    assert now[name].fingerprint == old["namer:number=6,noise=0"].fingerprint
    assert now[name].takes_limits and now["v1"].takes_limits and now["namer:number=6,noise=0"].kind
    with Match("duel", name, "v1", games=2, nodes=1, store=tmp_path / "s.db") as match:
        assert match.play(jobs=1).bots == (name, "v1")


def test_an_unknown_version_is_answered_with_near_names(toys, tmp_path):
    store = tmp_path / "s.db"
    with League("duel", ["early=namer", "namer:number=6"], rounds=1, nodes=1, store=store) as league:
        league.play(jobs=1)
    with pytest.raises(UnknownNameError, match="unknown bot of duel 'earlier'; did you mean early"):
        Match("duel", "earlier", "namer", store=store)
    with pytest.raises(UnknownNameError, match="did you mean early"):
        League("duel", ["earlie", "namer"], store=store)


def test_a_bot_that_cannot_be_packed_plays_and_is_not_kept(toys, tmp_path, edited):
    def packer(game, bot, file):
        raise PodiumError("it has a closure")

    options = {"rounds": 1, "store": tmp_path / "s.db", "nodes": 1, "archive": True, "packer": packer}
    with League("duel", ["namer", "v1=namer:number=2,noise=0"], **options) as league:
        report = league.play(jobs=1)
    assert "namer plays, and is not kept in case it changes: it has a closure" in report.warnings
    edited()
    with pytest.raises(PodiumError, match=r"v1 .* is not what it was when it played, and no copy was kept"):
        Match("duel", "v1", "namer", store=tmp_path / "s.db")
