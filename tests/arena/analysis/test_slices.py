"""Results by attributes of games: opponent, seat, length, settings, maps, and what bots set."""

import json
import random
import sys

import pytest

import podium
from podium.arena.analysis.slices import Observation, _adjusted, _labels, _slices, bot_of, slice_games
from podium.arena.game.conditions import Conditions
from podium.arena.store.store import Store
from podium.arena.tournament.run_session import LEAGUE
from podium.errors import PodiumError
from tests.commands import podium as command

# Plays the first wall that was not drawn, and says which colour it has, which turn it is, and that its luck is its own.
TALKER = """
import sys
walls = [f"{row}{column}h" for row in "ABCDEF" for column in range(1, 6)]
drawn = []
for turn, line in enumerate(sys.stdin, 1):
    if line.strip() == "Quit":
        break
    colour = colour if drawn else "white" if line.strip() == "Start" else "black"
    drawn += [line.strip()[:3]]
    drawn += [next(wall for wall in walls if wall not in drawn)]
    print(f"@podium set turns {turn}\\npodium set colour {colour}\\n@podium set seat mine", file=sys.stderr)
    print("@podium set opponent nobody", file=sys.stderr, flush=True)
    print(drawn[-1], flush=True)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slices")
    path = folder / "s.db"
    (folder / "talker.py").write_text(TALKER)
    podium.match("wondev_woman", "greedy", "random", games=24, store=path, jobs=1)
    podium.match("zuniq", "random", f"talker=cmd:{sys.executable} {folder}/talker.py", games=8, store=path, jobs=1)
    podium.league("zuniq", "random", "uct", "champion", rounds=1, nodes=5, store=path, jobs=1)
    return path


def rows_of(report, attribute):
    return {row["value"]: row for row in report.rows() if row["attribute"] == attribute}


def test_maps_seats_and_lengths(store):
    report = podium.slices("r1", store=store)
    assert (report.bot, report.games) == ("greedy", 24)
    seats = rows_of(report, "seat")
    assert {value: row["games"] for value, row in seats.items()} == {"0": 12, "1": 12}
    assert sum(row["games"] for row in rows_of(report, "map").values()) == 24
    assert rows_of(report, "map").keys() <= {"square", "diamond", "random"}
    assert sum(row["games"] for row in rows_of(report, "length").values()) == 24
    assert not rows_of(report, "opponent"), "there is only one"
    for row in report.rows():
        assert row["won"] + row["drawn"] + row["lost"] == row["games"]
        assert row["low"] <= row["score"] <= row["high"]
    other = podium.slices("r1", bot="random", by=["seat"], store=store)
    assert {row["attribute"] for row in other.rows()} == {"seat"}
    assert other.score == pytest.approx(1 - report.score)


def test_what_a_bot_sets_is_an_attribute(store):
    report = podium.slices("r2", bot="talker", store=store)
    colours, seats = rows_of(report, "colour"), rows_of(report, "seat")
    assert {value: row["games"] for value, row in colours.items()} == {"white": 4, "black": 4}
    assert {"0": "white", "1": "black"}.keys() == seats.keys(), "a name of the arena's own stays its own"
    assert colours["white"]["score"] == seats["0"]["score"]
    assert not rows_of(report, "opponent"), "the real one is the same in all games"
    lengths, turns = rows_of(report, "length"), rows_of(report, "turns")
    assert len(turns) >= len(lengths) > 0, "the mean of 1 to n rises with n"
    assert podium.slices("r2", store=store).bot == "random"
    assert not rows_of(podium.slices("r2", store=store), "colour"), "what others set is not the bot's"


def test_a_league_is_sliced_by_opponents(store):
    with pytest.raises(PodiumError, match=r"--bot random or uct or champion$"):
        podium.slices("r3", store=store)
    report = podium.slices("r3", bot="uct", by=["opponent"], store=store)
    assert {row["value"]: row["games"] for row in report.rows()} == {"random": 2, "champion": 2}
    assert all(row["q"] is None for row in report.rows()), "two games are too few to compare"
    assert report.headline.startswith("too few games")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("r1", "--by", "mapp"), "did you mean map"),
        (("r1", "--bot", "gredy"), "did you mean greedy"),
        (("g1",), "only runs"),
        (("r9",), "no run r9"),
    ],
)
def test_errors_are_sentences(store, words, reason):
    with pytest.raises(PodiumError, match=reason):
        command("slice", *words, "--store", store)


def test_the_command_prints_a_table_and_json(store):
    assert "r1, greedy: 24 games" in command("slice", "r1", "--store", store)
    data = json.loads(command("slice", "r1", "--by", "seat", "--store", store, "--json"))
    assert data["false_discovery_rate"] == 0.05
    assert [row["value"] for row in data["slices"]] == ["0", "1"]


def test_a_real_weakness_is_found_and_chance_is_not():
    draw = random.Random(5)
    maps = ["small", "wide", "round", "long"]

    def sample(weak):
        games = []
        for seed in range(300):
            where = draw.choice(maps)
            won = draw.random() < (0.2 if where == weak else 0.55)
            games += [
                Observation(where, float(won), seed, False),
                Observation(where, float(draw.random() < 0.5), seed, False),
            ]
        return games

    (worst, *_) = sorted(_adjusted(_slices("map", sample("small"))), key=lambda each: each.q)
    assert (worst.value, worst.finding) == ("small", "weaker")
    found = 0
    for _ in range(60):
        found += any(each.finding for each in _adjusted([*_slices("map", sample("")), *_slices("other", sample(""))]))
    assert found <= 8, "5 % of 60 runs without any difference, and some luck"


def test_an_attribute_with_two_values_is_one_comparison():
    games = [Observation(str(number % 2), float(number % 3 == 0), number, False) for number in range(60)]
    one, other = _adjusted(_slices("seat", games))
    assert one.q == other.q == one.p == other.p


def test_games_without_a_value_count_as_the_others():
    """A value that a bot sets in some games only, or a setting of some imported games."""
    games = [Observation("rush" if seed % 3 else None, float(seed % 3 > 0), seed, False) for seed in range(60)]
    (rush,) = _slices("plan", games)
    assert (rush.value, rush.games, rush.score, rush.elsewhere) == ("rush", 40, 1.0, 0.0)
    numbers = [Observation(float(seed) if seed % 2 else None, 0.5, seed, False) for seed in range(60)]
    assert [(each.games, each.elsewhere) for each in _slices("depth", numbers)] == [(10, 0.5)] * 3
    plans = [
        Observation(("rush", "wait", None)[seed % 3], float(seed % 3 == 0 or seed % 7 == 0), seed, False)
        for seed in range(90)
    ]
    rush, wait = _adjusted(_slices("plan", plans))
    assert rush.p < wait.p and rush.q == pytest.approx(2 * rush.p), "they are two comparisons"


def test_numbers_are_cut_into_thirds():
    labels, order = _labels([float(number) for number in range(9)])
    assert order == ["up to 2", "2 to 5", "over 5"]
    assert [labels.count(label) for label in order] == [3, 3, 3]
    assert _labels([1.0, 2.0, 1.0])[1] == ["1", "2"]
    assert _labels([1.0, 1.0 + 1e-9])[1] == ["1"], "what looks alike is one slice"
    assert _labels(["b", "a", "b", 3.0])[1] == ["b", "3", "a"]
    assert _labels([0.0] * 50 + [float(number) for number in range(1, 8)])[1] == ["up to 0", "over 0"]


def test_a_run_without_games_says_so(tmp_path):
    with Store(tmp_path / "s.db") as opened:
        opened.open_run(LEAGUE, "key", "stopped before its first game", 1, Conditions("zuniq"))
    with pytest.raises(PodiumError, match="r1 has no games yet"):
        podium.slices("r1", store=tmp_path / "s.db")


def test_a_bot_is_found_by_its_name(store):
    with Store(store, create=False) as opened:
        run = opened.run(1)
        assert slice_games(opened, run, bot_of(opened, run, "random")).bot == "random"
