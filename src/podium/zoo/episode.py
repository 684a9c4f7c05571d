"""One game as all environments play it: prompts into views, views into observations, actions into answers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary

from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Answer, Game, Request, picture_text
from podium.games.view import View
from podium.model.hooks import features
from podium.model.rules import legal_moves
from podium.model.ruleset import Rules

Observation = dict[str, Any]
WORD = 64  # bits of the words in which states keep sets of cells


class EnvironmentGame:
    """A game and the spaces of its observations and actions."""

    def __init__(self, game: Game | str) -> None:
        self.game = load(game) if isinstance(game, str) else game
        if self.game.view is None or self.game.rules is None or not self.game.rules.move_codes:
            raise PodiumError(f"{self.game.name} cannot be an environment: it has no view for learners")
        self.rules: Rules = self.game.rules
        self.agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.inputs = self.game.learning().inputs if self.game.learning else 0

    def action_space(self) -> Discrete:
        """The numbers of moves."""
        return Discrete(self.rules.move_codes)

    def observation_space(self) -> Dict:
        """The fields of a state and the own seat, the inputs of a network if there are any, the mask of actions."""
        fields = {name: _space(self.rules.state[name]) for name in self.rules.state.names or ()}
        space: dict[str, Any] = {"observation": Dict({**fields, "seat": Discrete(self.game.seats)})}
        if self.inputs:
            space["features"] = MultiBinary(self.inputs)
        return Dict({**space, "action_mask": MultiBinary(self.rules.move_codes)})

    def blank(self) -> Observation:
        """The observation of a seat that has not been asked yet: nothing but zeros."""
        return self._observation(np.zeros(1, self.rules.state).view(np.recarray)[0], 0, 0)

    def observation(self, view: View, is_asked: bool) -> Observation:
        """What a seat knows by its view; without legal actions unless it has been asked."""
        seen = self._observation(view.state, view.seat, self.inputs)
        if is_asked:
            seen["action_mask"][self.legal(view)] = 1
        return seen

    def legal(self, view: View) -> np.ndarray:
        """The actions that are legal for a seat who has been asked."""
        out = np.zeros(self.rules.most_moves, np.int64)
        return out[: legal_moves(view.state, out)]

    def _observation(self, state: Any, seat: int, inputs: int) -> Observation:
        fields = {name: _plain(state[name]) for name in self.rules.state.names or ()}
        seen: Observation = {"observation": {**fields, "seat": np.int64(seat)}}
        if self.inputs:
            seen["features"] = np.zeros(self.inputs, np.int8)
        if inputs:
            on = np.zeros(inputs, np.int64)
            seen["features"][on[: features(state, on)]] = 1
        return {**seen, "action_mask": np.zeros(self.rules.move_codes, np.int8)}

    def picture(self, referee: Any) -> str:
        """The position as text."""
        return picture_text(self.game.pictures.picture(self.game.scene_of(referee)))


def _space(field: np.dtype[Any]) -> Any:
    """The space of a field of a record. A word of 64 bits is a set of cells more often than a number: its bits."""
    if field.base == np.uint64:
        return MultiBinary((*field.shape, WORD))
    if field.base == np.bool_:
        return MultiBinary(field.shape or 1)
    if field.base.kind == "f":
        return Box(-np.inf, np.inf, field.shape, field.base.type)
    limits = np.iinfo(field.base)
    return Box(limits.min, limits.max, field.shape, field.base.type)


def _plain(value: Any) -> np.ndarray:
    """The value of a field as an array in its space."""
    array = np.asarray(value)
    if array.dtype == np.uint64:
        octets = np.atleast_1d(array).astype("<u8").view(np.uint8)
        return np.unpackbits(octets, bitorder="little").reshape(*array.shape, WORD).astype(np.int8)
    if array.dtype == np.bool_:
        return np.atleast_1d(array).astype(np.int8)
    return array.copy()


class Episode:
    """One game: a view for each seat, and who has to act."""

    def __init__(self, made: EnvironmentGame, seed: int, settings: Mapping[str, object]) -> None:
        self.made, self.seed = made, seed
        self.game: Game = made.game
        self.referee = self.game.new_referee(seed, settings)
        assert self.game.view is not None
        self.views: list[View] = [self.game.view() for _ in range(self.game.seats)]
        self.pending: dict[int, Request] = {}  # by seat, of this turn
        self.history: list[list[tuple[Request, str]]] = [[] for _ in range(self.game.seats)]  # and what was answered
        self._known: set[int] = set()
        self._lines: dict[int, str] = {}  # the answers of this turn
        self._ask()

    @property
    def waiting(self) -> list[int]:
        """The seats that still have to act in this turn."""
        return [seat for seat in self.pending if seat not in self._lines]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.pending

    def observe(self, seat: int) -> Observation:
        """What a seat knows since its last prompt."""
        if seat not in self._known:
            return self.made.blank()
        return self.made.observation(self.views[seat], seat in self.waiting)

    def act(self, seat: int, action: int) -> None:
        """An action of a seat; one that the mask forbids is an answer that the referee cannot read."""
        if action in self.made.legal(self.views[seat]):
            self.answer(seat, self.views[seat].answer_of(int(action)))
        else:
            self.answer(seat, f"illegal action {action}", is_legal=False)

    def answer(self, seat: int, line: str, is_legal: bool = True) -> None:
        """The same as text; the referee plays once all seats have answered."""
        if is_legal:
            self.views[seat].answered(line)
        self._lines[seat] = line
        self.history[seat].append((self.pending[seat], line))
        if not self.waiting:
            self.referee.answer([Answer(self._lines[seat]) for seat in self.pending])
            self._ask()

    def _ask(self) -> None:
        """Show all who are asked now their prompts."""
        self._lines = {}
        self.pending = {request.seat: request for request in self.referee.requests()}
        for seat, request in self.pending.items():
            self.views[seat].read(request.lines)
            self._known.add(seat)

    def rewards(self) -> list[float]:
        """The reward of each seat in a game that is over."""
        assert self.referee.outcome is not None
        ranks = self.referee.outcome.ranks
        places = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
        return [1 - 2 * (place - 1) / (len(ranks) - 1) for place in places]

    def info(self, seat: int) -> dict[str, Any]:
        """What is known of a seat besides: at the end its rank, and how the game ended."""
        outcome = self.referee.outcome
        return {"rank": outcome.ranks[seat], "outcome": outcome.detail} if outcome else {}


def seed_or_any(seed: int | None) -> int:
    """A seed, drawn if none is given."""
    return int(np.random.default_rng().integers(2**62)) if seed is None else seed
