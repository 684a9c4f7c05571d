"""Every search on every game that it suits, with a tiny budget, against plain recursion.

The bots here have no opinion of their own: what they think of a position is drawn from its key, which is as good as any
for comparing searches, and needs nothing from a game but its rules.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from podium.games import load
from podium.games.game import Game
from podium.kernel import JIT, allocate, kernel
from podium.kernel.budget import Budget
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.kernel.random import GOLDEN, draw_below, generator, mix
from podium.kernel.rules import evaluate, is_over, key, legal_moves, mover, moves_unless_over, play
from podium.search import alphabeta, beam, mcts
from podium.search.alphabeta import AlphaBeta
from podium.search.beam import Beam
from podium.search.hooks import OTHER, OWN, ROWS, TOTAL, plain_playouts, shares
from podium.search.maxn import MaxN
from podium.search.mcts import Mcts
from podium.search.perft import perft
from podium.search.playouts import new_playroom
from podium.search.result import Proof
from podium.testing.plain import Plain, TooLargeError, legal

NODES = 2500 if JIT else 60  # of a plain search
POSITIONS = 4 if JIT else 2  # of each game
DEEPEST = 4
MOST_PLIES = 5000
ENDINGS = 3 if JIT else 1
SIMULATIONS = 60 if JIT else 4
PLAYOUTS = 20 if JIT else 1
PARTS = 1 << 10  # a share is a whole number of these, so that sums are exact
THOUSAND = np.uint64(1000)

ALPHABETA_MINDS = MindType("conformance alpha-beta mind", *alphabeta.PARAMETERS)
MAXN_MINDS = MindType("conformance max^n mind", Parameter("salt", 0, "makes another opinion of it"))
BEAM_MINDS = MindType("conformance beam mind", *adjusted(beam.PARAMETERS, discount=0.9, stop_at_win=False))
MCTS_MINDS = MindType("conformance Monte Carlo mind", *adjusted(mcts.PARAMETERS, memory=2, playouts=2, endgame=30))


@kernel
def drawn_opinion(state: Any, mind: Any, seat: Any) -> Any:
    """A number from -1 to 1 that depends on the position and the seat."""
    return np.float64(mix(key(state) + GOLDEN * np.uint64(seat + 1)) % THOUSAND) * 0.002 - 1.0


@kernel
def drawn_shares(state: Any, mind: Any, out: Any) -> None:
    """Shares that depend on the position."""
    left = np.int64(PARTS)
    for seat in range(out.size - 1):
        part = np.int64(mix(key(state) + GOLDEN * np.uint64(seat + 1)) % np.uint64(left + 1))
        out[seat] = TOTAL * part / PARTS
        left -= part
    out[out.size - 1] = TOTAL * left / PARTS


class Searches:
    """The searches' part of the conformance suite. A subclass has the game's `name`."""

    name: str

    @property
    def played_game(self) -> Game:
        """The game under test, with opinions registered for the bots of this module."""
        game = load(self.name)
        for minds in (ALPHABETA_MINDS, BEAM_MINDS):
            evaluate.register(game.state, minds.dtype)(drawn_opinion)
        shares.register(game.state, MAXN_MINDS.dtype)(drawn_shares)
        if not game.most_moves:
            pytest.skip("the game does not tell how many moves are legal at once")
        return game

    def positions(self, game: Game, seed: int = 1) -> list[Any]:
        """The positions of a random game, all but its end."""
        states, random = allocate(game.state, MOST_PLIES), generator(seed)
        states[0] = game.new_referee(seed).state
        for ply in range(MOST_PLIES - 1):
            if is_over(states[ply]):
                return [states[i] for i in range(ply)]
            moves = legal(states[ply])
            states[ply + 1] = states[ply]
            play(states[ply + 1], moves[draw_below(random, len(moves))])
        pytest.fail(f"not over after {MOST_PLIES} plies")

    def samples(self, game: Game) -> list[Any]:
        """Positions from the first to the last of a random game."""
        played = self.positions(game)
        return [played[i * (len(played) - 1) // (POSITIONS - 1)] for i in range(POSITIONS)]

    def within_reach(self, state: Any) -> Iterator[int]:
        """The depths to which all sequences of moves can be gone through."""
        for depth in range(1, DEEPEST + 1):
            try:
                Plain(NODES).perft(state, depth)
            except TooLargeError:
                return
            yield depth

    def test_traits_are_true(self) -> None:
        """Searches reserve their memory by what a game tells of itself."""
        game = self.played_game
        for seed in range(3 if JIT else 1):
            played = self.positions(game, seed)
            assert not game.most_plies or len(played) <= game.most_plies
            for state in played:
                moves = legal(state)
                assert len(moves) <= game.most_moves
                assert not game.codes or 0 <= min(moves) <= max(moves) < game.codes

    def test_moves_are_asked_for_together_with_the_end(self) -> None:
        """`moves_unless_over` says what `is_over` and `legal_moves` say."""
        game = self.played_game
        one, two = np.zeros((2, game.most_moves), np.int64)
        played = self.positions(game)
        for state in played:
            count = legal_moves(state, one)
            assert moves_unless_over(state, two) == count
            assert one[:count].tolist() == two[:count].tolist()
        end = Plain(NODES).after(played[-1], legal(played[-1])[0])
        assert (moves_unless_over(end, two) == 0) == bool(is_over(end))

    def test_transpositions_go_on_alike(self) -> None:
        """The same moves in another order: where the keys are equal, so are moves and the keys after each of them."""
        game = self.played_game
        met = 0
        for state in self.samples(game):
            plain = Plain(10 * NODES)
            known: dict[int, Any] = {}
            for depth in self.within_reach(state):
                for reached in reachable(plain, state, min(depth, 3)):
                    other = known.setdefault(int(key(reached)), reached)
                    if other is reached or is_over(reached):
                        continue
                    met += 1
                    moves = legal(reached)
                    assert sorted(moves) == sorted(legal(other))
                    for move in moves[:3]:
                        assert key(plain.after(reached, move)) == key(plain.after(other, move))
        assert met or not JIT, "no position was reached in two ways"

    def test_perft_is_that_of_the_rules(self) -> None:
        """The number of sequences of moves."""
        game = self.played_game
        for state in self.samples(game):
            for depth in self.within_reach(state):
                assert perft(state, depth, game.most_moves) == Plain(NODES).perft(state, depth)

    def test_playouts_play_whole_games(self) -> None:
        """Random games by the rules, of any length, are tallied move by move."""
        game = self.played_game
        if not (game.codes and game.most_plies):
            pytest.skip("the game does not tell its codes of moves and its length")
        room = new_playroom(game.state, game.most_moves, game.most_plies)
        for state in self.samples(game):
            tally = np.zeros((ROWS, game.codes), np.float32)
            balance = plain_playouts(state, room, generator(1), PLAYOUTS, tally)
            assert abs(balance) <= PLAYOUTS
            assert tally[OWN].sum() >= PLAYOUTS, "the side to move has moved in every game"
            assert tally[OWN].sum() + tally[OTHER].sum() <= PLAYOUTS * game.most_plies
            assert (np.abs(tally[OWN + 1]) <= tally[OWN]).all()

    @pytest.mark.slow
    def test_alpha_beta_finds_the_value_of_minimax(self) -> None:
        """For every seat, at every depth within reach."""
        game, mind = self.played_game, ALPHABETA_MINDS.mind()
        for state in self.samples(game):
            searcher = AlphaBeta(game.state, mind, game.most_moves, 12, 12)
            for depth in self.within_reach(state):
                for seat in range(game.seats):
                    result = searcher.search(state, seat, depth=depth)
                    assert result.value == Plain(NODES).minimax(state, mind, depth, seat)
                    assert result.move in legal(state)

    @pytest.mark.slow
    def test_max_n_finds_the_shares_of_its_definition(self) -> None:
        """At every depth within reach."""
        game, mind = self.played_game, MAXN_MINDS.mind()
        searcher = MaxN(game.state, mind, game.seats, game.most_moves)
        for state in self.samples(game):
            for depth in self.within_reach(state):
                searcher.search(state, int(mover(state)), depth=depth, stride=depth)
                assert searcher.vector == Plain(NODES).maxn(state, mind, depth, game.seats)

    @pytest.mark.slow
    def test_a_wide_beam_finds_the_best_sequence(self) -> None:
        """Of all sequences of moves, as if all were played by one."""
        game = self.played_game
        for state in self.samples(game):
            for depth in self.within_reach(state):
                mind = BEAM_MINDS.mind({"width": NODES, "depth": depth})
                result = Beam(game.state, mind, game.most_moves).search(state, 0)
                best = Plain(NODES).best_sequence(state, mind, 0, depth, float(mind.discount))
                assert result.value == pytest.approx(best, abs=1e-9)

    @pytest.mark.slow
    def test_monte_carlo_search_proves_what_is_true(self) -> None:
        """Endings that plain recursion can solve."""
        game = self.played_game
        if game.seats != 2 or not (game.codes and game.most_plies):
            pytest.skip("not for two players, or the game does not tell its codes of moves and its length")
        names = {1: Proof.WIN, -1: Proof.LOSS, 0: Proof.DRAW}
        searcher = Mcts(game.state, MCTS_MINDS.mind(), game.most_moves, game.codes, game.most_plies)
        for state in endings(self.positions(game)):
            seat = int(mover(state))
            result = searcher.search(state, seat, Budget(nodes=SIMULATIONS))
            assert result.move in legal(state)
            assert result.proof in (Proof.NONE, names[Plain(NODES).solve(state, seat)])
            for option in result.options:
                value = Plain(NODES).solve(Plain(1).after(state, option.move), seat)
                assert option.proof in (Proof.NONE, names[value])


def reachable(plain: Plain, state: Any, depth: int) -> Iterator[Any]:
    """All positions after so many moves; a position that is over has no more."""
    if depth == 0 or is_over(state):
        yield state
        return
    for move in legal(state):
        yield from reachable(plain, plain.after(state, move), depth - 1)


def endings(played: list[Any]) -> Iterator[Any]:
    """The last positions of a game, as long as all that can follow can be gone through."""
    for state in played[-1 : -1 - ENDINGS : -1]:
        try:
            Plain(NODES).solve(state, 0)
        except TooLargeError:
            return
        yield state
