"""What `podium ablate` and `podium tune` share: the options of all studies, and how one is played and shown."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, get_type_hints

from rich.console import RenderableType

from podium.arena.conditions import Terms
from podium.arena.limits import Policy
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import Json, Milliseconds, Nodes, Seed, compilation_shown
from podium.cli.running import (
    Cluster,
    From,
    Jobs,
    Memory,
    PolicyOption,
    Settings,
    Startup,
    StorePath,
    duration,
    play_shown,
    positions_of,
    settings_of,
)
from podium.cli.words import count
from podium.lab.ablation import AblationReport
from podium.lab.study import Study
from podium.lab.tuned import TuningReport


@dataclass(frozen=True)
class StudyOptions:
    """The options of every study."""

    seed: Seed = 1
    time: Milliseconds = 0.0
    nodes: Nodes = 0
    policy: PolicyOption = Policy.SOFT
    startup: Startup = 0.0
    memory: Memory = 0
    setting: Settings = None
    start: From = None
    jobs: Jobs = 0
    cluster: Cluster = ""
    store: StorePath = DEFAULT_STORE
    json: Json = False

    @property
    def terms(self) -> Terms:
        """The terms of its games."""
        return {
            "time": self.time,
            "nodes": self.nodes,
            "policy": self.policy,
            "startup": self.startup,
            "memory": self.memory,
            "settings": settings_of(self.setting),
            "positions": positions_of(self.start),
        }


def of_study(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has the options of all studies behind its own, and takes them together as `options`."""
    hints = get_type_hints(StudyOptions, include_extras=True)
    shared = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(StudyOptions)
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        own = {name: value for name, value in given.items() if name not in hints}
        command(**own, options=StudyOptions(**{name: value for name, value in given.items() if name in hints}))

    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.name != "options"]
    with_options.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in (*own, *shared)}
    return with_options


def play_study(study: Study, view: Callable[[Any], RenderableType], options: StudyOptions) -> None:
    """Play a study, shown as it goes."""
    with compilation_shown():
        study.prepare()
    play_shown(study, view, progress_line, options.jobs, options.cluster, options.json)


def progress_line(report: TuningReport | AblationReport) -> str:
    """All that matters while a study goes on, in one line."""
    left = f", {report.remaining_games:,} more ({duration(report.remaining_seconds)})" if report.remaining_games else ""
    return f"{count(report.games, 'game')}{left}, {report.games_per_second:.1f} games/s: {report.sentence}"
