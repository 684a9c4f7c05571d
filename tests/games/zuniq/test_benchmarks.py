"""What `podium bench zuniq` counts, and that its check of randomness can tell."""

import pytest

from podium.games.zuniq import studies
from podium.games.zuniq.benchmarks import benchmarks
from podium.games.zuniq.studies import outcomes, randomness
from podium.kernel import JIT
from tests.search.test_mcts import endgame


@pytest.mark.parametrize("benchmark", benchmarks(), ids=lambda benchmark: benchmark.name)
@pytest.mark.compiled
def test_rates_are_counted(benchmark):
    count, seconds = benchmark.run(0.01)
    assert count > 0
    assert seconds > 0


def test_chances_of_outcomes_add_up():
    state, plain = endgame(3, 4)
    chances = outcomes(state)
    assert sum(chances.values()) == pytest.approx(1.0)
    assert all(own & other == 0 for own, other in chances)
    assert len(plain.legal()) > 0


def test_playouts_are_uniform(monkeypatch):
    monkeypatch.setattr(studies, "CHECKED_GAMES", 4000 if JIT else 100)
    findings = randomness(0)
    assert findings.sentence == "Playouts draw walls uniformly."


@pytest.mark.compiled
def test_the_check_notices_a_bias(monkeypatch):
    fair = outcomes

    def lopsided(state, *rest):
        chances = fair(state, *rest)
        first = next(iter(chances))
        return {outcome: chance * (0.5 if outcome == first else 1.0) for outcome, chance in chances.items()}

    monkeypatch.setattr(studies, "CHECKED_GAMES", 4000)
    monkeypatch.setattr(studies, "outcomes", lopsided)
    assert "NOT" in randomness(0).sentence


@pytest.mark.compiled
def test_steadiness_is_a_share_of_pairs(monkeypatch):
    monkeypatch.setattr(studies, "STEADY_POSITIONS", 2)
    monkeypatch.setattr(studies, "STEADY_SEEDS", 3)
    monkeypatch.setattr(studies, "STEADY_SIMULATIONS", (20,))
    ((simulations, positions, steady, plain, gain, low, high),) = studies.steadiness(0.0).rows
    assert (simulations, positions) == (20, 2)
    assert {round(6 * steady, 9), round(6 * plain, 9)} <= {0, 1, 2, 3, 4, 6}  # of three pairs 0, 1 or 3 agree
    assert gain == pytest.approx(steady - plain)
    assert low <= gain <= high


def test_the_opening_leaves_fewer_walls_to_each_side(monkeypatch):
    monkeypatch.setattr(studies, "OPENINGS", 2)
    for player, turns, legal, good, ratio in studies.opening(0.0).rows:
        assert player in ("White", "Black")
        assert turns == 20  # ten of each opening
        assert 1 <= good < legal <= 60
        assert ratio == legal / good
