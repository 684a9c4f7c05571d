"""The tests of the conformance suite, as methods of a class that knows the name of its game."""

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from podium.games import load
from podium.games.game import Answer, Budget, Game, Referee, Request, picture_text
from podium.games.loop import play_bots, run_game
from podium.games.trial_games import try_sizes
from podium.kernel import JIT, allocate
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.random import draw_below, generator
from podium.model.params import Value
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import rules_of
from podium.testing.searches import Searches
from podium.testing.states import States

SEEDS = range(6 if JIT else 1)
GAMES_FROM_ONE_START = 8 if JIT else 2
STARTS = 8  # seeds, and values of a setting, whose initial states are compared
MOST_MOVES = 4096
MOST_PLIES = 5000
FEW_NODES = 20 if JIT else 2
SAME_TURNS = 5000 if JIT else 8
SHORT_LIMIT = 20 * MILLISECOND
BAD_ANSWERS = [None, "", "rubbish \x00 \N{SNOWMAN}", "9" * 5000]

Turn = tuple[Sequence[Request], Sequence[Answer]]


def conformance(game: str) -> type["Conformance"]:
    """The suite for one game: assign it to a name that begins with `Test`."""
    return type(f"TestConformanceOf_{game}", (Conformance,), {"name": game, "__test__": True})


@cache
def _try_sizes(game: str) -> None:
    try_sizes(rules_of(load(game)))


class Conformance(Searches, States):
    """The properties that every game must have. A subclass sets the game's `name`."""

    __test__ = False  # only subclasses are collected
    name: str

    @property
    def game(self) -> Game:
        """The game under test."""
        return load(self.name)

    @pytest.fixture(autouse=True)
    def _true_sizes(self) -> None:
        """Searches rely on the sizes of the rules; one that is too small would end the tests without a word."""
        _try_sizes(self.name)

    def bots(self, name: str, seed: int) -> list[Any]:
        """A bot for every seat."""
        return [self.game.kind(name).bot(seed=seed * 10 + seat) for seat in range(self.game.seats)]

    def random_game(self, seed: int) -> tuple[Referee, list[Turn]]:
        """A referee at the end of a game between random bots, and the requests and answers on the way."""
        return self.played("random", seed, 1)

    def played(self, bot: str, seed: int, nodes: int) -> tuple[Referee, list[Turn]]:
        """The same for games of another bot, with a node limit per answer."""
        referee, turns = self.game.new_referee(seed), list[Turn]()
        play_bots(referee, self.bots(bot, seed), Budget(nodes=nodes), lambda *turn: turns.append(turn))
        return referee, turns

    @pytest.mark.parametrize("seed", SEEDS)
    def test_random_bots_finish_without_a_fault(self, seed: int) -> None:
        """A game has a bot `random`, and ends with a score and a rank for every seat."""
        referee, _ = self.random_game(seed)
        assert referee.outcome is not None
        assert referee.outcome.faults == ()
        assert len(referee.outcome.scores) == len(referee.outcome.ranks) == self.game.seats
        assert min(referee.outcome.ranks) == 1
        assert referee.outcome.detail
        assert referee.requests() == ()

    def test_the_same_answers_give_the_same_game(self) -> None:
        """A game is its seed, its settings and the answers; asking twice changes nothing."""
        referee, turns = self.random_game(3)
        again, recorded = self.game.new_referee(3), iter(turns)

        def answering(requests: Sequence[Request]) -> Sequence[Answer]:
            assert again.requests() == requests, "asking twice must change nothing"
            sent, answers = next(recorded)
            assert [(r.seat, r.lines) for r in sent] == [(r.seat, r.lines) for r in requests]
            return answers

        assert run_game(again, answering) == referee.outcome
        assert bytes(again.state) == bytes(referee.state)

    def test_seats_are_asked_together_if_the_game_says_so(self) -> None:
        """Whether a turn has one request or several is a trait of a game."""
        _, turns = self.random_game(2)
        assert any(len(requests) > 1 for requests, _ in turns) == rules_of(self.game).simultaneous

    def test_nothing_is_hidden_unless_the_game_says_so(self) -> None:
        """Where nothing is hidden, what a player knows is the referee's state, but for what no rule asks about."""
        if self.game.view is None or rules_of(self.game).hidden:
            pytest.skip("the game offers no view, or hides something")
        referee, bots = self.game.new_referee(2), self.bots("random", 2)
        views = [self.game.view() for _ in range(self.game.seats)]

        def answering(requests: Sequence[Request]) -> list[Answer]:
            lines = [bots[request.seat].reply(request.lines, Budget(nodes=1)) for request in requests]
            for request, line in zip(requests, lines, strict=True):
                view = views[request.seat]
                view.read(request.lines)
                assert bytes(view.state) == bytes(referee.state) or key(view.state) == key(referee.state)
                view.answered(line)
            return [Answer(line) for line in lines]

        run_game(referee, answering)

    def walk(self, start: Any, seed: int) -> Iterator[tuple[Any, list[int]]]:
        """A random game of the rules alone: each position with its legal moves, none at the end."""
        states, moves, random = allocate(rules_of(self.game).state, 1), np.zeros(MOST_MOVES, np.int64), generator(seed)
        states[0] = start
        for _ in range(MOST_PLIES):
            if is_over(states[0]):
                yield states[0], []
                return
            legal = moves[: legal_moves(states[0], moves)].tolist()
            yield states[0], legal
            play(states[0], legal[draw_below(random, len(legal))])
        pytest.fail(f"not over after {MOST_PLIES} plies")

    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_rules_play_random_games_to_their_end(self, seed: int) -> None:
        """Who moves, what is legal and how it ends, as searches ask it."""
        state = None
        for state, legal in self.walk(self.game.new_referee(seed).state, seed):
            if not is_over(state):
                assert legal, "a game with nothing to play must be over"
                assert len(set(legal)) == len(legal), "a move is listed twice"
                assert 0 <= mover(state) < self.game.seats
                assert not rules_of(self.game).move_codes or max(legal) < rules_of(self.game).move_codes
        scores = [float(final_score(state, seat)) for seat in range(self.game.seats)]
        assert all(map(math.isfinite, scores))
        assert min(scores) <= 0 <= max(scores) or self.game.seats == 1, "somebody wins only if somebody loses"

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_copy_of_a_state_is_independent(self, seed: int) -> None:
        """Searches copy records: nothing of a state may lie outside of it."""
        copies = allocate(rules_of(self.game).state, 2)
        for state, legal in self.walk(self.game.new_referee(seed).state, seed):
            if not legal:
                break
            copies[0] = copies[1] = state
            play(copies[1], legal[0])
            assert bytes(copies[0]) == bytes(state), "a copy shares memory with its original"
            copies[0] = state
            play(copies[0], legal[0])
            assert bytes(copies[0]) == bytes(copies[1]), "the same move leads to different positions"
            assert key(copies[0]) == key(copies[1])

    def test_positions_with_the_same_key_offer_the_same_moves(self) -> None:
        """A search takes positions with equal keys for one."""
        start = self.game.new_referee(1).state
        seen: dict[int, list[int]] = {}
        for seed in range(GAMES_FROM_ONE_START):
            for state, legal in self.walk(start, seed):
                assert seen.setdefault(int(key(state)), sorted(legal)) == sorted(legal)
        assert len(seen) > 1, "all positions have the same key"

    def starts(self) -> Iterator[Any]:
        """Initial states of several seeds, and of several values of each setting."""
        for seed in range(STARTS):
            yield self.game.new_referee(seed).state
        for setting in self.game.contest.settings:
            values: set[Value] = {setting.default, *setting.choices[:STARTS]} - {""}
            if isinstance(setting.default, bool):
                values = {False, True}
            elif isinstance(setting.default, int | float):
                values |= {
                    type(setting.default)(bound) for bound in (setting.low, setting.high) if math.isfinite(bound)
                }
            for value in values:
                yield self.game.new_referee(1, {setting.name: value}).state

    def test_starts_with_the_same_key_are_the_same_game(self) -> None:
        """A key covers the settings and all that the seed draws: from starts with one key every game goes alike."""
        known: dict[int, Any] = {}
        for start in self.starts():
            other = known.setdefault(int(key(start)), start)
            if bytes(other) == bytes(start):
                continue
            for (state, moves), (twin, twin_moves) in zip(self.walk(start, 1), self.walk(other, 1), strict=True):
                assert sorted(moves) == sorted(twin_moves), "two starts with the same key differ in their legal moves"
                assert key(state) == key(twin)
                if not moves:
                    scores = [[final_score(end, seat) for seat in range(self.game.seats)] for end in (state, twin)]
                    assert scores[0] == scores[1], "two starts with the same key differ in their scores"

    def test_the_rules_and_the_referee_agree_on_who_won(self) -> None:
        """Searches maximise `final_score`; ranks are the referee's."""
        if self.game.seats != 2:
            pytest.skip("with more than two seats a score does not tell all")
        for seed in SEEDS:
            referee, _ = self.random_game(seed)
            assert referee.outcome is not None
            first, second = referee.outcome.ranks
            assert np.sign(final_score(referee.state, 0)) == np.sign(second - first)
            assert np.sign(final_score(referee.state, 1)) == np.sign(first - second)

    def test_prompts_are_cut_from_the_stream_as_they_were_sent(self) -> None:
        """A program reads nothing but a stream of lines."""
        _, turns = self.random_game(5)
        requests = [request for sent, _ in turns for request in sent]
        for seat in range(self.game.seats):
            sent = [list(request.lines) for request in requests if request.seat == seat]
            lines = iter([line for prompt in sent for line in prompt])

            def read(lines: Iterator[str] = lines) -> str:
                try:
                    return next(lines)
                except StopIteration:
                    raise EOFError from None

            cut = []
            with pytest.raises(EOFError):
                for prompt in self.game.contest.prompts(read):
                    cut.append(prompt)  # noqa: PERF402 - what came before the end must be kept
            assert cut == sent

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_view_knows_the_legal_moves_and_writes_them(self, seed: int) -> None:
        """What a player knows is enough to play by: any legal move of its view is an answer that the referee takes."""
        if self.game.view is None:
            pytest.skip("the game offers no view")
        views, random = [self.game.view() for _ in range(self.game.seats)], generator(seed)
        moves = np.zeros(MOST_MOVES, np.int64)

        def answering(requests: Sequence[Request]) -> list[Answer]:
            answers = []
            for view, request in ((views[request.seat], request) for request in requests):
                view.read(request.lines)
                move = moves[draw_below(random, legal_moves(view.state, moves))]
                line = view.answer_of(int(move))
                view.answered(line)
                answers.append(Answer(line))
            return answers

        assert run_game(self.game.new_referee(seed), answering).faults == ()

    @pytest.mark.parametrize("line", BAD_ANSWERS)
    def test_bad_answers_are_judged_not_raised(self, line: str | None) -> None:
        """The referee judges any answer and never raises."""
        referee = self.game.new_referee(1)
        for _ in range(MOST_PLIES):
            if not (requests := referee.requests()):
                break
            referee.answer([Answer(line) for _ in requests])
        assert referee.outcome is not None
        assert referee.outcome.faults

    def test_scenes_are_plain_data_with_a_picture(self) -> None:
        """A position can be stored, sent and shown."""
        for referee in (self.game.new_referee(1), self.random_game(1)[0]):
            scene = self.game.scene_of(referee)
            assert json.loads(json.dumps(scene)) == scene
            assert picture_text(self.game.pictures.picture(scene))

    def test_every_bot_answers_on_the_clock(self) -> None:
        """As in a contest: warmed up, and given a deadline instead of nodes."""
        for name in self.game.bots:
            referee, bots = self.game.new_referee(7), self.bots(name, 7)
            bots[0].warm_up()
            deadline = now() + SHORT_LIMIT
            answers = [bots[r.seat].reply(r.lines, Budget(deadline)) for r in referee.requests()]
            referee.answer([Answer(line) for line in answers])
            assert not referee.outcome or not referee.outcome.faults, name

    def test_every_bot_plays_the_same_moves_for_the_same_seed_and_nodes(self) -> None:
        """Experiments can be repeated: bots that are made anew and get the same prompts say the same."""
        for bot in self.game.bots:
            referee, turns = self.played(bot, 7, FEW_NODES)
            assert referee.outcome is not None
            assert referee.outcome.faults == (), bot
            again = self.bots(bot, 7)
            for requests, answers in turns[:SAME_TURNS]:
                said = [again[request.seat].reply(request.lines, Budget(nodes=FEW_NODES)) for request in requests]
                assert said == [answer.line for answer in answers], bot
