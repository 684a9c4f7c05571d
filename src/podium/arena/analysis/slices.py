"""Results by attributes of games: `podium slice`, and `podium.slices` in Python. "v2 loses on small maps."

The attributes of a game: the opponent, the bot's seat, the length, the settings, what the seed drew (a map, for
example, where the game tells it: `attributes` in its `setup.py`), and every value that the bot gave a name on standard
error (`@podium set NAME VALUE`; of numbers their mean over the game, of texts the last one). Numbers with many values
are cut into thirds.

Each slice is compared with the rest of the games. Of many slices some differ by chance: the q-values are those of
Benjamini and Hochberg, and a finding is one at a false discovery rate of 5 %.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.analysis.stored_runs import number_of
from podium.arena.game.record import GameRecord, unpack
from podium.arena.stats.clusters import benjamini_hochberg, difference_p_value, score_interval
from podium.arena.stats.intervals import rank_points
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import DEFAULT_STORE, Run, Store
from podium.arena.tournament.run_session import LEAGUE
from podium.display import Displayable
from podium.errors import PodiumError, unknown
from podium.games import load_stored
from podium.games.game import Ending, Game
from podium.games.overlays import read_attributes

FALSE_DISCOVERY_RATE = 0.05
LEAST_CLUSTERS = 10  # inside and outside a slice, to compare it
FEW_VALUES = 5  # numbers with more different values are cut into thirds
MOST_NAMED = 8  # bots in an error
OPPONENT, SEAT, LENGTH = "opponent", "seat", "length"

Value = float | str | None  # None: the game does not have the attribute


@dataclass(frozen=True)
class Observation:
    """A game, or its part against one opponent, as an attribute sees it."""

    value: Value
    points: float  # of the bot, in [0, 1]
    cluster: int  # games of one cluster share their seed
    timed_out: bool  # the bot gave no answer in time


@dataclass(frozen=True)
class Slice:
    """The results of a bot in the games with one value of an attribute."""

    attribute: str
    value: str
    games: int
    won: int
    drawn: int
    lost: int
    timeouts: int  # games in which the bot gave no answer in time
    score: float
    low: float  # the 95 % interval of the score
    high: float
    elsewhere: float  # the score in all other games
    p: float | None  # of the difference; None: too few games to compare
    q: float | None  # adjusted for the number of comparisons

    @property
    def finding(self) -> str:
        """`weaker` or `stronger` where the bot's score differs from that elsewhere; empty where that is not shown."""
        if self.q is None or self.q > FALSE_DISCOVERY_RATE:
            return ""
        return "weaker" if self.score < self.elsewhere else "stronger"


@dataclass(frozen=True, repr=False)
class SliceReport(Displayable):
    """The results of a bot in a run, by attributes of games."""

    run: str
    bot: str
    games: int
    score: float
    interval: tuple[float, float]
    timeouts: int  # games in which the bot gave no answer in time
    slices: tuple[Slice, ...]  # by attribute; those of one attribute by their values

    @property
    def findings(self) -> list[Slice]:
        """The slices that differ from the rest, the surest first."""
        return sorted((each for each in self.slices if each.finding), key=lambda each: (each.q, each.p))

    @property
    def headline(self) -> str:
        """The surest finding, or that there is none."""
        compared = sum(each.q is not None for each in self.slices)
        rate = f"false discovery rate {FALSE_DISCOVERY_RATE:.0%}"
        if not compared:
            return f"too few games to compare slices: {LEAST_CLUSTERS} seeds inside and outside are needed"
        found = self.findings
        if not found:
            return f"none of {compared} slices differs from the rest of the games ({rate})"
        first = found[0]
        return (
            f"{len(found)} of {compared} slices differ from the rest of the games ({rate}); the surest: {self.bot} is "
            f"{first.finding} where {first.attribute} is {first.value}, {first.score:.1%} against {first.elsewhere:.1%}"
        )

    def rows(self) -> list[dict[str, Any]]:
        """A row for each slice."""
        return [{**asdict(each), "finding": each.finding} for each in self.slices]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {
            "run": self.run,
            "bot": self.bot,
            "games": self.games,
            "score": self.score,
            "interval": list(self.interval),
            "timeouts": self.timeouts,
            "false_discovery_rate": FALSE_DISCOVERY_RATE,
            "sentence": self.headline,
            "slices": self.rows(),
        }


def slice_stored(
    run: str,
    *,
    bot: str = "",
    by: Sequence[str] = (),
    path: Path | str = DEFAULT_STORE,
    progress: Callable[[int], None] = lambda games: None,
) -> SliceReport:
    """Slice the games of a stored run such as `r7` by all attributes, or by those named.

    `bot` is the one whose results are sliced, by default the first of a match, or the player whose games were imported.
    `progress` is called with the number of games read.
    """
    with Store(Path(path), create=False) as store:
        kind, number = number_of(run, "r")
        if kind != "r":
            raise PodiumError(f"only runs such as r3 can be sliced, and {run} is a game")
        found = store.run(number)
        whose = bot_of(store, found, bot)
        return slice_games(store, found, whose, by, progress)


def bot_of(store: Store, run: Run, name: str = "") -> int:
    """The number of the bot of that name in a run; without a name the one that the run is about."""
    bots = store.bots(run)
    labels = {bot.label: number for number, bot in bots.items()}
    called = labels | {bot.name: number for number, bot in bots.items()}
    if name:
        if name not in called:
            raise unknown(f"bot of r{run.id}", name, labels)
        return called[name]
    if (me := run.wanted.get("me")) in labels:
        return labels[me]
    first = next(store.games(run), None)
    if first is None:
        raise PodiumError(f"r{run.id} has no games yet")
    if run.kind != LEAGUE:
        numbers = {bot.fingerprint: bot.id for bot in bots.values()}
        return numbers[first.pairing.split(",")[0]]
    some = " or ".join([*labels][:MOST_NAMED]) + (", for example" if len(labels) > MOST_NAMED else "")
    raise PodiumError(f"name the bot of r{run.id} whose results are to be sliced: --bot {some}")


def slice_games(
    store: Store, run: Run, bot: int, by: Sequence[str] = (), progress: Callable[[int], None] = lambda games: None
) -> SliceReport:
    """The slices of a bot's games in a run."""
    rules = load_stored(run.game)
    names = {number: each.label for number, each in store.bots(run).items()}
    clusters: dict[tuple[str, int], int] = {}
    opponents: list[Observation] = []
    everything: list[Observation] = []
    attributes: list[Mapping[str, Value]] = []  # of each game in `everything`
    for count, row in enumerate(store.games(run), 1):
        mine = [other == bot for other in row.bots]
        points = rank_points(row.ranks, mine)
        if row.ending is Ending.ANNULLED or points is None:
            continue
        cluster = clusters.setdefault((row.pairing, row.round), len(clusters))
        late = any(mine[fault.seat] and fault.code is Ending.NO_ANSWER for fault in row.faults)
        everything.append(Observation(None, points, cluster, late))
        for opponent, share in _shares(row, bot, names):
            opponents.append(Observation(opponent, share, cluster, late))
        attributes.append(_attributes(rules, run, row, unpack(store.record(row.id)), mine))
        progress(count)
    if not everything:
        raise PodiumError(f"r{run.id} has no finished games of {names[bot]} against others")
    samples = {OPPONENT: opponents} | {
        name: [replace(each, value=found.get(name)) for each, found in zip(everything, attributes, strict=True)]
        for name in dict.fromkeys(name for found in attributes for name in found)
    }
    for name in by:
        if name not in samples:
            raise unknown(f"attribute of the games of r{run.id}", name, samples)
    slices = [each for name in by or samples for each in _slices(name, samples[name])]
    points_of_all = [each.points for each in everything]
    interval = score_interval(points_of_all, [each.cluster for each in everything])
    score = sum(points_of_all) / len(everything)
    timeouts = sum(each.timed_out for each in everything)
    return SliceReport(f"r{run.id}", names[bot], len(everything), score, interval, timeouts, tuple(_adjusted(slices)))


def _shares(row: GameRow, bot: int, names: Mapping[int, str]) -> Iterator[tuple[str, float]]:
    """A bot's points against each of its opponents in a game."""
    for other in dict.fromkeys(row.bots):
        if other != bot:
            both = [(rank, who == bot) for rank, who in zip(row.ranks, row.bots, strict=True) if who in (bot, other)]
            share = rank_points(*zip(*both, strict=True))
            assert share is not None
            yield names[other], share


def _attributes(rules: Game, run: Run, row: GameRow, record: GameRecord, mine: Sequence[bool]) -> dict[str, Value]:
    """All attributes of a game by name, but for the opponents; none of the bot's own has the name of another one."""
    seats = [seat for seat, is_mine in enumerate(mine) if is_mine]
    settings = {**run.conditions.settings, **record.settings}
    found: dict[str, Value] = {
        SEAT: "+".join(map(str, seats)),
        LENGTH: float(sum(mine[seat] for seat in row.asked)),
        **{name: _plain(value) for name, value in settings.items()},
    }
    if rules.contest.attributes:
        state = rules.new_referee(row.seed, settings).state
        found |= {name: _plain(value) for name, value in rules.contest.attributes(state).items()}
    own = _set_values(record, mine)
    return {**found, **{name: value for name, value in own.items() if name not in found and name != OPPONENT}}


def _plain(value: object) -> float | str:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _set_values(record: GameRecord, mine: Sequence[bool]) -> dict[str, Value]:
    """What the bot set in a game: the mean of numbers, the last one of texts."""
    numbers: dict[str, list[float]] = {}
    texts: dict[str, Value] = {}
    for index, stderr in record.stderr.items():
        for name, value in read_attributes(stderr).items() if mine[record.seats[index]] else ():
            if isinstance(value, float):
                numbers.setdefault(name, []).append(value)
            else:
                texts[name] = value
    return {**{name: sum(values) / len(values) for name, values in numbers.items()}, **texts}


def _slices(name: str, sample: Sequence[Observation]) -> list[Slice]:
    """The slices of an attribute; none if all games have the same value. Games without it count as the others."""
    labels, order = _labels([each.value for each in sample])
    if len(set(labels)) < 2:
        return []
    points, clusters = [each.points for each in sample], [each.cluster for each in sample]
    found = []
    for value in order:
        inside = [label == value for label in labels]
        chosen = [each for each, is_in in zip(sample, inside, strict=True) if is_in]
        rest = [each for each, is_in in zip(sample, inside, strict=True) if not is_in]
        scores = [each.points for each in chosen]
        enough = min(len({each.cluster for each in side}) for side in (chosen, rest)) >= LEAST_CLUSTERS
        found.append(
            Slice(
                name,
                value,
                len(chosen),
                sum(score > 0.5 for score in scores),
                sum(score == 0.5 for score in scores),
                sum(score < 0.5 for score in scores),
                sum(each.timed_out for each in chosen),
                sum(scores) / len(scores),
                *score_interval(scores, [each.cluster for each in chosen]),
                sum(each.points for each in rest) / len(rest),
                difference_p_value(points, clusters, inside) if enough else None,
                None,
            )
        )
    return found


def _labels(values: Sequence[Value]) -> tuple[list[str | None], list[str]]:
    """The label of each value, and all labels in their order: numbers rise, texts begin with the most frequent."""
    known = [value for value in values if value is not None]
    numbers = [value for value in known if isinstance(value, float)]
    distinct = sorted(set(numbers))
    if len(numbers) < len(known) or len(distinct) <= FEW_VALUES:
        labels = [f"{value:g}" if isinstance(value, float) else value for value in values]
        texts = [label for label in labels if label is not None]
        if len(numbers) == len(known):
            return labels, list(dict.fromkeys(f"{number:g}" for number in distinct))
        times = Counter(texts)
        return labels, sorted(times, key=lambda text: (-times[text], text))
    low, high = (float(edge) for edge in np.quantile(numbers, [1 / 3, 2 / 3], method="inverted_cdf"))
    names = (f"up to {low:.4g}", f"{low:.4g} to {high:.4g}", f"over {high:.4g}")
    cut = [names[(value > low) + (value > high)] if isinstance(value, float) else None for value in values]
    return cut, [name for name in names if name in cut]


def _adjusted(slices: Sequence[Slice]) -> Iterator[Slice]:
    """The slices with q-values. Two slices that together are all games are one comparison."""
    tests: dict[tuple[str, str], float] = {}
    of_attribute: dict[str, list[float | None]] = defaultdict(list)
    for each in slices:
        of_attribute[each.attribute].append(each.p)

    def test_of(each: Slice) -> tuple[str, str]:
        found = of_attribute[each.attribute]
        return each.attribute, "" if len(found) == 2 and found[0] == found[1] else each.value

    for each in slices:
        if each.p is not None:
            tests[test_of(each)] = each.p
    adjusted = dict(zip(tests, benjamini_hochberg(list(tests.values())), strict=True))
    for each in slices:
        q = None if each.p is None else adjusted[test_of(each)]
        yield replace(each, q=q)
