"""A tuning: which parameters make a bot strongest?

    with Tuning("zuniq", "champion", ["impact=0.5:2", "rave=on|off"], games=2000, nodes=300) as tuning:
        print(tuning.play())

Many settings of one bot play each other, or the opponents named, in one run of the store; a model of all games
estimates the effect of each parameter and the optimum (`regression`, `proposals`). Then the tuned bot is tested against
the baseline bot (`validation_match`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from podium.arena.bounds import GAMES, whole
from podium.arena.entrants.entrant import Entrant, entrant
from podium.arena.stats.intervals import no_blocks
from podium.arena.stats.sprt import Sprt
from podium.arena.store.store import Run, Store, StoredBot
from podium.arena.tournament.match import Match, stored_match
from podium.arena.tournament.options import RunOptions, choice, completed
from podium.arena.tournament.report import fault_warnings, run_fields
from podium.arena.tournament.schedule import Pairing, whole_blocks
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game
from podium.lab.tune.proposals import Method, batch, check, propose, usual_method
from podium.lab.tune.regression import Trial
from podium.lab.tune.space import SearchSpace, Setting, space_of
from podium.lab.tune.tunable import TunableBot, written
from podium.lab.tune.tuning_report import (
    TuningFindings,
    TuningReport,
    described_space,
    disqualified_where,
    findings,
    sentence,
)
from podium.lab.tune.validation_match import (
    BOUNDS,
    ValidationResult,
    begun_in,
    command_of,
    limits_of,
    options_of,
    play_validation,
    validation_result,
)
from podium.lab.tune.variant_run import TUNING, Blocks, VariantRun, VariantSession, block_of

DEFAULT_GAMES = 2000


class TrialHistory:
    """The trials of a run: the setting of each bot, and the scores of the blocks in the order of the schedule."""

    def __init__(self, space: SearchSpace, tunable: TunableBot, opponents: Sequence[str]) -> None:
        self.space, self.tunable = space, tunable
        self.opponents = opponents  # fingerprints; the first is the baseline bot
        self.settings: dict[str, Setting] = {opponents[0]: space.base}  # by fingerprint

    def know(self, bots: Iterable[StoredBot]) -> None:
        """Read the settings of stored bots from their names."""
        for bot in bots:
            if bot.fingerprint not in self.opponents and (values := self.tunable.values_of(bot)) is not None:
                self.settings[bot.fingerprint] = self.space.setting_of(values)

    def disqualified(self, blocks: Blocks) -> dict[Setting, bool]:
        """Whether each setting is disqualified in most of its games; settings without a valid game are left out."""
        numbers = {self.settings[one]: number for one, number in blocks.numbers.items() if one in self.settings}
        games = {each: (blocks.disqualified[number], blocks.valid[number]) for each, number in numbers.items()}
        return {each: faulty > valid for each, (faulty, valid) in games.items() if faulty or valid}

    def of(self, blocks: Blocks, before: int | None = None) -> list[Trial]:
        """The trials so far, or only those before a place in the schedule."""
        places = sorted((round_, key) for key, round_ in blocks.scores if before is None or round_ < before)
        found = []
        for round_, key in places:
            score = blocks.scores[key, round_]
            one, other = key.split(",")[:2]
            if score is None or one not in self.settings:
                continue
            if other in self.opponents:
                found.append(Trial(self.settings[one], None, self.opponents.index(other), score))
            elif other in self.settings:
                found.append(Trial(self.settings[one], self.settings[other], 0, score))
        return found


class Tuning(VariantRun[TuningReport]):
    """A search for the best setting of a bot, and its validation."""

    def __init__(
        self,
        game: str,
        bot: str,
        space: Sequence[str],
        *,
        games: int = DEFAULT_GAMES,
        against: Sequence[str] = (),
        method: Method | str | None = None,
        sprt: tuple[float, float] = BOUNDS,
        tests: int | None = None,
        **options: Unpack[RunOptions],
    ) -> None:
        """Find the tuning in its store, or begin it there.

        `space` are the parameters with their ranges: `name=low:high`, `name=low:high:log`, `name=a|b|c`, `name=on|off`.
        `games` is the number of games of the search; each of the two tests after it, with the bounds `sprt`, takes at
        most `tests` games (by default as many as the search; 0: no tests). The settings play each other, or the bots
        `against`.
        """
        rules = load(game)
        self.tunable = TunableBot(rules, bot)
        self.space = space_of(self.tunable, space)
        self.method = usual_method(self.space) if method is None else choice("method", Method, method)
        check(self.method, self.space, len(against))
        block = block_of(rules.seats)
        Sprt(*sprt).check(tuple(no_blocks(block)), block)  # now, not after the search
        options.setdefault("thoughts", False)
        self.options, self.sprt = options, sprt
        self.base = self.tunable.variant({})
        opponents = _opponents(rules, (self.base, *against))
        texts = described_space(self.space)
        prints = [who.fingerprint for who in opponents]
        name = f"{bot}: {', '.join(each.name for each in self.space.dimensions)}"
        identity = [self.method.value, *texts, *prints]
        self.session = VariantSession(TUNING, name, rules, completed(options), identity)
        self.trials = TrialHistory(self.space, self.tunable, prints)
        self.planned: list[list[tuple[Pairing, int]]] = []
        self._last, self._first = 0, 0  # places of the last batch and of the next one in the schedule
        self.validations: tuple[ValidationResult, ...] = ()
        self._validating: Match | None = None
        self._found: tuple[int, TuningFindings] | None = None
        try:
            self.opponents = self.session.enter(opponents)
            self.target = whole_blocks(whole(GAMES, games), self.block)
            self.max_validation_games = self.target if tests is None else whole(GAMES, tests)
            wanted = {"games": self.target, "block": self.block, "bot": bot, "method": self.method.value}
            self._begin(wanted | {"space": list(texts), "opponents": prints, "sprt_tests": list(sprt)})
        except BaseException:
            self.session.close()
            raise

    def _begin(self, wanted: dict[str, Any]) -> None:
        """Note in the store what is asked for, and count the games that it has."""
        if self.options.get("positions"):
            wanted["from"] = str(self.options["positions"])
        self.session.amend(wanted)
        self.trials.know(bots := self.session.store.bots(self.run).values())
        self.blocks = Blocks({each.fingerprint: each.id for each in bots})
        for stored in self.session.games():
            self.add(stored)

    def plan(self) -> list[tuple[Pairing, int]]:
        """The next batch of blocks, which the method proposes from the trials of all batches before the last one."""
        known = self.trials.of(self.blocks, self._last)
        number = batch(self.method, self._first)
        others = len(self.opponents) - 1
        proposed = propose(self.method, self.space, known, self._first, number, others, self.run.seed)
        settings = list(dict.fromkeys(s for block in proposed for s in (block.one, block.other) if s is not None))
        numbers = dict(zip(settings, self._enter_settings(settings), strict=True))
        blocks = []
        for place, block in enumerate(proposed, self._first):
            other = self.opponents[block.opponent] if block.other is None else numbers[block.other]
            if numbers[block.one] != other:  # an opponent may be one of the settings
                blocks.append((self.pairing(numbers[block.one], other), place))
        self._last, self._first = self._first, self._first + number
        return blocks

    def _enter_settings(self, settings: Sequence[Setting]) -> list[int]:
        numbers = self.enter(self.tunable.variant(self.space.changes(setting)) for setting in settings)
        for number, setting in zip(numbers, settings, strict=True):
            self.trials.settings.setdefault(self.session.entrants[number].fingerprint, setting)
        return numbers

    def validate(self, jobs: int | None, cluster: str | None, look: Callable[[], None]) -> None:
        """Play the two validation matches; the second only if the first was passed."""
        tuned = self.tuned
        if not self.max_validation_games or self.found.best == self.space.base:
            return

        def watch(match: Match) -> None:
            self._validating = match
            look()

        tests: list[ValidationResult] = []
        for second in (False, True):
            if second and not tests[0].passed:
                break
            found = play_validation(
                self.run.game,
                tuned,
                self.base,
                self.options,
                seed=self.run.seed,
                bounds=self.sprt,
                games=self.max_validation_games,
                jobs=jobs,
                cluster=cluster,
                second=second,
                look=watch,
            )
            self._validating = None
            tests.append(found)
            self.validations = tuple(tests)
            tested = {"bot": tuned, "runs": [[test.run, test.limits, test.command] for test in tests]}
            self.session.amend({"tested": tested})

    @property
    def found(self) -> TuningFindings:
        """What the trials so far show."""
        if self._found is None or self._found[0] != len(self.blocks.scores):
            known = findings(self.method, self.space, self.trials.of(self.blocks))
            self._found = len(self.blocks.scores), known
        return self._found[1]

    @property
    def tuned(self) -> str:
        """The text that names the bot with the best setting."""
        return self.tunable.variant(self.space.changes(self.found.best))

    def report(self) -> TuningReport:
        """The report on all games so far."""
        tests, testing = list(self.validations), self._validating
        if testing is not None:
            tests.append(validation_result(testing.report(), limits_of(testing), ""))
        now = (tests, testing is not None, self.session.games_per_second)
        report = tuning_report(self.run, self.trials, self.method, self.blocks, self.found, *now)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


def _opponents(game: Game, specs: Sequence[str]) -> list[Entrant]:
    """The baseline bot and those that it was named with; PodiumError if two are the same."""
    opponents = [entrant(game, spec) for spec in specs]
    if len({who.fingerprint for who in opponents}) < len(opponents):
        raise PodiumError("--against names the baseline bot, or the same bot twice")
    return opponents


def tuning_report(
    run: Run,
    trials: TrialHistory,
    method: Method,
    blocks: Blocks,
    found: TuningFindings,
    tests: Sequence[ValidationResult],
    testing: bool = False,
    pace: float = 0.0,
) -> TuningReport:
    """The report of a tuning from its trials and tests."""
    tunable, space = trials.tunable, trials.space
    wanted = int(run.wanted.get("games") or 0)
    left = max(0, wanted - blocks.finished)
    base, tuned = tunable.variant({}), tunable.variant(space.changes(found.best))
    options, start = options_of(run.conditions), run.wanted.get("from", "")
    return TuningReport(
        **run_fields(run),
        bot=base,
        method=method.value,
        space=described_space(space),
        games=blocks.finished,
        wanted=wanted,
        remaining_games=left,
        remaining_seconds=left / pace if pace else None,
        games_per_second=pace,
        gain=found.gain,
        parameters=found.parameters,
        tuned=tuned,
        validations=tuple(tests),
        sentence=sentence(base, found, space, blocks.finished, tests, testing),
        line="" if found.best == space.base else command_of(run.game, tuned, base, *options, *begun_in(start)),
        warnings=(
            *_faults(trials, blocks),
            *_at_bounds(space, found),
            *([] if tests else _tested_before(run, tunable, tuned)),
        ),
    )


def _tested_before(run: Run, tunable: TunableBot, tuned: str) -> list[str]:
    """A warning if the tests were those of an earlier answer."""
    tested = run.wanted.get("tested") or {"bot": tuned}
    if tunable.is_same(tested["bot"], tuned):
        return []
    return [f"an earlier answer was tested, {tested['bot']}: see {', '.join(test[0] for test in tested['runs'])}"]


def _faults(trials: TrialHistory, blocks: Blocks) -> list[str]:
    """Warnings about settings that crash, are late or play illegal moves."""
    found = fault_warnings("some setting", blocks.faults, blocks.finished)
    where = disqualified_where(trials.space, trials.disqualified(blocks)) if found else ""
    return [*found, where] if where else found


def _at_bounds(space: SearchSpace, found: TuningFindings) -> list[str]:
    """Warnings about numbers whose best value is a bound of their range."""
    return [
        f"the best {each.name} is a bound of its range: better values may lie beyond {written(value)}"
        for each, value in zip(space.dimensions, found.best, strict=True)
        if not each.words and value in (each.low, each.high) and value != each.base
    ]


def stored_tuning(store: Store, run: Run) -> TuningReport:
    """The report of a stored tuning, without playing."""
    with store.decoding(f"r{run.id}"):
        wanted: Mapping[str, Any] = run.wanted
        tunable = TunableBot(load(run.game), wanted["bot"])
        space = space_of(tunable, wanted["space"])
        method, size = Method(wanted["method"]), int(wanted["block"])
        trials = TrialHistory(space, tunable, wanted["opponents"])
        tested = wanted.get("tested") or {"bot": "", "runs": []}
    bots = store.bots(run).values()
    trials.know(bots)
    blocks = Blocks({bot.fingerprint: bot.id for bot in bots})
    for games in store.columns(run):
        blocks.add(games, size)
    found = findings(method, space, trials.of(blocks))
    tests = []
    best = tunable.variant(space.changes(found.best))
    if tunable.is_same(tested["bot"], best):  # the tests are not those of an earlier answer
        for name, limits, command in tested["runs"]:
            tests.append(validation_result(stored_match(store, store.run(int(name[1:]))), limits, command))
    return tuning_report(run, trials, method, blocks, found, tests)
