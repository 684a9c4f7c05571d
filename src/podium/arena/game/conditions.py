"""The conditions of a run: the game with its settings, what an answer may cost, what programs may use."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from podium.arena.game.limits import LatePolicy, TimeControl
from podium.arena.game.start_positions import Positions
from podium.model.params import Value


@dataclass(frozen=True)
class Conditions:
    """The conditions under which the games of a run are played; plain data, sent to workers and kept in the store."""

    game: str
    settings: Mapping[str, Value] = field(default_factory=dict)
    time_control: TimeControl = field(default_factory=TimeControl)
    memory: int = 0  # megabytes for each program; 0: no limit
    keep_thoughts: bool = True
    suspend: bool = False  # programs sleep while they are not asked
    fair: bool = False  # a game in which the machine made a bot late is annulled, and another block is played
    positions: Positions | None = None  # that games begin in, one a block; else at their start
    seeds: tuple[int, ...] = ()  # of the blocks, in turn; else they follow from the run's seed

    def text(self) -> str:
        """As stable text, from which `conditions_from` makes them again."""
        data = asdict(self)
        stored = data["allowance"] = data.pop("time_control")  # the names of former versions: the text is an identity
        stored["overruns"], stored["policy"] = stored.pop("overrun_limit"), stored["policy"].value
        data["positions"] = self.positions.digest if self.positions else None
        for name in ("fair", "positions", "seeds"):
            if not data[name]:
                del data[name]  # so that older runs keep their identity
        return json.dumps(data, sort_keys=True)

    def limits(self) -> str:
        """The limits of an answer as text; empty for the contest's own limits."""
        time_control = self.time_control
        words = [f"{time_control.nodes:,} nodes"] if time_control.nodes else []
        words += [f"{time_control.milliseconds:g} ms"] if time_control.milliseconds else []
        return " ".join(words)


def conditions_from(text: str) -> Conditions:
    """The conditions that `Conditions.text` wrote; of a text that nobody wrote so, some plain error of Python."""
    data = json.loads(text)
    stored = data.pop("allowance")
    policy, limit = LatePolicy(stored.pop("policy")), stored.pop("overruns")
    positions = Positions(data.pop("positions")) if "positions" in data else None
    data["seeds"] = tuple(data.get("seeds", ()))
    return Conditions(
        **data, time_control=TimeControl(**stored, policy=policy, overrun_limit=limit), positions=positions
    )
