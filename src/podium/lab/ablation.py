"""An ablation: what is each part of a bot worth?

    with Ablation("zuniq", "champion", parts=["rave", "prove"], games=2000, nodes=300) as ablation:
        print(ablation.play())

Each variant (a switch turned over, or a number or word at another value) plays the whole bot in pairs of games, all in
one run. Games go where the interval is still widest, measured in points: the Elo of a part that decides every game is
never known well, and need not be.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from podium.arena.batch import Batch
from podium.arena.conditions import Terms, conditions_of
from podium.arena.entrants import entrant
from podium.arena.numbers import GAMES, SEED, whole
from podium.arena.report import RunReport, fault_warnings
from podium.arena.schedule import Meeting
from podium.arena.statistics import elo, estimate, law_of
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.tally import MatchTally
from podium.errors import PodiumError
from podium.games import load
from podium.kernel.minds import Value
from podium.lab.study import ABLATION, Blocks, Study, StudySession
from podium.lab.subject import Subject, written

DEFAULT_GAMES = 2000
FIRST_BLOCKS = 8  # of each variant, before their intervals are compared
ANYTHING = elo(1)  # Elo beyond which an interval excludes nothing
SHARE = 10  # of what was played is planned at once


@dataclass(frozen=True)
class Variant:
    """A bot with one parameter changed."""

    name: str
    value: Value
    spec: str

    @property
    def label(self) -> str:
        """What was changed, as a user would write it."""
        return f"{self.name}={written(self.value)}"


def variants_of(subject: Subject, parts: Sequence[str], values: Mapping[str, Sequence[str]]) -> list[Variant]:
    """The switches named, turned over, and the other values; all switches that are on if nothing is named."""
    if not parts and not values:
        parts = [name for name, value in subject.base.items() if value is True]
        if not parts:
            raise PodiumError(f"{subject.text} has no switch that is on; name values: --values width=40,80")
    changes: list[tuple[str, Value]] = []
    for name in parts:
        parameter = subject.parameter(name)
        if not isinstance(parameter.default, bool):
            raise PodiumError(f"{name} is no switch; name values for it: --values {name}=...")
        changes.append((name, not subject.base[name]))
    for name, texts in values.items():
        parameter = subject.parameter(name)
        changes += [(name, value) for value in map(parameter.read, texts) if value != subject.base[name]]
    if not changes:
        raise PodiumError(f"nothing to change: name values that {subject.text} does not have already")
    return [Variant(name, value, subject.variant({name: value})) for name, value in dict.fromkeys(changes)]


def next_variants(scores: Sequence[Sequence[float]], planned: Sequence[int], number: int) -> list[int]:
    """Whose blocks to play next: always the variant whose interval will be the widest.

    `scores` are those of the blocks that are known, `planned` how many blocks each variant has in the schedule so far.
    """
    deviations = [_deviation(known) for known in scores]
    counts = list(planned)
    chosen = []
    for _ in range(number):
        widths = [deviation / math.sqrt(max(n, 1)) for deviation, n in zip(deviations, counts, strict=True)]
        fewest = min(range(len(counts)), key=counts.__getitem__)
        widest = fewest if counts[fewest] < FIRST_BLOCKS else max(range(len(counts)), key=widths.__getitem__)
        counts[widest] += 1
        chosen.append(widest)
    return chosen


def _deviation(scores: Sequence[float]) -> float:
    """The standard deviation of a block's score; one more block, half lost and half won, keeps it above nothing."""
    return math.sqrt(law_of(scores, 2).doubted().variance)


@dataclass(frozen=True)
class PartFigures:
    """What a part is worth."""

    part: str  # what was changed
    bot: str  # the text that names the variant
    games: int
    won: int  # by the variant
    drawn: int
    lost: int
    worth: float  # Elo that the change costs
    low: float  # the 95 % interval
    high: float
    milliseconds: float  # per answer of the variant
    whole_milliseconds: float  # per answer of the whole bot in the same games
    sentence: str


@dataclass(frozen=True, kw_only=True)
class AblationReport(RunReport):
    """What the parts of a bot are worth, the most valuable first."""

    bot: str
    games: int
    wanted: int
    remaining_games: int
    remaining_seconds: float | None
    games_per_second: float
    parts: tuple[PartFigures, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each part."""
        return [
            {
                "part": each.part,
                "elo": each.worth,
                "elo_low": each.low,
                "elo_high": each.high,
                "games": each.games,
                "ms": each.milliseconds,
                "ms_whole": each.whole_milliseconds,
                "result": each.sentence,
            }
            for each in self.parts
        ]


class Ablation(Study):
    """Variants of a bot against the whole bot."""

    def __init__(
        self,
        game: str,
        bot: str,
        *,
        parts: Sequence[str] = (),
        values: Mapping[str, Sequence[str]] | None = None,
        games: int = DEFAULT_GAMES,
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        **terms: Unpack[Terms],
    ) -> None:
        """Find the ablation in its store, or begin it there.

        `parts` are switches to turn over, `values` other values of numbers and words; without both, every switch that
        is on is turned off. `games` are those of all variants together.
        """
        rules = load(game)
        subject = Subject(rules, bot)
        self.variants = variants_of(subject, parts, values or {})
        terms.setdefault("thoughts", False)
        seed = whole(SEED, seed)
        bots = [entrant(rules, spec) for spec in (subject.variant({}), *(each.spec for each in self.variants))]
        labels = [each.label for each in self.variants]
        name = f"{bot}: {', '.join(labels)}"
        identity = [who.fingerprint for who in bots]
        self.session = StudySession(store, ABLATION, name, conditions_of(rules, **terms), seed, identity)
        try:
            numbers = self.session.enter(bots)
            self.blocks = Blocks({who.fingerprint: number for who, number in zip(bots, numbers, strict=True)})
            self.meetings = [self.meeting(number, numbers[0]) for number in numbers[1:]]
            self.planned: list[list[tuple[Meeting, int]]] = []
            self.target = -(-whole(GAMES, games) // self.block) * self.block
            wanted = {"games": self.target, "block": self.block, "bot": bot, "labels": labels}
            self.session.store.want(self.run, wanted | {"meetings": [meeting.key for meeting in self.meetings]})
            self.session.run = self.session.store.run(self.run.id)
            self.tallies = tallies_of(self.session.store, self.run)
            for stored in self.session.games():
                self.add(stored)
        except BaseException:
            self.session.close()
            raise

    def add(self, games: Batch) -> None:
        """Count finished games."""
        super().add(games)
        add_up(games, self.tallies)

    def plan(self) -> list[tuple[Meeting, int]]:
        """The next batch of blocks, from the results of all batches before the last one."""
        keys = [meeting.key for meeting in self.meetings]
        known: dict[str, list[float]] = {key: [] for key in keys}
        counts = dict.fromkeys(keys, 0)
        for number, batch in enumerate(self.planned):
            for meeting, round_ in batch:
                counts[meeting.key] += 1
                score = self.blocks.scores.get((meeting.key, round_)) if number < len(self.planned) - 1 else None
                if score is not None:
                    known[meeting.key].append(score)
        number = max(len(keys), sum(counts.values()) // SHARE)
        blocks = []
        for index in next_variants(list(known.values()), list(counts.values()), number):
            blocks.append((self.meetings[index], counts[keys[index]]))
            counts[keys[index]] += 1
        return blocks

    def play(
        self,
        jobs: int = 0,
        cluster: str = "",
        progress: Callable[["Ablation"], None] | None = None,
        most: int | None = None,
    ) -> AblationReport:
        """Play until it is enough, or at most so many games: `jobs` at a time (0: one per core), or on a Dask cluster.

        `progress` is called a few times a second. What interrupts it (Ctrl-C, an error) loses no finished game.
        """
        self.played(jobs, cluster, (lambda: progress(self)) if progress else lambda: None, most)
        return self.report()

    def report(self) -> AblationReport:
        """All figures as they are now."""
        report = ablation_report(self.session.store, self.run, self.tallies, self.pace)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


def tallies_of(store: Store, run: Run) -> dict[str, MatchTally]:
    """An empty tally for each variant of a stored ablation, by meeting."""
    bots = store.bots(run)
    with store.decoding(f"r{run.id}"):
        numbers = {bot.fingerprint: bot.id for bot in bots.values()}
        seats = load(run.game).seats
        pairs = {key: [numbers[part] for part in key.split(",")[:2]] for key in run.wanted["meetings"]}
        return {key: MatchTally(one, other, seats, int(run.wanted["block"])) for key, (one, other) in pairs.items()}


def add_up(games: Batch, tallies: Mapping[str, MatchTally]) -> None:
    """Count games, each where its variant's are counted."""
    for meeting, some in games.by_meeting():
        if meeting in tallies:
            tallies[meeting].add(some)


def part_figures(label: str, bot: str, tally: MatchTally) -> PartFigures:
    """What the games of one variant say."""
    found = estimate(tally.law)
    total = tally.total
    own, whole_bot = (each.clock.times().mean for each in tally.bots.values())
    worth, low, high = -found.elo, -found.elo_high, -found.elo_low
    word = "worth" if label.endswith("=off") else "costs"  # a part that is taken away, or a change
    if not found.games:
        sentence = "nothing is known yet"
    elif found.decided and abs(worth) >= ANYTHING:  # it decides every game
        sentence = f"{word} at least {low:.0f} Elo" if worth > 0 else f"at least {-high:.0f} Elo stronger with {label}"
    elif found.decided < 0:
        sentence = f"{word} {worth:.0f} Elo, at least {low:.0f}"
    elif found.decided > 0:
        sentence = f"{-worth:.0f} Elo stronger with {label}, at least {-high:.0f}"
    elif high >= ANYTHING:
        sentence = "too few games to tell"
    else:
        sentence = f"no effect shown: {word} less than {max(high, 0):.0f} Elo"
    results = (found.games, total.won, total.drawn, total.lost)
    return PartFigures(label, bot, *results, worth, low, high, own, whole_bot, sentence)


def ablation_report(store: Store, run: Run, tallies: Mapping[str, MatchTally], pace: float = 0.0) -> AblationReport:
    """All that is known of an ablation."""
    bots = store.bots(run)
    labels = dict(zip(run.wanted["meetings"], run.wanted["labels"], strict=True))
    parts = [part_figures(labels[key], bots[tally.first].label, tally) for key, tally in tallies.items()]
    parts.sort(key=lambda each: -each.worth)
    finished = sum(tally.finished for tally in tallies.values())
    left = max(0, int(run.wanted["games"]) - finished)
    warnings = [
        text
        for key, tally in tallies.items()
        for text in fault_warnings(labels[key], tally.bots[tally.first], tally.counted)
    ]
    return AblationReport(
        run=f"r{run.id}",
        kind=run.kind,
        game=run.game,
        bot=run.wanted["bot"],
        games=finished,
        wanted=int(run.wanted["games"]),
        remaining_games=left,
        remaining_seconds=left / pace if pace else None,
        games_per_second=pace,
        parts=tuple(parts),
        sentence=_sentence(parts),
        warnings=tuple(warnings),
    )


def _sentence(parts: Sequence[PartFigures]) -> str:
    """What matters and what does not."""
    known = [each for each in parts if each.games]
    if not known:
        return "nothing is known yet"
    open_ = [each for each in known if each.low <= 0 <= each.high]
    groups = {
        "cost Elo": [f"{each.part} ({_amount(each.worth, each.low)})" for each in known if each.low > 0],
        "gain Elo": [f"{each.part} ({_amount(-each.worth, -each.high)})" for each in reversed(known) if each.high < 0],
        "no effect shown": [f"{each.part} (less than {each.high:.0f})" for each in open_ if each.high < ANYTHING],
        "too few games to tell": [each.part for each in open_ if each.high >= ANYTHING],
    }
    return "; ".join(f"{words}: {', '.join(parts)}" for words, parts in groups.items() if parts)


def _amount(worth: float, least: float) -> str:
    return f"{worth:.0f}" if worth < ANYTHING else f"at least {least:.0f}"


def stored_ablation(store: Store, run: Run) -> AblationReport:
    """The report of an ablation that is only looked at."""
    tallies = tallies_of(store, run)
    for games in store.batches(run):
        add_up(games, tallies)
    return ablation_report(store, run, tallies)
