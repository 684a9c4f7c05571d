"""Every search on every game that it suits, with a tiny budget, compared with plain recursion.

The evaluation used here is a hash of the position's key: it is as good as any for comparing searches, and needs nothing
from a game but its rules.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from podium.games import load
from podium.kernel import JIT, allocate, kernel
from podium.kernel.generic import implementation_of
from podium.kernel.random import GOLDEN, draw_below, generator, mix
from podium.model.budget import Budget
from podium.model.hooks import AMAF_ROWS, OTHER, OWN, TOTAL, new_playout_buffers, plain_playouts, shares
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.result import Proof
from podium.model.rules import before_turn, evaluate, is_over, key, legal_moves, mover, moves_unless_over, play
from podium.model.ruleset import Rules, rules_of
from podium.search import alphabeta, beam, decoupled, mcts
from podium.search.alphabeta import AlphaBeta
from podium.search.beam import Beam
from podium.search.custom_hooks import CustomHooks
from podium.search.decoupled import DecoupledUct
from podium.search.maxn import MaxN
from podium.search.mcts import Mcts
from podium.search.perft import perft
from podium.search.plain import BudgetSpentError, Plain
from podium.search.plain_decoupled import PlainDecoupled

NODES = 2500 if JIT else 60  # of a plain search
POSITIONS = 4 if JIT else 2  # of each game
DEEPEST = 4
MOST_PLIES = 5000
ENDINGS = 3 if JIT else 1
SIMULATIONS = 60 if JIT else 4
PLAYOUTS = 20 if JIT else 1
PARTS = 1 << 10  # a share is a whole number of these, so that sums are exact
THOUSAND = np.uint64(1000)

ALPHABETA_PARAMS = ParamSpec("conformance alpha-beta parameters", *alphabeta.PARAMETERS)
MAXN_PARAMS = ParamSpec("conformance max^n parameters", Parameter("salt", 0, "changes the evaluation"))
BEAM_PARAMS = ParamSpec("conformance beam parameters", *adjusted(beam.PARAMETERS, discount=0.9, stop_at_win=False))
DECOUPLED_PARAMS = ParamSpec(
    "conformance decoupled UCT parameters", *adjusted(decoupled.PARAMETERS, memory=2, playout_turns=1)
)
MCTS_PARAMS = ParamSpec(
    "conformance Monte Carlo parameters", *adjusted(mcts.PARAMETERS, memory=2, playouts=2, endgame=30)
)


@kernel
def drawn_opinion(state: Any, params: Any, seat: Any) -> Any:
    """A number from -1 to 1 that depends on the position and the seat."""
    return np.float64(mix(key(state) + GOLDEN * np.uint64(seat + 1)) % THOUSAND) * 0.002 - 1.0


@kernel
def drawn_shares(state: Any, params: Any, out: Any) -> None:
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
    def played_rules(self) -> Rules:
        """The rules of the game under test, with opinions registered for the bots of this module."""
        rules = rules_of(load(self.name))
        for param_spec in (ALPHABETA_PARAMS, BEAM_PARAMS, DECOUPLED_PARAMS):
            evaluate.register(rules.state, param_spec.dtype)(drawn_opinion)
        shares.register(rules.state, MAXN_PARAMS.dtype)(drawn_shares)
        if not rules.most_moves:
            pytest.skip("the game does not tell how many moves are legal at once")
        return rules

    def positions(self, rules: Rules, seed: int = 1) -> list[Any]:
        """The positions of a random game, all but its end."""
        states, random = allocate(rules.state, MOST_PLIES), generator(seed)
        states[0] = rules.initial_state(seed)
        for ply in range(MOST_PLIES - 1):
            if is_over(states[ply]):
                return [states[i] for i in range(ply)]
            moves = rules.moves(states[ply])
            states[ply + 1] = states[ply]
            play(states[ply + 1], moves[draw_below(random, len(moves))])
        pytest.fail(f"not over after {MOST_PLIES} plies")

    def samples(self, rules: Rules) -> list[Any]:
        """Positions from the first to the last of a random game."""
        played = self.positions(rules)
        return [played[i * (len(played) - 1) // (POSITIONS - 1)] for i in range(POSITIONS)]

    def within_reach(self, rules: Rules, state: Any) -> Iterator[int]:
        """The depths to which all sequences of moves can be gone through."""
        for depth in range(1, DEEPEST + 1):
            try:
                Plain(rules, nodes=NODES).perft(state, depth)
            except BudgetSpentError:
                return
            yield depth

    def test_traits_are_true(self) -> None:
        """Searches reserve their memory by what a game tells of itself."""
        rules = self.played_rules
        for seed in range(3 if JIT else 1):
            played = self.positions(rules, seed)
            assert not rules.most_plies or len(played) <= rules.most_plies
            for state in played:
                moves = rules.moves(state)
                assert len(moves) <= rules.most_moves
                assert not rules.move_codes or 0 <= min(moves) <= max(moves) < rules.move_codes

    def test_turns_begin_where_the_game_says(self) -> None:
        """Simultaneous moves: a turn asks each seat at most once, and nobody's choices depend on those before."""
        rules = self.played_rules
        turns, seats = 0, list[int]()
        for state in self.positions(rules):
            if before_turn(state):
                turns, seats = turns + 1, []
            assert mover(state) not in seats, "a seat chooses twice in a turn"
            seats.append(int(mover(state)))
            for move in rules.moves(state)[:: max(1, rules.most_moves // 4)]:
                other, same = (Plain(rules, nodes=2).after(state, m) for m in (move, rules.moves(state)[0]))
                if not is_over(other) and not before_turn(other):
                    assert rules.simultaneous, "a game in turns has a turn for each move"
                    assert rules.moves(other) == rules.moves(same), "a seat's choices depend on another's choice"
        assert turns
        assert (implementation_of(before_turn, rules.state) is not None) == rules.simultaneous

    def test_moves_are_asked_for_together_with_the_end(self) -> None:
        """`moves_unless_over` says what `is_over` and `legal_moves` say."""
        rules = self.played_rules
        one, two = np.zeros((2, rules.most_moves), np.int64)
        played = self.positions(rules)
        for state in played:
            count = legal_moves(state, one)
            assert moves_unless_over(state, two) == count
            assert one[:count].tolist() == two[:count].tolist()
        end = Plain(rules, nodes=NODES).after(played[-1], rules.moves(played[-1])[0])
        assert (moves_unless_over(end, two) == 0) == bool(is_over(end))

    def test_transpositions_go_on_alike(self) -> None:
        """The same moves in another order: where the keys are equal, so are moves and the keys after each of them."""
        rules = self.played_rules
        met = 0
        for state in self.samples(rules):
            plain = Plain(rules, nodes=10 * NODES)
            known: dict[int, Any] = {}
            for depth in self.within_reach(rules, state):
                for reached in reachable(plain, state, min(depth, 3)):
                    other = known.setdefault(int(key(reached)), reached)
                    if other is reached or is_over(reached):
                        continue
                    met += 1
                    moves = rules.moves(reached)
                    assert sorted(moves) == sorted(rules.moves(other))
                    for move in moves[:3]:
                        assert key(plain.after(reached, move)) == key(plain.after(other, move))
        assert met or not JIT, "no position was reached in two ways"

    def test_perft_is_that_of_the_rules(self) -> None:
        """The number of sequences of moves."""
        rules = self.played_rules
        for state in self.samples(rules):
            for depth in self.within_reach(rules, state):
                assert perft(state, depth, rules.most_moves) == Plain(rules, nodes=NODES).perft(state, depth)

    def test_playouts_play_whole_games(self) -> None:
        """Random games by the rules, of any length, are tallied move by move."""
        rules = self.played_rules
        if not (rules.move_codes and rules.most_plies):
            pytest.skip("the game does not tell its codes of moves and its length")
        buffers = new_playout_buffers(rules.state, rules.most_moves, rules.most_plies)
        for state in self.samples(rules):
            amaf = np.zeros((AMAF_ROWS, rules.move_codes), np.float32)
            balance = plain_playouts(state, MCTS_PARAMS.params(), buffers, generator(1), PLAYOUTS, amaf)
            assert abs(balance) <= PLAYOUTS
            assert amaf[OWN].sum() >= PLAYOUTS, "the side to move has moved in every game"
            assert amaf[OWN].sum() + amaf[OTHER].sum() <= PLAYOUTS * rules.most_plies
            assert (np.abs(amaf[OWN + 1]) <= amaf[OWN]).all()

    @pytest.mark.slow
    def test_alpha_beta_finds_the_value_of_minimax(self) -> None:
        """For every seat, at every depth within reach."""
        rules, params = self.played_rules, ALPHABETA_PARAMS.params()
        for state in self.samples(rules):
            searcher = AlphaBeta(rules, params, table_bits=12, cache_bits=12)
            for depth in self.within_reach(rules, state):
                for seat in range(rules.seats):
                    result = searcher.decide(state, seat, depth=depth)
                    assert result.value == Plain(rules, params, nodes=NODES).minimax(state, seat, depth)[0]
                    assert result.move in rules.moves(state)

    @pytest.mark.slow
    def test_max_n_finds_the_shares_of_its_definition(self) -> None:
        """At every depth within reach."""
        rules, params = self.played_rules, MAXN_PARAMS.params()
        searcher = MaxN(rules, params)
        for state in self.samples(rules):
            for depth in self.within_reach(rules, state):
                searcher.decide(state, int(mover(state)), depth=depth, stride=depth)
                assert searcher.vector == Plain(rules, params, nodes=NODES).maxn(state, depth)[0]

    @pytest.mark.slow
    def test_a_wide_beam_finds_the_best_sequence(self) -> None:
        """Of all sequences of moves, as if all were played by one."""
        rules = self.played_rules
        for state in self.samples(rules):
            for depth in self.within_reach(rules, state):
                params = BEAM_PARAMS.params({"width": NODES, "depth": depth})
                result = Beam(rules, params).decide(state, 0)
                best = Plain(rules, params, nodes=NODES).best_sequence(state, 0, depth, float(params.discount))
                assert result.value == pytest.approx(best, abs=1e-9)

    @pytest.mark.slow
    def test_decoupled_search_visits_what_its_plain_twin_visits(self) -> None:
        """With the same random numbers, for the first and the last seat."""
        rules, params = self.played_rules, DECOUPLED_PARAMS.params()
        for state in filter(before_turn, self.samples(rules)):
            for seat in {0, rules.seats - 1}:
                fast = DecoupledUct(rules, params, seed=1).decide(state, seat, Budget(nodes=SIMULATIONS))
                slow = PlainDecoupled(rules, params, CustomHooks(), 1).decoupled(state, seat, Budget(nodes=SIMULATIONS))
                assert [(o.move, o.visits) for o in fast.options] == [(o.move, o.visits) for o in slow.options]
                assert fast.value == pytest.approx(slow.value)

    @pytest.mark.slow
    def test_monte_carlo_search_proves_what_is_true(self) -> None:
        """Endings that plain recursion can solve."""
        rules = self.played_rules
        if rules.seats != 2 or not (rules.move_codes and rules.most_plies):
            pytest.skip("not for two players, or the game does not tell its codes of moves and its length")
        names = {1: Proof.WIN, -1: Proof.LOSS, 0: Proof.DRAW}
        searcher = Mcts(rules, MCTS_PARAMS.params())
        for state in endings(rules, self.positions(rules)):
            seat = int(mover(state))
            result = searcher.decide(state, seat, Budget(nodes=SIMULATIONS))
            assert result.move in rules.moves(state)
            assert result.proof in (Proof.NONE, names[Plain(rules, nodes=NODES).solve(state, seat)])
            for option in result.options:
                value = Plain(rules, nodes=NODES).solve(Plain(rules).after(state, option.move), seat)
                assert option.proof in (Proof.NONE, names[value])


def reachable(plain: Plain, state: Any, depth: int) -> Iterator[Any]:
    """All positions after `depth` moves; games that end earlier stop there."""
    if depth == 0 or is_over(state):
        yield state
        return
    for move in plain.rules.moves(state):
        yield from reachable(plain, plain.after(state, move), depth - 1)


def endings(rules: Rules, played: list[Any]) -> Iterator[Any]:
    """The last positions of a game, as long as all that can follow can be gone through."""
    for state in played[-1 : -1 - ENDINGS : -1]:
        try:
            Plain(rules, nodes=NODES).solve(state, 0)
        except BudgetSpentError:
            return
        yield state
