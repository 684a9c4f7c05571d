"""An ablation: the Elo that each part of a bot contributes.

    with Ablation("zuniq", "champion", parts=["rave", "prove"], games=2000, nodes=300) as ablation:
        print(ablation.play())

Each variant (a switch toggled, or a number or word with another value) plays the complete bot in pairs of games, all in
one run. Games go to the variant with the widest interval, measured in points: the Elo of a part that decides every game
is never known well, and need not be.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack

from podium.arena.bounds import GAMES, whole
from podium.arena.entrants.entrant import entrant
from podium.arena.stats.intervals import UNBOUNDED, Estimate, distribution_of, estimate
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.store import Run, Store
from podium.arena.tournament.options import RunOptions, completed
from podium.arena.tournament.report import RunReport, fault_warnings, run_fields
from podium.arena.tournament.schedule import Pairing, whole_blocks
from podium.arena.tournament.tally import MatchTally
from podium.errors import PodiumError
from podium.games import load
from podium.lab.tune.tunable import TunableBot, written
from podium.lab.tune.variant_run import ABLATION, Blocks, VariantRun, VariantSession
from podium.model.params import Value

DEFAULT_GAMES = 2000
FIRST_BLOCKS = 8  # of each variant, before their intervals are compared
PLANNED_SHARE = 10  # a tenth of the blocks played so far is planned at once


@dataclass(frozen=True)
class Variant:
    """A bot with one parameter changed."""

    name: str
    value: Value
    spec: str

    @property
    def label(self) -> str:
        """The change as a user would write it."""
        return f"{self.name}={written(self.value)}"


def variants_of(tunable: TunableBot, parts: Sequence[str], values: Mapping[str, Sequence[str]]) -> list[Variant]:
    """One variant for each switch in `parts`, toggled, and for each other value; by default for each switch that is
    on."""
    if not parts and not values:
        parts = [name for name, value in tunable.base.items() if value is True]
        if not parts:
            raise PodiumError(f"{tunable.text} has no switch that is on; name values: --values width=40,80")
    changes: list[tuple[str, Value]] = []
    for name in parts:
        parameter = tunable.parameter(name)
        if not isinstance(parameter.default, bool):
            raise PodiumError(f"{name} is not a switch; name values for it: --values {name}=...")
        changes.append((parameter.name, not tunable.base[parameter.name]))
    for name, texts in values.items():
        parameter = tunable.parameter(name)
        found = map(parameter.read, texts)
        changes += [(parameter.name, value) for value in found if value != tunable.base[parameter.name]]
    if not changes:
        raise PodiumError(f"nothing to change: name values that {tunable.text} does not have already")
    return [Variant(name, value, tunable.variant({name: value})) for name, value in dict.fromkeys(changes)]


def next_variants(scores: Sequence[Sequence[float]], planned: Sequence[int], number: int) -> list[int]:
    """The variants of the next blocks: always the one whose interval will be the widest.

    `scores` are those of each variant's finished blocks, `planned` the number of blocks that are scheduled for it.
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
    """The standard deviation of a block's score; an imagined block, half lost and half won, keeps it above zero."""
    return math.sqrt(distribution_of(scores, 2).smoothed().variance)


@dataclass(frozen=True)
class PartFigures:
    """The effect of one change."""

    part: str  # the change, as a user would write it
    bot: str  # the text that names the variant
    games: int
    won: int  # by the variant
    drawn: int
    lost: int
    elo: float  # Elo that the change costs: what the part contributes
    low: float  # the 95 % interval
    high: float
    milliseconds: float  # per answer of the variant
    whole_milliseconds: float  # per answer of the complete bot in the same games
    sentence: str


@dataclass(frozen=True, kw_only=True, repr=False)
class AblationReport(RunReport):
    """The effects of all changes, the costliest first."""

    bot: str
    games: int
    wanted: int
    remaining_games: int
    remaining_seconds: float | None
    games_per_second: float
    parts: tuple[PartFigures, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each change."""
        return [
            {
                "part": each.part,
                "elo": each.elo,
                "elo_low": each.low,
                "elo_high": each.high,
                "games": each.games,
                "ms": each.milliseconds,
                "ms_whole": each.whole_milliseconds,
                "result": each.sentence,
            }
            for each in self.parts
        ]


class Ablation(VariantRun[AblationReport]):
    """Variants of a bot against the complete bot."""

    def __init__(
        self,
        game: str,
        bot: str,
        *,
        parts: Sequence[str] = (),
        values: Mapping[str, Sequence[str]] | None = None,
        games: int = DEFAULT_GAMES,
        **options: Unpack[RunOptions],
    ) -> None:
        """Find the ablation in its store, or begin it there.

        `parts` are switches to toggle, `values` other values of numbers and words; without both, every switch that is
        on is turned off. `games` is the total number of games of all variants.
        """
        rules = load(game)
        tunable = TunableBot(rules, bot)
        self.variants = variants_of(tunable, parts, values or {})
        options.setdefault("thoughts", False)
        bots = [entrant(rules, spec) for spec in (tunable.variant({}), *(each.spec for each in self.variants))]
        labels = [each.label for each in self.variants]
        name = f"{bot}: {', '.join(labels)}"
        identity = [who.fingerprint for who in bots]
        self.session = VariantSession(ABLATION, name, rules, completed(options), identity)
        try:
            numbers = self.session.enter(bots)
            self.blocks = Blocks({who.fingerprint: number for who, number in zip(bots, numbers, strict=True)})
            self.pairings = [self.pairing(number, numbers[0]) for number in numbers[1:]]
            self.planned: list[list[tuple[Pairing, int]]] = []
            self.target = whole_blocks(whole(GAMES, games), self.block)
            wanted = {"games": self.target, "block": self.block, "bot": bot, "labels": labels}
            wanted["switched_off"] = [each.value is False for each in self.variants]
            self.session.amend(wanted | {"pairings": [pairing.key for pairing in self.pairings]})
            self.tallies = tallies_of(self.session.store, self.run)
            for stored in self.session.games():
                self.add(stored)
        except BaseException:
            self.session.close()
            raise

    def add(self, games: GameColumns) -> None:
        """Count finished games, by variant."""
        super().add(games)
        add_up(games, self.tallies)

    def plan(self) -> list[tuple[Pairing, int]]:
        """The next batch of blocks, which depends on the results of all batches before the last one."""
        keys = [pairing.key for pairing in self.pairings]
        known: dict[str, list[float]] = {key: [] for key in keys}
        counts = dict.fromkeys(keys, 0)
        for number, batch in enumerate(self.planned):
            for pairing, round_ in batch:
                counts[pairing.key] += 1
                score = self.blocks.scores.get((pairing.key, round_)) if number < len(self.planned) - 1 else None
                if score is not None:
                    known[pairing.key].append(score)
        number = max(len(keys), sum(counts.values()) // PLANNED_SHARE)
        blocks = []
        for index in next_variants(list(known.values()), list(counts.values()), number):
            blocks.append((self.pairings[index], counts[keys[index]]))
            counts[keys[index]] += 1
        return blocks

    def report(self) -> AblationReport:
        """The report on all games so far."""
        report = ablation_report(self.session.store, self.run, self.tallies, self.session.games_per_second)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


class StoredVariant(NamedTuple):
    """A variant as its run is stored with it."""

    pairing: str
    label: str
    switched_off: bool  # a part is taken away


def stored_variants(run: Run) -> list[StoredVariant]:
    """The variants of a stored ablation.

    Earlier versions called pairings meetings, and told only by the label whether a part is taken away.
    """
    wanted = run.wanted
    pairings, labels = wanted.get("pairings") or wanted["meetings"], wanted["labels"]
    switched_off = wanted.get("switched_off") or [label.endswith("=off") for label in labels]
    return [StoredVariant(*each) for each in zip(pairings, labels, switched_off, strict=True)]


def tallies_of(store: Store, run: Run) -> dict[str, MatchTally]:
    """An empty tally for each variant of a stored ablation, by pairing."""
    bots = store.bots(run)
    with store.decoding(f"r{run.id}"):
        numbers = {bot.fingerprint: bot.id for bot in bots.values()}
        seats = load(run.game).seats
        pairs = {each.pairing: [numbers[part] for part in each.pairing.split(",")[:2]] for each in stored_variants(run)}
        return {key: MatchTally(one, other, seats, int(run.wanted["block"])) for key, (one, other) in pairs.items()}


def add_up(games: GameColumns, tallies: Mapping[str, MatchTally]) -> None:
    """Count games, each in its variant's tally."""
    for pairing, some in games.by_pairing():
        if pairing in tallies:
            tallies[pairing].add(some)


def part_figures(label: str, bot: str, tally: MatchTally, switched_off: bool) -> PartFigures:
    """The effect of one change, from the games of its variant; `switched_off`: the change takes a part away."""
    found = estimate(tally.distribution)
    total = tally.total
    own, whole_bot = (each.clock.times().mean for each in tally.bots.values())
    sentence = _effect(found, label, switched_off)
    results = (found.games, total.won, total.drawn, total.lost)
    return PartFigures(label, bot, *results, -found.elo, -found.elo_high, -found.elo_low, own, whole_bot, sentence)


def _effect(found: Estimate, label: str, switched_off: bool) -> str:
    """The effect of a change in words; `found` is the estimate from the variant's side."""
    cost, low, high = -found.elo, -found.elo_high, -found.elo_low
    verb, contrary = ("contributes", "harms by") if switched_off else ("costs", "gains")
    if not found.games:
        return "no games yet"
    if found.decided and abs(cost) >= UNBOUNDED:  # it decides every game
        return f"{verb} at least {low:.0f} Elo" if cost > 0 else f"at least {-high:.0f} Elo stronger with {label}"
    if found.decided < 0:
        return f"{verb} {cost:.0f} Elo, at least {low:.0f}"
    if found.decided > 0:
        return f"{-cost:.0f} Elo stronger with {label}, at least {-high:.0f}"
    if low <= -UNBOUNDED and high >= UNBOUNDED:
        return "too few games to tell"
    return f"no effect shown: {verb} {_at_most(high)}, {contrary} {_at_most(-low)} Elo"


def _at_most(bound: float) -> str:
    return "any" if bound >= UNBOUNDED else f"at most {max(bound, 0):.0f}"


def ablation_report(store: Store, run: Run, tallies: Mapping[str, MatchTally], pace: float = 0.0) -> AblationReport:
    """The report of an ablation from its tallies."""
    bots = store.bots(run)
    variants = {each.pairing: each for each in stored_variants(run)}
    labels = {key: variants[key].label for key in tallies}
    parts = [
        part_figures(labels[key], bots[tally.first].label, tally, variants[key].switched_off)
        for key, tally in tallies.items()
    ]
    parts.sort(key=lambda each: -each.elo)
    finished = sum(tally.finished for tally in tallies.values())
    left = max(0, int(run.wanted["games"]) - finished)
    warnings = [
        text
        for key, tally in tallies.items()
        for text in fault_warnings(labels[key], tally.bots[tally.first], tally.counted)
    ]
    return AblationReport(
        **run_fields(run),
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
    """Which changes cost or gain Elo, and which show no effect."""
    known = [each for each in parts if each.games]
    if not known:
        return "no games yet"
    open_ = [each for each in known if each.low <= 0 <= each.high]
    groups = {
        "cost Elo": [f"{each.part} ({_amount(each.elo, each.low)})" for each in known if each.low > 0],
        "gain Elo": [f"{each.part} ({_amount(-each.elo, -each.high)})" for each in reversed(known) if each.high < 0],
        "no effect shown": [
            f"{each.part} (costs {_at_most(each.high)}, gains {_at_most(-each.low)})"
            for each in open_
            if each.high < UNBOUNDED or each.low > -UNBOUNDED
        ],
        "too few games to tell": [each.part for each in open_ if each.high >= UNBOUNDED and each.low <= -UNBOUNDED],
    }
    return "; ".join(f"{words}: {', '.join(parts)}" for words, parts in groups.items() if parts)


def _amount(elo: float, least: float) -> str:
    return f"{elo:.0f}" if elo < UNBOUNDED else f"at least {least:.0f}"


def stored_ablation(store: Store, run: Run) -> AblationReport:
    """The report of a stored ablation, without playing."""
    tallies = tallies_of(store, run)
    for games in store.columns(run):
        add_up(games, tallies)
    return ablation_report(store, run, tallies)
