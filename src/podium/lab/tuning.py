"""A tuning: which numbers and switches make a bot strongest?

    with Tuning("zuniq", "champion", ["impact=0.5:2", "rave=on|off"], games=2000, nodes=300) as tuning:
        print(tuning.play())

Many settings of one bot play each other, or the opponents named, in one run of the store; a model of all games says
what each parameter does and where the optimum is (`regression`, `proposals`). Then the tuned bot is tested against the
bot as it is (`confirming`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from podium.arena.conditions import Terms, conditions_of
from podium.arena.entrants import entrant
from podium.arena.match import Match, stored_match
from podium.arena.numbers import GAMES, SEED, whole
from podium.arena.report import fault_warnings
from podium.arena.schedule import Meeting
from podium.arena.sprt import Test
from podium.arena.statistics import law_of
from podium.arena.store import DEFAULT_STORE, Run, Store, StoredBot
from podium.errors import PodiumError, unknown
from podium.games import load
from podium.lab.confirming import (
    BOUNDS,
    Confirmation,
    begun_in,
    command_of,
    confirm,
    confirmation,
    limits_of,
    options_of,
)
from podium.lab.proposals import Method, batch, check, propose, usual_method
from podium.lab.regression import Trial
from podium.lab.space import Setting, Space, space_of
from podium.lab.study import TUNING, Blocks, Study, StudySession, block_of
from podium.lab.subject import Subject, written
from podium.lab.tuned import Findings, TuningReport, described_space, findings, put_out_where, sentence

DEFAULT_GAMES = 2000


class Trials:
    """The trials of a run: which setting each bot is, and the scores of the blocks in the order of the schedule."""

    def __init__(self, space: Space, subject: Subject, opponents: Sequence[str]) -> None:
        self.space, self.subject = space, subject
        self.opponents = opponents  # fingerprints; the first is the bot as it is
        self.settings: dict[str, Setting] = {opponents[0]: space.base}  # by fingerprint

    def know(self, bots: Iterable[StoredBot]) -> None:
        """Learn which settings stored bots are."""
        for bot in bots:
            if bot.fingerprint not in self.opponents and (values := self.subject.values_of(bot)) is not None:
                self.settings[bot.fingerprint] = self.space.setting_of(values)

    def put_out(self, blocks: Blocks) -> dict[Setting, bool]:
        """Whether each setting is put out most of the time; one that met only others who were tells nothing."""
        numbers = {self.settings[one]: number for one, number in blocks.numbers.items() if one in self.settings}
        games = {each: (blocks.put_out[number], blocks.sound[number]) for each, number in numbers.items()}
        return {each: out > sound for each, (out, sound) in games.items() if out or sound}

    def of(self, blocks: Blocks, before: int | None = None) -> list[Trial]:
        """The trials so far, or those before a place in the schedule."""
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


class Tuning(Study):
    """Many settings of one bot, and the search for the best."""

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
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        **terms: Unpack[Terms],
    ) -> None:
        """Find the tuning in its store, or begin it there.

        `space` are the parameters with what they may be: `name=low:high`, `name=low:high:log`, `name=a|b|c`,
        `name=on|off`. `games` are those of the search; each of the two tests after it, with the bounds `sprt`, takes at
        most `tests` games (as many as the search by default; 0: no tests). The settings play each other, or the bots
        `against`.
        """
        rules = load(game)
        self.subject = Subject(rules, bot)
        self.space = space_of(self.subject, space)
        self.method = usual_method(self.space) if method is None else _method(method)
        check(self.method, self.space, len(against))
        block = block_of(rules.seats)
        Test(*sprt).check(law_of([], block).scores, block)  # now, not after the search
        terms.setdefault("thoughts", False)
        self.terms, self.sprt, seed = terms, sprt, whole(SEED, seed)
        self.base = self.subject.variant({})
        opponents = [entrant(rules, spec) for spec in (self.base, *against)]
        if len({who.fingerprint for who in opponents}) < len(opponents):
            raise PodiumError("the bots of --against are the bot as it is, or one of them is named twice")
        texts = described_space(self.space)
        prints = [who.fingerprint for who in opponents]
        name = f"{bot}: {', '.join(each.name for each in self.space.dimensions)}"
        identity = [self.method.value, *texts, *prints]
        self.session = StudySession(store, TUNING, name, conditions_of(rules, **terms), seed, identity)
        try:
            self.trials = Trials(self.space, self.subject, prints)
            self.planned: list[list[tuple[Meeting, int]]] = []
            self._last, self._first = 0, 0  # places of the last batch and of the next one in the schedule
            self.opponents = self.session.enter(opponents)
            self.trials.know(bots := self.session.store.bots(self.run).values())
            self.blocks = Blocks({each.fingerprint: each.id for each in bots})
            self.target = -(-whole(GAMES, games) // self.block) * self.block
            self.most_tested = self.target if tests is None else whole(GAMES, tests)
            wanted = {"games": self.target, "block": self.block, "bot": bot, "method": self.method.value}
            wanted |= {"space": list(texts), "opponents": prints, "sprt_tests": list(sprt)}
            wanted |= {"from": str(terms["positions"])} if terms.get("positions") else {}
            kept = {key: self.run.wanted[key] for key in ("tested",) if key in self.run.wanted}
            self.session.store.want(self.run, {**wanted, **kept})
            self.session.run = self.session.store.run(self.run.id)
            for stored in self.session.games():
                self.add(stored)
        except BaseException:
            self.session.close()
            raise
        self.confirmations: tuple[Confirmation, ...] = ()
        self._testing: Match | None = None
        self._found: tuple[int, Findings] | None = None

    def plan(self) -> list[tuple[Meeting, int]]:
        """The next batch of blocks: what the method proposes after all batches before the last one."""
        known = self.trials.of(self.blocks, self._last)
        number = batch(self.method, self._first)
        others = len(self.opponents) - 1
        contests = propose(self.method, self.space, known, self._first, number, others, self.run.seed)
        settings = list(dict.fromkeys(s for c in contests for s in (c.one, c.other) if s is not None))
        numbers = dict(zip(settings, self._enter_settings(settings), strict=True))
        blocks = []
        for place, contest in enumerate(contests, self._first):
            other = self.opponents[contest.opponent] if contest.other is None else numbers[contest.other]
            if numbers[contest.one] != other:  # an opponent may be one of the settings
                blocks.append((self.meeting(numbers[contest.one], other), place))
        self._last, self._first = self._first, self._first + number
        return blocks

    def _enter_settings(self, settings: Sequence[Setting]) -> list[int]:
        numbers = self.enter(self.subject.variant(self.space.changes(setting)) for setting in settings)
        for number, setting in zip(numbers, settings, strict=True):
            self.trials.settings.setdefault(self.session.entrants[number].fingerprint, setting)
        return numbers

    def play(
        self,
        jobs: int = 0,
        cluster: str = "",
        progress: Callable[["Tuning"], None] | None = None,
        most: int | None = None,
    ) -> TuningReport:
        """Search and then test, or search for at most so many games: `jobs` at a time, or on a Dask cluster.

        `progress` is called a few times a second. What interrupts it (Ctrl-C, an error) loses no finished game.
        """
        look = (lambda: progress(self)) if progress else lambda: None
        self.played(jobs, cluster, look, most)
        if self.enough and self.most_tested:
            self._test(jobs, cluster, look)
        return self.report()

    def _test(self, jobs: int, cluster: str, look: Callable[[], None]) -> None:
        """The two tests; the second only where the first was passed."""
        tuned = self.tuned
        if self.found.best == self.space.base:
            return

        def watch(match: Match) -> None:
            self._testing = match
            look()

        tests: list[Confirmation] = []
        for second in (False, True):
            if second and not tests[0].passed:
                break
            found = confirm(
                self.run.game,
                tuned,
                self.base,
                self.terms,
                store=self.session.store.path,
                seed=self.run.seed,
                bounds=self.sprt,
                games=self.most_tested,
                jobs=jobs,
                cluster=cluster,
                second=second,
                look=watch,
            )
            self._testing = None
            tests.append(found)
            self.confirmations = tuple(tests)
            tested = {"bot": tuned, "runs": [[test.run, test.limits, test.command] for test in tests]}
            self.session.store.amend(self.run, {"tested": tested})

    @property
    def found(self) -> Findings:
        """What the trials say now."""
        if self._found is None or self._found[0] != len(self.blocks.scores):
            known = findings(self.method, self.space, self.trials.of(self.blocks))
            self._found = len(self.blocks.scores), known
        return self._found[1]

    @property
    def tuned(self) -> str:
        """The text that names the bot with the best setting."""
        return self.subject.variant(self.space.changes(self.found.best))

    def report(self) -> TuningReport:
        """All figures as they are now."""
        tests, testing = list(self.confirmations), self._testing
        if testing is not None:
            tests.append(confirmation(testing.report(), limits_of(testing), ""))
        now = (tests, testing is not None, self.pace)
        report = tuning_report(self.run, self.trials, self.method, self.blocks, self.found, *now)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


def _method(method: Method | str) -> Method:
    if isinstance(method, Method):
        return method
    known = {each.value: each for each in Method}
    if method not in known:
        raise unknown("method", method, known)
    return known[method]


def tuning_report(
    run: Run,
    trials: Trials,
    method: Method,
    blocks: Blocks,
    found: Findings,
    tests: Sequence[Confirmation],
    testing: bool = False,
    pace: float = 0.0,
) -> TuningReport:
    """All that is known of a tuning."""
    subject, space = trials.subject, trials.space
    wanted = int(run.wanted.get("games") or 0)
    left = max(0, wanted - blocks.finished)
    base, tuned = subject.variant({}), subject.variant(space.changes(found.best))
    options, start = options_of(run.conditions), run.wanted.get("from", "")
    return TuningReport(
        run=f"r{run.id}",
        kind=run.kind,
        game=run.game,
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
        confirmations=tuple(tests),
        sentence=sentence(base, found, space, blocks.finished, tests, testing),
        line="" if found.best == space.base else command_of(run.game, tuned, base, *options, *begun_in(start)),
        warnings=(*_faults(trials, blocks), *_at_bounds(space, found), *([] if tests else _tested_before(run, tuned))),
    )


def _tested_before(run: Run, tuned: str) -> list[str]:
    """What to say where the tests were those of an earlier answer."""
    tested = run.wanted.get("tested") or {"bot": tuned}
    if tested["bot"] == tuned:
        return []
    return [f"an earlier answer was tested, {tested['bot']}: see {', '.join(test[0] for test in tested['runs'])}"]


def _faults(trials: Trials, blocks: Blocks) -> list[str]:
    """What is wrong with settings, and with which."""
    found = fault_warnings("some setting", blocks.faults, blocks.finished)
    where = put_out_where(trials.space, trials.put_out(blocks)) if found else ""
    return [*found, where] if where else found


def _at_bounds(space: Space, found: Findings) -> list[str]:
    """What to say of numbers that want to be beyond their range."""
    return [
        f"the best {each.name} lies at the end of its range: better ones may lie beyond {written(value)}"
        for each, value in zip(space.dimensions, found.best, strict=True)
        if not each.words and value in (each.low, each.high) and value != each.base
    ]


def stored_tuning(store: Store, run: Run) -> TuningReport:
    """The report of a tuning that is only looked at."""
    with store.decoding(f"r{run.id}"):
        wanted: Mapping[str, Any] = run.wanted
        subject = Subject(load(run.game), wanted["bot"])
        space = space_of(subject, wanted["space"])
        method, size = Method(wanted["method"]), int(wanted["block"])
        trials = Trials(space, subject, wanted["opponents"])
        tested = wanted.get("tested") or {"bot": "", "runs": []}
    bots = store.bots(run).values()
    trials.know(bots)
    blocks = Blocks({bot.fingerprint: bot.id for bot in bots})
    for games in store.batches(run):
        blocks.add(games, size)
    found = findings(method, space, trials.of(blocks))
    tests = []
    if tested["bot"] == subject.variant(space.changes(found.best)):  # those of an earlier answer tell nothing of this
        for name, limits, command in tested["runs"]:
            tests.append(confirmation(stored_match(store, store.run(int(name[1:]))), limits, command))
    return tuning_report(run, trials, method, blocks, found, tests)
