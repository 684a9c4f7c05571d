"""Games that begin in stored positions: both ways round, told to the bots, replayed from the start."""

import json
from collections import defaultdict

import pytest

from podium.arena.analysis.stored_runs import replay_stored, stored_positions
from podium.arena.game.record import unpack
from podium.arena.game.start_positions import turns_of
from podium.arena.store.store import Store
from podium.arena.tournament.match import Match
from podium.errors import PodiumError


def exported(folder, turns):
    """A file with the positions of a small match of the toy game, and its lines."""
    with Match("duel", "namer:number=7", "namer:number=2", games=8, store=folder / "first.db") as match:
        match.play(jobs=1)
    with Store(folder / "first.db", create=False) as store:
        lines = list(stored_positions(store, [store.run(1)], turns_of(turns)))
    path = folder / "positions.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path, [json.loads(line) for line in lines]


def test_positions_are_those_of_their_turns(toys, tmp_path):
    _, positions = exported(tmp_path, "turn 3..6")
    assert len(positions) == 8
    assert {position["turn"] for position in positions} <= {3, 4, 5, 6}
    assert all(len(position["answers"]) == position["turn"] - 1 for position in positions)


def test_games_begin_in_positions_both_ways_round(toys, tmp_path):
    path, positions = exported(tmp_path, "turn 5")
    with Match("duel", "namer", "namer:noise=0", games=8, positions=path, store=tmp_path / "lab.db") as match:
        report = match.play(jobs=1)
        games = list(match.session.store.games(match.run))
        records = {game.id: unpack(match.session.store.record(game.id)) for game in games}
    assert report.games == 8
    begun = defaultdict(list)
    for game in games:
        assert len(game.asked) == 4  # of eight answers four are the position's
        begun[game.round].append((game.seed, tuple(records[game.id].lines[:4]), game.bots))
    for number, ((seed, answers, bots), (other_seed, other_answers, other_bots)) in begun.items():
        place = positions[number]
        assert (seed, list(answers)) == (other_seed, list(other_answers)) == (place["seed"], place["answers"])
        assert bots == other_bots[::-1]
    assert replay_stored(["r1"], tmp_path / "lab.db").agree == 8


def test_the_same_file_goes_on_with_the_same_run_and_another_does_not(toys, tmp_path):
    path, positions = exported(tmp_path, "turn 5")
    for games in (4, 8):
        with Match("duel", "namer", "namer:noise=0", games=games, positions=path, store=tmp_path / "lab.db") as match:
            assert match.play(jobs=1).run == "r1"
    path.write_text(json.dumps(positions[0]) + "\n")
    with Match("duel", "namer", "namer:noise=0", games=4, positions=path, store=tmp_path / "lab.db") as match:
        assert match.run.id == 2


def test_programs_are_refused(toys, mock, tmp_path):
    path, _ = exported(tmp_path, "turn 2")
    with (
        Match("duel", "namer", mock("5"), games=2, positions=path, store=tmp_path / "lab.db") as match,
        pytest.raises(PodiumError, match="is a program, which cannot be told"),
    ):
        match.play(jobs=1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no positions"),
        ("[]", "not a position"),
        ('{"game": "duel", "seed": "x", "answers": []}', r"seed"),
        ('{"game": "table", "seed": 1, "answers": []}', "a position of table"),
        ('{"game": "duel", "seed": 1, "answers": [], "settings": {"turns": 9}}\n' * 1, "other settings"),
    ],
)
def test_a_file_that_makes_no_sense_is_a_sentence(toys, tmp_path, text, words):
    path = tmp_path / "positions.txt"
    path.write_text(text)
    with pytest.raises(PodiumError, match=words):
        Match("duel", "namer", "namer:noise=0", positions=path, settings={"turns": 4}, store=tmp_path / "lab.db")


@pytest.mark.parametrize("text", ["", "20", "turn 0", "turn 5..4", "turns x"])
def test_turns_that_make_no_sense_are_a_sentence(text):
    with pytest.raises(PodiumError, match=r"turn 20\.\.40"):
        turns_of(text)


def test_a_position_beyond_the_end_is_a_sentence(toys, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text(json.dumps({"game": "duel", "seed": 1, "answers": ["5"] * 8}))
    with (
        Match("duel", "namer", "namer:noise=0", games=2, positions=path, store=tmp_path / "lab.db") as match,
        pytest.raises(PodiumError, match=r"positions\.txt, line 1: .* beyond the end"),
    ):
        match.play(jobs=1)


@pytest.mark.parametrize(
    ("answers", "words"), [(["E5v", "Z9q"], "but got 'Z9q'"), ([None], "but got ''"), (["E5v", "E5v"], "E5v is not a")]
)
def test_a_position_that_nobody_can_follow_is_a_sentence(tmp_path, answers, words):
    path = tmp_path / "positions.txt"
    good, bad = ({"game": "zuniq", "seed": 1, "answers": some} for some in (["E5v"], answers))
    path.write_text(json.dumps(good) + "\n" + json.dumps(bad))
    with (
        Match("zuniq", "random", "random:claim=off", games=4, positions=path, store=tmp_path / "lab.db") as match,
        pytest.raises(PodiumError, match=rf"positions\.txt, line 2: .*{words}"),
    ):
        match.play(jobs=1)


PYTHON_BOTS = """
from podium.games.game import Bot


class Counting:
    def __init__(self):
        self.followed = []

    def reply(self, lines, budget):
        return str(len(self.followed))

    def observe(self, lines, line):
        self.followed.append((tuple(lines), line))


class Former:  # has the method under its former name, which is still accepted
    def __init__(self):
        self.followed = []

    def reply(self, lines, budget):
        return str(len(self.followed))

    def follow(self, lines, line):
        self.followed.append((tuple(lines), line))


class Deaf:
    def reply(self, lines, budget):
        return "5"


class Guest(Bot):
    def reply(self, lines, budget):
        return "5"
"""


@pytest.mark.parametrize("name", ["Counting", "Former"])
def test_python_bots_observe(toys, tmp_path, name):
    path, _ = exported(tmp_path, "turn 5")
    (tmp_path / "guests.py").write_text(PYTHON_BOTS)
    counting = f"py:{tmp_path / 'guests.py'}:{name}"
    with Match("duel", counting, "namer", games=2, positions=path, store=tmp_path / "lab.db") as match:
        match.play(jobs=1)
        for game in match.session.store.games(match.run):
            record = unpack(match.session.store.record(game.id))
            own = [match.session.entrants[bot].name for bot in game.bots].index(counting)
            answers = [line for seat, line in zip(record.seats, record.lines, strict=True) if seat == own]
            assert answers[2:] == ["2", "2"]  # it was asked twice before


@pytest.mark.parametrize("name", ["Deaf", "Guest"])
def test_python_bots_that_cannot_observe_are_refused_before_a_game(toys, tmp_path, name):
    path, _ = exported(tmp_path, "turn 5")
    (tmp_path / "guests.py").write_text(PYTHON_BOTS)
    guest = f"py:{tmp_path / 'guests.py'}:{name}"
    with Match("duel", "namer", guest, games=2, positions=path, store=tmp_path / "lab.db") as match:
        with pytest.raises(PodiumError, match=rf"{name} cannot begin in a position.*observe\(lines, line\)"):
            match.play(jobs=1)
        assert match.report().games == 0
