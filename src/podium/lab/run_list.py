"""The runs of a store as a list: what was played, how it stands, and the user's titles, tags and notes."""

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from podium.arena.store.run_remarks import delete_run, remark
from podium.arena.store.store import Run, Store
from podium.display import Displayable
from podium.errors import PodiumError, UnknownNameError, suggestion, unknown
from podium.games.parsing import parse_int
from podium.model.params import LARGEST

MOST_ADDED_UP = 20_000  # games of a run without a current summary, for which a list makes a report
WORDS = {  # what a match shows of its first bot, in few words
    "stronger": "{0} is stronger",
    "weaker": "{1} is stronger",
    "not_weaker": "{0} is not weaker",
    "not_stronger": "{0} is not stronger",
    "no_difference": "no difference shown",
    "undecided": "undecided",
    "machine_fault": "no conclusion",
    "so_far": "so far",
    "no_games": "no games yet",
}


@dataclass(frozen=True)
class RunLine:
    """A run in a list."""

    run: str
    kind: str
    game: str
    name: str  # the title that the user gave it, or its own name
    tags: tuple[str, ...]
    note: str
    seed: int
    time: float  # limit per move in ms; 0: none, or the contest's
    nodes: int  # limit per move; 0: none
    games: int
    score: float | None  # of the first bot of a match
    verdict: str | None  # of a match: its code
    result: str  # the verdict in few words, or the conclusion
    created: float  # seconds since 1970
    last: float  # when its last game ended, in seconds since 1970


@dataclass(frozen=True, repr=False)
class RunList(Displayable):
    """The runs of a store."""

    runs: tuple[RunLine, ...]

    @property
    def headline(self) -> str:
        """How many runs there are."""
        return "1 run" if len(self.runs) == 1 else f"{len(self.runs):,} runs"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each run, the oldest first, with local times."""
        return [
            asdict(each) | {name: datetime.fromtimestamp(getattr(each, name)) for name in ("created", "last")}
            for each in self.runs
        ]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"runs": [asdict(each) for each in self.runs]}


def list_runs(store: Path | str, game: str = "", kind: str = "", tag: str = "") -> RunList:
    """The runs of a store; only those of a game, of a kind (match, league, ...) or with a tag, if these are given."""
    with Store(Path(store), create=False) as opened:
        fitting = [
            (run, games, last)
            for run, games, last in opened.runs()
            if game in ("", run.game) and kind in ("", run.kind) and (not tag or tag in run.tags)
        ]
        return RunList(tuple(_line(opened, *row) for row in fitting))


def why_none(store: Path | str, game: str, kind: str, tag: str) -> PodiumError:
    """What to say where no run of a store passes the filters."""
    with Store(Path(store), create=False) as opened:
        runs = [run for run, _, _ in opened.runs()]
    games, kinds = {run.game for run in runs}, {"match", "league", *(run.kind for run in runs)}
    tags = {each for run in runs for each in run.tags}
    if game and game not in games:
        return UnknownNameError(f"no runs of game {game!r} in {store}{suggestion(game, games)}")
    if kind and kind not in kinds:
        return unknown("kind", kind, kinds)
    if tag and tag not in tags:
        return UnknownNameError(f"no runs with the tag {tag}{suggestion(tag, tags)}")
    return PodiumError(f"no runs of that kind in {store}; `podium runs` lists all")


def _line(store: Store, run: Run, games: int, last: float) -> RunLine:
    summary = run.summary if run.summary.get("games") == games else _made_now(store, run, games)
    verdict, names = summary.get("verdict"), summary.get("bots") or ("", "")
    words = WORDS.get(str(verdict), "").format(*names) or str(summary.get("sentence") or "")
    named = (f"r{run.id}", run.kind, run.game, run.title, run.tags, run.note, run.seed)
    control = run.conditions.time_control
    result = (games, summary.get("score"), verdict, words)
    return RunLine(*named, control.milliseconds, control.nodes, *result, run.created, last)


def _made_now(store: Store, run: Run, games: int) -> dict[str, Any]:
    """The summary of a run that is being played, was killed, or was written by an earlier version."""
    from podium.lab.reports import report_of  # most lists need none

    if not games:
        return {"sentence": WORDS["no_games"]}
    if games > MOST_ADDED_UP:
        return {"sentence": f"see podium show r{run.id}"}
    try:
        return report_of(store, run).summary()
    except PodiumError:  # a single game of a page, or a run that is damaged
        return {"sentence": store.last_games(run, 1)[0].sentence if games == 1 else f"see podium show r{run.id}"}


def run_numbered(text: str) -> int:
    """The number of a run such as `r3`."""
    number = parse_int(text.lower().removeprefix("r"), 0, LARGEST)
    if number is None:
        raise PodiumError(f"expected a run such as r3, not {text!r}")
    return number


def check_runs(runs: list[str], store: Path | str) -> None:
    """PodiumError if one of the runs such as `r3` does not exist."""
    with Store(Path(store), create=False) as opened:
        for text in runs:
            opened.run(run_numbered(text))


def delete_runs(runs: list[str], store: Path | str) -> int:
    """Delete runs such as `r3` with all their games; the number of games."""
    numbers = [run_numbered(text) for text in dict.fromkeys(runs)]
    _refuse_missing(store)
    with Store(Path(store)) as opened:
        chosen = [opened.run(number) for number in numbers]  # all of them exist, or none is deleted
        return sum(delete_run(opened, run) for run in chosen)


def remark_on(run: str, store: Path | str, **changes: Any) -> Run:
    """Change the title, the note or the tags of a run such as `r3` (see `podium.arena.store.run_remarks.remark`)."""
    _refuse_missing(store)
    with Store(Path(store)) as opened:
        return remark(opened, opened.run(run_numbered(run)), **changes)


def _refuse_missing(store: Path | str) -> None:
    """A store that is opened for writing would be created."""
    if not Path(store).exists():
        Store(Path(store), create=False).close()
