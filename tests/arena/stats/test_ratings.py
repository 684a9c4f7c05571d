"""Ratings of many bots."""

import itertools
import math

import numpy as np
import pytest

from podium.arena.stats.intervals import SURE
from podium.arena.stats.rating_data import RankedResult
from podium.arena.stats.ratings import block_noise, fit, pair_results, quantiles, ratings
from tests.arena.stats.samples import rated_games


def game(meeting, round_, bots, ranks):
    return RankedResult(meeting, tuple(bots), tuple(ranks)), round_


def simulated(strengths, rounds, seed, seats=2):
    """Games of bots 10, 11, ... drawn from the Plackett-Luce model with these strengths in Elo."""
    random = np.random.default_rng(seed)
    games = []
    for number in range(rounds):
        chosen = random.choice(len(strengths), seats, replace=False)
        noise = -np.log(-np.log(random.random(seats)))
        value = np.array([strengths[index] * math.log(10) / 400 for index in chosen]) + noise
        ranks = [int(1 + sum(value > own)) for own in value]
        meeting = ",".join(str(index) for index in sorted(chosen))
        games.append(game(meeting, number, [10 + int(index) for index in chosen], ranks))
    return games


@pytest.mark.parametrize("seats", [2, 4])
def test_strengths_are_found_again(seats):
    strengths = [200.0, 60.0, -40.0, -220.0, 0.0]
    table = ratings(rated_games(simulated(strengths, 1500, seed=4, seats=seats)))
    found = {rating.bot - 10: rating for rating in table}
    mean = sum(strengths) / len(strengths)
    for index, strength in enumerate(strengths):
        assert found[index].elo == pytest.approx(strength - mean, abs=45)
        assert found[index].low < strength - mean < found[index].high
        assert found[index].low < found[index].elo < found[index].high
    assert [rating.bot - 10 for rating in table] == sorted(range(5), key=lambda index: -strengths[index])


def test_two_bots_agree_with_their_elo():
    games = [game("m", number, (1, 2), (1, 2) if number % 4 else (2, 1)) for number in range(4000)]
    first, second = ratings(rated_games(games))
    assert (first.bot, second.bot) == (1, 2)
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=1)
    assert first.score == 0.75
    assert first.above == pytest.approx(1.0)
    assert first.best == pytest.approx(first.above)


def test_order_does_not_matter():
    games = simulated([50, 0, -50], 60, seed=1)
    forth, back = ratings(rated_games(games)), ratings(rated_games(games[::-1]))
    assert [rating.bot for rating in forth] == [rating.bot for rating in back]
    assert [rating.elo for rating in forth] == pytest.approx([rating.elo for rating in back])


def test_who_won_everything_stays_finite_and_uncertain():
    table = ratings(rated_games([game("m", number, (1, 2), (1, 2)) for number in range(6)]))
    assert all(math.isfinite(value) for rating in table for value in (rating.elo, rating.low, rating.high))
    assert table[0].high - table[0].low > 200


def test_intervals_shrink_with_games():
    few, many = (ratings(rated_games(simulated([50, 0, -50], rounds, seed=1))) for rounds in (60, 1500))
    assert many[0].high - many[0].low < (few[0].high - few[0].low) / 3


def plain_results(games, bots):
    """Pair by pair: by block and by places of two bots, the points of the first and how often they met."""
    rows = {}
    for one, number in games:
        for seat, other in itertools.combinations(range(len(one.bots)), 2):
            first, second = sorted((seat, other), key=lambda index: bots.index(one.bots[index]))
            if one.bots[first] != one.bots[second]:
                key = (one.pairing, number, bots.index(one.bots[first]), bots.index(one.bots[second]))
                points, met = rows.get(key, (0.0, 0))
                gap = one.ranks[second] - one.ranks[first]
                rows[key] = points + (gap > 0) + 0.5 * (gap == 0), met + 1
    return sorted(rows.values())


def test_results_are_those_of_all_pairs_of_seats():
    random = np.random.default_rng(5)
    bots = [7, 3, 11, 4]
    games = [
        game(
            f"m{number % 3}",
            number // 7,
            random.choice(bots, seats).tolist(),
            random.integers(1, seats + 1, seats).tolist(),
        )
        for number, seats in enumerate(random.choice([2, 3, 4], 200).tolist())
    ]
    found = pair_results(rated_games(games), bots)
    assert sorted(zip(found.points.tolist(), found.met.tolist(), strict=True)) == plain_results(games, bots)
    assert found.blocks == len({(one.pairing, number) for one, number in games if len(set(one.bots)) > 1})
    assert (found.seats, found.size) == (4, 4)
    assert all(found.one < found.other)
    nobody = pair_results(rated_games([]), bots)
    assert (nobody.blocks, len(nobody.points), nobody.wins.sum()) == (0, 0, 0)


def test_ties_and_copies():
    results = pair_results(rated_games([game("m", 0, [1, 1, 2], [1, 2, 1])]), [1, 2])
    assert (results.points.tolist(), results.met.tolist()) == ([0.5], [2])
    strengths, *_ = fit(np.array([[0, 5.0], [5.0, 0]]))
    assert strengths == pytest.approx([0, 0])
    assert ratings(rated_games([])) == []


def test_one_block_per_meeting_shows_nothing():
    """Three bots, four games each, one of them won all: a bootstrap over blocks would be certain."""
    games = [
        game(f"{one},{two}", 0, seats, (1, 2) if seats[0] == one else (2, 1))
        for one, two in ((1, 2), (1, 3), (2, 3))
        for seats in ((one, two), (two, one))
    ]
    table = ratings(rated_games(games))
    assert [rating.bot for rating in table] == [1, 2, 3]
    assert 0.7 < table[0].best < SURE
    assert table[0].low < 0 < table[0].high


@pytest.mark.parametrize("share", [5, 6, 8])
def test_the_same_results_again_are_surer(share):
    """Of ten blocks `share` go to the first bot; every further ten make it surer, and the interval narrower."""
    tables = [
        ratings(
            rated_games(
                [game("m", number, (1, 2), (1, 2) if number % 10 < share else (2, 1)) for number in range(10 * tens)]
            )
        )
        for tens in (1, 2, 4, 8, 16)
    ]
    widths = [table[0].high - table[0].low for table in tables]
    sure = [table[0].best for table in tables]
    assert widths == sorted(widths, reverse=True)
    assert all(later >= earlier - 0.01 for earlier, later in itertools.pairwise(sure))


def test_blocks_whose_games_agree_count_less_than_those_whose_games_differ():
    """Both have the same score; in the first, luck decides whole blocks, in the second each block is even."""
    shared = [game("m", number // 2, (1, 2), (1, 2) if number // 2 % 2 else (2, 1)) for number in range(400)]
    swapped = [game("m", number // 2, (1, 2), (1, 2) if number % 2 else (2, 1)) for number in range(400)]
    wide, narrow = ratings(rated_games(shared))[0], ratings(rated_games(swapped))[0]
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_the_blocks_of_a_long_league_are_looked_at_part_by_part(monkeypatch):
    games = rated_games(simulated([50, 0, -50, 20], 60, seed=1, seats=3))
    results = pair_results(games, [10, 11, 12, 13])
    strength, information, _ = fit(results.wins)
    whole = block_noise(results, strength, information)
    monkeypatch.setattr("podium.arena.stats.ratings.CHUNK", 7)
    parts = block_noise(results, strength, information)
    assert parts[0] == pytest.approx(whole[0])
    assert parts[1] == whole[1]


def test_weighted_quantiles():
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([0.25, 0.25, 0.5])
    assert quantiles(values, weights, (0.125, 0.5, 0.875)) == pytest.approx([1, 2, 3])
