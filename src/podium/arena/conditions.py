"""The conditions of a run: the game with its settings, what an answer may cost, what programs may use."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypedDict, Unpack

from podium.arena.limits import Allowance, Policy
from podium.arena.numbers import MEMORY, NODES, RESERVE, STARTUP, TIME, real, whole
from podium.arena.positions import Positions, read_positions
from podium.errors import unknown
from podium.games.game import Game
from podium.kernel.minds import Value


@dataclass(frozen=True)
class Conditions:
    """Under which games of a run are played; plain data that travels to workers and into the store."""

    game: str
    settings: Mapping[str, Value] = field(default_factory=dict)
    allowance: Allowance = field(default_factory=Allowance)
    memory: int = 0  # megabytes for each program; 0: no limit
    keep_thoughts: bool = True
    suspend: bool = False  # programs sleep while they are not asked
    fair: bool = False  # a game in which the machine made a bot late is void, and its block is played again
    positions: Positions | None = None  # that games begin in, one a block; else at their start

    def text(self) -> str:
        """As stable text, from which `conditions_from` makes them again."""
        data = asdict(self)
        data["allowance"]["policy"] = self.allowance.policy.value
        data["positions"] = self.positions.digest if self.positions else None
        for name in ("fair", "positions"):
            if not data[name]:
                del data[name]  # runs of before are found again
        return json.dumps(data, sort_keys=True)

    def limits(self) -> str:
        """What an answer may cost, for people; nothing where it is what the contest gives."""
        allowance = self.allowance
        words = [f"{allowance.nodes:,} nodes"] if allowance.nodes else []
        words += [f"{allowance.milliseconds:g} ms"] if allowance.milliseconds else []
        return " ".join(words)


class Terms(TypedDict, total=False):
    """What a user may say about conditions; all of it may be left out."""

    time: float  # ms per answer; 0: the contest's own limits
    nodes: int  # per answer instead of time, for bots that count them; 0: time
    policy: Policy | str  # what happens to answers after the limit
    reserve: float  # ms for the overruns of a game, with the policy `bank`
    startup: float  # ms that programs get on top for their first answer
    memory: int  # megabytes for each program; 0: no limit
    suspend: bool  # programs sleep while it is not their turn
    fair: bool  # games that the machine has decided are void and played again
    settings: Mapping[str, object]  # of the game
    positions: Path | str  # a file of positions that games begin in
    thoughts: bool  # keep what bots thought with each game


def conditions_of(game: Game, **terms: Unpack[Terms]) -> Conditions:
    """The conditions that a user's terms stand for."""
    usual = Allowance()
    policy = terms.get("policy", usual.policy)
    if not isinstance(policy, Policy):
        known = {each.value: each for each in Policy}
        if policy not in known:
            raise unknown("policy", policy, known)
        policy = known[policy]
    allowance = Allowance(
        real(TIME, terms.get("time", 0.0)),
        whole(NODES, terms.get("nodes", 0)),
        policy,
        reserve=real(RESERVE, terms.get("reserve", usual.reserve)),
        startup=real(STARTUP, terms.get("startup", usual.startup)),
    )
    settings, positions = game.read_settings(terms.get("settings", {})), None
    if terms.get("positions"):
        positions, settings = read_positions(game, Path(terms["positions"]), settings)
    return Conditions(
        game.name,
        settings,
        allowance,
        whole(MEMORY, terms.get("memory", 0)),
        terms.get("thoughts", True),
        terms.get("suspend", False),
        terms.get("fair", False),
        positions,
    )


def conditions_from(text: str) -> Conditions:
    """The conditions that `Conditions.text` wrote; of a text that nobody wrote so, some plain error of Python."""
    data = json.loads(text)
    allowance = data.pop("allowance")
    allowance["policy"] = Policy(allowance["policy"])
    positions = Positions(data.pop("positions")) if "positions" in data else None
    return Conditions(**data, allowance=Allowance(**allowance), positions=positions)
