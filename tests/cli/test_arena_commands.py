"""The commands, from the outside."""

import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import podium.games
from podium.arena.store.store import Store
from podium.errors import PodiumError
from tests.processes import as_in_a_terminal, wait_until

BASE = ("--jobs", 1, "--nodes", 1)


def test_a_match_says_who_is_stronger(podium):
    text = podium("match", "duel", "namer:number=6", "namer:number=4", "--games", 40, *BASE)
    assert "namer:number=6 is stronger than namer:number=4: " in text
    for word in ("LOS", "normalized Elo", "pairs", "endings", "in seat 1"):
        assert word in text
    report = json.loads(podium("match", "duel", "namer:number=6", "namer:number=4", "--games", 40, "--json", *BASE))
    assert report["games"] == 40
    assert report["remaining_games"] == 0


def test_a_match_says_where_to_look_for_reasons(podium):
    """The last game that each bot lost, where a bot of the game can say why; another store is named."""
    text = podium("match", "duel", "namer:number=6", "namer:number=4", "--games", 4, "--store", "my games.db", *BASE)
    assert "watch the games: podium watch r1 --store 'my games.db'\n" in text
    assert "podium review" not in text, "no champion could review a game of this one"
    text = podium("match", "zuniq", "random", "random:claim=on", "--games", 2, *BASE)
    with Store(Path("podium.db"), create=False) as store:
        losers = {
            store.bots(store.run(1))[game.bots[game.ranks.index(2)]].label: game.id
            for game in store.games(store.run(1))
        }
    for bot, game in losers.items():
        assert f"review the last loss of {bot}: podium review g{game}\n" in text


def test_a_match_goes_on_with_more_games(podium):
    for games in (10, 30):
        report = json.loads(podium("match", "duel", "namer", "namer:noise=3", "--games", games, "--json", *BASE))
        assert (report["run"], report["finished"]) == ("r1", games)


def test_a_test_decides(podium):
    words = ("match", "duel", "namer:number=6", "namer:number=4", "--sprt", 0, 50, "--json", *BASE)
    report = json.loads(podium(*words))
    assert report["sprt"]["accepted"] == "H1"
    assert report["sentence"].startswith("namer:number=6 is stronger than namer:number=4: ")
    shown = json.loads(podium("show", "r1", "--json"))
    assert shown["sprt"] == report["sprt"]
    assert shown["games"] == report["games"]


def test_four_seats(podium):
    report = json.loads(podium("match", "table", "namer:number=6", "namer", "--games", 13, "--json", *BASE))
    assert report["games"] == 18
    assert report["games_per_block"] == 6
    report = json.loads(
        podium("match", "table", "namer:number=6", "namer", "--games", 8, "--sharing", "one", "--json", *BASE)
    )
    assert report["games_per_block"] == 4


def test_a_handicap_makes_another_run(podium):
    podium("match", "duel", "namer", "namer:noise=3", "--games", 2, *BASE)
    report = json.loads(
        podium("match", "duel", "namer", "namer:noise=3", "--games", 2, "--handicap", "2=0.5", "--json", *BASE)
    )
    assert report["run"] == "r2"
    assert report["bots"] == ["namer", "namer:noise=3 (x0.5)"]


def test_faults_are_counted_shown_and_warned_of(podium, mock):
    words = ("match", "duel", mock("crash", 2), "namer", "--games", 2, "--jobs", 1, "--time", 20_000)
    text = podium(*words)
    assert "crashed 2" in text
    assert "was disqualified in 2 of 2 games: crashed (see g1: ended with status 1)" in text
    assert re.search(r"^disqualified, .* +crashed 2 *$", text, re.MULTILINE)
    shown = podium("show", "g1")
    assert "g1" in podium("show", "r1", "--fault", "any").split()
    assert len(json.loads(podium("show", "r1", "--fault", "crashed", "--json"))["last_games"]) == 2
    assert json.loads(podium("show", "r1", "--fault", "late", "--json"))["last_games"] == []
    with pytest.raises(PodiumError, match="did you mean crashed"):
        podium("show", "r1", "--fault", "crash")
    assert "| ZeroDivisionError" in shown
    assert "crashed: ended with status 1" in shown
    assert "ms of processor time" in shown


def test_repeated_games_are_warned_of(podium):
    words = ("--games", 20, "--set", "secret=on")  # the game is the same for all seeds
    text = podium("match", "duel", "namer:noise=0", "namer:noise=0,number=4", *words, *BASE)
    assert "only 2 of 20 games are different" in text


def test_a_league_goes_on_with_more_bots(podium):
    first = json.loads(podium("league", "duel", "namer:number=4", "namer:number=6", "--rounds", 5, "--json", *BASE))
    assert first["games"] == 10
    second = json.loads(podium("league", "duel", "namer:number=8", "--rounds", 5, "--json", *BASE))
    assert second["run"] == first["run"]
    assert second["games"] == 30
    assert [row["bot"][-1] for row in second["ratings"]] == ["8", "6", "4"]
    assert second["cross"][0][0] is None
    assert second["cross"][0][2] > 0.9
    assert "namer:number=8 is the strongest" in podium("show", "r1")


def test_gauntlet_and_ladder(podium):
    bots = [f"namer:number={number}" for number in range(2, 7)]
    gauntlet = json.loads(
        podium("league", "duel", *bots, "--against", bots[2], "--rounds", 2, "--json", "--name", "g", *BASE)
    )
    assert gauntlet["games"] == 4 * 2 * 2
    ladder = json.loads(podium("league", "duel", *bots, "--ladder", "--rounds", 6, "--json", "--name", "l", *BASE))
    assert ladder["run"] == "r2"
    assert ladder["games"] < 10 * 2 * 6
    again = json.loads(podium("league", "duel", *bots, "--ladder", "--rounds", 6, "--json", "--name", "l", *BASE))
    assert again["games"] == ladder["games"]


def test_a_league_of_four_seats(podium):
    bots = [f"namer:number={number}" for number in range(3, 8)]
    report = json.loads(podium("league", "table", *bots, "--rounds", 2, "--json", *BASE))
    assert report["games"] == 5 * 4 * 2
    assert [row["bot"][-1] for row in report["ratings"]] == list("76543")


def test_a_crash_is_called_a_crash_everywhere(podium, mock):
    table = podium("match", "duel", mock("crash", 2), "namer", "--games", 2, "--time", 20_000, *BASE)
    assert "crashed 2" in table
    told = json.loads(podium("show", "g1", "--json"))
    (fault,) = told["faults"]
    assert fault | {"seat": 0, "why": "crashed", "sentence": "crashed: ended with status 1"} == fault
    turns = podium("show", "g1")
    assert "    crashed: ended with status 1" in turns
    assert "was disqualified: crashed: ended with status 1" in turns
    assert "no answer" not in table + turns


def test_a_turn_of_several_seats_has_one_picture_and_the_same_number_in_play_and_show(podium):
    podium("match", "table", "namer", "namer:noise=3", "--games", 6, *BASE)
    for text in (
        podium("play", "table", "namer", "namer", "namer", "namer", *BASE[2:]),
        podium("show", "g1", "--pictures"),
    ):
        turns = [line.split(",")[0].split(":")[0] for line in text.splitlines() if line.startswith("turn ")]
        assert (turns[0], turns[3], turns[4]) == ("turn 1", "turn 1", "turn 2")
        pictures = [line for line in text.splitlines() if line.startswith("[")]
        assert len(pictures) in (len(turns) // 4, len(turns) // 4 + 1)


def test_runs_show_replay_and_export(podium, tmp_path):
    podium("match", "duel", "namer", "namer:noise=3", "--games", 6, *BASE)
    assert "namer vs namer:noise=3" in podium("runs")
    assert json.loads(podium("runs", "--json"))["runs"][0]["games"] == 6
    assert "turn 1, seat 0" in podium("show", "g2", "--prompts", "--pictures")
    assert "6 games agree" in podium("replay", "r1")
    games = [json.loads(line) for line in podium("export").splitlines()]
    assert len(games) == 6
    assert [len(game["answers"]) for game in games] == [8] * 6
    rows = list(csv.DictReader(io.StringIO(podium("export", "r1", "--format", "csv"))))
    assert len(rows) == 12
    assert {row["bot"] for row in rows} == {"namer", "namer:noise=3"}
    podium("export", "--output", tmp_path / "games.jsonl")
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 6


def test_a_tampered_store_is_noticed(podium):
    podium("match", "duel", "namer", "namer:noise=3", "--games", 2, *BASE)
    connection = sqlite3.connect("podium.db")
    connection.execute("UPDATE games SET scores = '[99.0, 0.0]' WHERE id = 1")
    connection.commit()
    connection.close()
    assert "g1 differs at the end: scores" in podium("replay", "g1", "g2", code=1)


def test_calibration(podium):
    text = podium("calibrate", "duel", "namer", "--games", 20, "--jobs", 1, "--nodes", 1)
    assert "cannot be told from nothing" in text
    assert "seat 0 scores" in text
    assert "0 of 160 answers overran" in text


def test_play_takes_programs(podium, mock):
    text = podium("play", "duel", mock(7), "namer:noise=0", "--time", 20_000)
    assert "answers 7" in text
    assert "| prompt 1" in text


WILD = "[/oops] :x: \x1b]0;owned \u202e[bold]"


def test_foreign_text_is_data(podium, tmp_path):
    """A bot whose name, answers and messages are markup, emoji and escape sequences is shown as it is."""
    path = tmp_path / "wild.py"
    path.write_text(
        f"import sys\nsaid = 0\nfor line in sys.stdin:\n    if line.startswith('turn'):\n"
        f"        print({WILD!r}, file=sys.stderr, flush=True)\n        print({WILD!r} if said else 5, flush=True)\n"
        "        said += 1\n"
    )
    wild = f"cmd:{sys.executable} -S -E {path} [/] :x: \x1b[31m"
    played = podium("play", "duel", wild, "namer", "--time", 20_000)
    podium("match", "duel", wild, "namer", "--games", 2, "--jobs", 1, "--time", 20_000)
    podium("league", "duel", wild, "namer", "--rounds", 1, "--jobs", 1, "--time", 20_000)
    runs = podium("runs")  # which leaves out the middle of long names
    shown = [podium("show", "g1", "--prompts"), runs, podium("show", "r1"), podium("show", "r2")]
    assert "answers [/oops] :x: ␛]0;owned \\u202e[bold]" in " ".join(played.split())
    assert "| [/oops] :x: ␛]0;owned \\u202e[bold]" in " ".join(shown[0].split())
    for text in (played, *shown):
        assert not set("\x1b\u202e") & set(text)
        assert "[/] :x:" in text or text == runs


EDGES = ["inf", "-inf", "nan", "1e400", str(2**63), str(-(2**63) - 1), str(2**70), "9" * 5000, "²", "0x10", "", "1e"]


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    "option",
    [
        *("--games", "--seed", "--time", "--nodes", "--reserve", "--startup", "--memory", "--jobs"),
        *("--alpha", "--beta", "--handicap", "--set"),
    ],
)
def test_numbers_at_the_edge_of_types_are_refused(podium, option, edge):
    value = {"--handicap": f"1={edge}", "--set": f"turns={edge}"}.get(option, edge)
    sprt = ("--sprt", 0, 50) if option in ("--alpha", "--beta") else ()
    refused(podium, "match", "duel", "namer", "namer:noise=3", *sprt, option, value)
    assert option == "--jobs" or not Path("podium.db").exists(), "nothing is stored of a run that cannot be"


@pytest.mark.parametrize("edge", EDGES)
def test_other_numbers_at_the_edge_of_types_are_refused(podium, edge):
    podium("match", "duel", "namer", "namer:noise=3", "--games", 2, *BASE)
    for words in (
        ("match", "duel", "namer", "namer", "--sprt", 0, edge),
        ("match", "duel", "namer", "namer", "--sprt", 0, edge, "--logistic"),
        ("league", "duel", "namer", "namer:noise=3", "--rounds", edge),
        ("calibrate", "duel", "namer", "--games", edge),
        ("play", "duel", "namer", "namer", "--games", edge),
        ("show", "r1", "--last", edge),
        ("show", f"r{edge}"),
        ("show", f"g{edge}"),
        ("bench", "zuniq", "--seconds", edge),
        ("analyze", "zuniq", "--time", edge),
        ("analyze", "zuniq", "--top", edge),
    ):
        refused(podium, *words)


def refused(podium, *words):
    """A command ends with a sentence, or with the usage that the command line prints by itself."""
    try:
        podium(*words, code=2)
    except PodiumError as error:
        assert len(str(error)) < 400


def test_no_infinity_in_json(podium):
    report = podium("match", "duel", "namer:number=9,noise=0", "namer:number=1,noise=0", "--games", 4, "--json", *BASE)
    for text in (report, podium("show", "r1", "--json")):
        assert json.loads(text, parse_constant=pytest.fail)["won"] == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("match", "duel", "nmaer", "namer"), "did you mean namer"),
        (("match", "duel", "namer", "cmd:/no/program"), "not found"),
        (("match", "duel", "namer", "namer:noise=3", "--sprt", 5, 0), "must be below the second"),
        (("match", "duel", "namer", "namer:noise=3", "--sprt", 0, 500), "--logistic"),
        (("match", "duel", "namer", "namer:noise=3", "--alpha", 0.1), "belong to a sequential test"),
        (("match", "duel", "namer", "namer", "--handicap", "9=2"), "unknown bot in --handicap"),
        (("match", "duel", "namer", "namer", "--handicap", "2=much"), "bot=factor"),
        (("match", "duel", "namer", "namer", "--set", "truns=3"), "did you mean turns"),
        (("league", "duel", "namer"), "at least two bots"),
        (("match", "duel", "a=namer:number=6", "a=namer:number=4"), "two bots are named a"),
        (("league", "duel", "a=namer:number=6", "b=namer", "a=namer:number=4"), "two bots are named a"),
        (("show", "r1"), "there is no store"),
        (("show", "banana"), "expected a run"),
    ],
)
def test_mistakes_get_a_sentence(podium, words, message):
    with pytest.raises(PodiumError, match=message):
        podium(*words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("league", "duel", "namer"), "at least two bots"),
        (("league", "duel", "namer", "broken"), "broken cannot play: crashed"),
        (("match", "duel", "namer", "broken"), "broken cannot play: crashed"),
    ],
)
def test_what_is_refused_leaves_no_run(podium, mock, words, message):
    podium("match", "duel", "namer", "namer:noise=3", "--games", 2, *BASE)
    words = [f"broken={mock('crash')}" if word == "broken" else word for word in words]
    with pytest.raises(PodiumError, match=message):
        podium(*words, *BASE)
    assert [run["run"] for run in json.loads(podium("runs", "--json"))["runs"]] == ["r1"]
    with pytest.raises(PodiumError, match="unknown bot"):
        podium("match", "duel", "namer", "broken", *BASE)


def test_a_run_with_games_outlives_a_bot_that_cannot_play_any_more(podium, mock, tmp_path):
    flag = tmp_path / "flag"
    words = ("match", "duel", "namer", f"cmd:sh -c 'test ! -e {flag} && exec {mock(5).removeprefix('cmd:')}'", *BASE)
    podium(*words, "--games", 2)
    flag.touch()
    with pytest.raises(PodiumError, match="cannot play"):
        podium(*words, "--games", 4)
    assert json.loads(podium("show", "r1", "--json"))["games"] == 2


MATCH = ("match", "zuniq", "random", "random:claim=on", "--nodes", "5", "--json", "--games")


def start_match(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "podium", *MATCH, "100000", "--jobs", "2"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_in_a_terminal,
        env={**os.environ, "PYTHONPATH": str(Path(podium.games.__file__).parents[2])},
    )


def stored_games(folder):
    try:
        connection = sqlite3.connect(folder / "podium.db")
        try:
            return connection.execute("SELECT COUNT(*), COUNT(DISTINCT round * 2 + part) FROM games").fetchone()
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return (0, 0)


def wait_for_games(folder, process, number):
    wait_until(lambda: process.poll() is not None or stored_games(folder)[0] >= number)
    assert process.poll() is None, process.communicate()[1]


def alive(group):
    """The processes of a group that still run; what has ended may wait long for process 1 to notice."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(number) == group and state != "Z":
            yield stat.parent.name


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_killed_run_goes_on_without_a_lost_or_doubled_game(podium, tmp_path, how):
    process = start_match(tmp_path)
    wait_for_games(tmp_path, process, 40)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does
    else:
        process.send_signal(how)
    out, err = process.communicate(timeout=60)
    wait_until(lambda: not list(alive(process.pid)))  # no worker outlives its parent
    if how != signal.SIGKILL:
        assert process.returncode == 128 + how, err
        assert json.loads(out)["finished"] == stored_games(tmp_path)[0]
    before, different = stored_games(tmp_path)
    assert before == different
    target = before + before % 2 + 60
    report = json.loads(podium(*MATCH, target, "--jobs", 1))
    assert report["games"] == report["finished"] == target
    assert stored_games(tmp_path) == (target, target)
