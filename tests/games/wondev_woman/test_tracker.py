"""The tracker of the enemy against the truth and against a slow plain twin, which tries everything."""

from pathlib import Path

import numpy as np
import pytest

from podium.arena.game.recordings import read
from podium.games import load
from podium.games.game import Answer
from podium.games.wondev_woman.board import CELLS, GIVE_UP, NOWHERE
from podium.games.wondev_woman.rules import sight, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import FULL, MOST_MOVES, State, bit, put, units_of
from podium.games.wondev_woman.tracker import ALIVE, OUT, Belief, add, merge, size_of
from podium.games.wondev_woman.view import View
from podium.kernel import allocate, blank, kernel
from podium.kernel.bits import EMPTY
from podium.kernel.random import draw_below, generator

GAME = load("wondev_woman")
RECORDINGS = Path(__file__).parents[2] / "recordings" / "wondev_woman.jsonl.gz"


@kernel
def twin_looks(state, now):
    """Whether I would be shown what I see."""
    for level in range(FULL + 1):
        if state.planes[level] != now.planes[level]:
            return False
    for index in range(4):
        shown = state.unit[index]
        if index >= 2 and not sight(state, 0) & bit(shown):
            shown = NOWHERE
        if shown != now.unit[index]:
            return False
    return True


@kernel
def twin_note(state, now, new, out, low, high, points):
    if twin_looks(state, now) and not (out and high < points):
        add(new, out, state.unit[2], state.unit[3], max(low, points) if out else low, high)


@kernel
def twin_replies(states, now, new, low, high, points, moves):
    """Every action of the enemy in states[0]."""
    for i in range(wondev_legal_moves(states[0], moves)):
        states[1] = states[0]
        states[1].score[1] = 0
        wondev_play(states[1], moves[i])
        gained = states[1].score[1]
        out = OUT if moves[i] == GIVE_UP else ALIVE
        twin_note(states[1], now, new, out, low + gained, high + gained, points)


@kernel
def twin_deduce(former, action, now, old, new, points, states, moves):
    for status in range(2):
        for one in range(CELLS):
            for two in range(CELLS):
                if old.sets[status, one] & bit(two):
                    states[0] = former
                    put(states[0], 2, one)
                    put(states[0], 3, two)
                    states[0].out[1] = status
                    wondev_play(states[0], action)
                    low, high = old.low[status, one, two], old.high[status, one, two]
                    if status == OUT:
                        twin_note(states[0], now, new, OUT, low, high, points)
                    else:
                        twin_replies(states, now, new, low, high, points, moves)


@kernel
def twin_spawns(now, new, states, moves, everywhere):
    """The first turn: all starting places of all units, and all first actions; or the enemy has not moved."""
    floor = now.planes[0]
    for one in range(CELLS):
        for two in range(CELLS):
            if one == two or not floor & bit(one) or not floor & bit(two):
                continue
            if everywhere:
                states[0] = now
                if units_of(now, 0) & (bit(one) | bit(two)):
                    continue
                put(states[0], 2, one)
                put(states[0], 3, two)
                twin_note(states[0], now, new, ALIVE, 0, 0, 0)
                continue
            for mine in range(CELLS):
                for other in range(CELLS):
                    if mine != now.unit[0] and other != now.unit[1]:
                        continue  # one action cannot push both
                    places = bit(mine) | bit(other)
                    if mine == other or places & ~floor or places & (bit(one) | bit(two)):
                        continue
                    states[0] = now
                    for level in range(1, FULL + 1):
                        states[0].planes[level] = EMPTY
                    put(states[0], 0, mine)
                    put(states[0], 1, other)
                    put(states[0], 2, one)
                    put(states[0], 3, two)
                    states[0].mover = 1
                    twin_replies(states, now, new, 0, 0, 0, moves)


def same(belief, twin):
    """The same pairs, with the same ranges of points."""
    possible = (belief.sets[..., None] >> np.arange(CELLS, dtype=np.uint64)) & np.uint64(1) == 1
    return (
        (belief.sets == twin.sets).all()
        and (belief.low[possible] == twin.low[possible]).all()
        and (belief.high[possible] == twin.high[possible]).all()
    )


class Watched(View):
    """A view of one seat of a game, with the tracker's twin beside it if wanted."""

    def __init__(self, with_twin):
        super().__init__()
        self.with_twin = with_twin
        self.twin = None
        self.states = allocate(State, 2)
        self.moves = np.zeros(MOST_MOVES, np.int64)

    def read(self, lines):
        super().read(lines)
        if self.with_twin:
            now, new = self.state, blank(Belief)
            if self.twin is None:
                twin_spawns(now, new, self.states, self.moves, not now.planes[1])
            else:
                former, action = self.tracker.seen[-2], self.tracker.actions[-1]
                points = self.tracker.points[-1]
                twin_deduce(former, action, now, self.twin, new, points, self.states, self.moves)
            assert same(self.tracker.belief, new)
            self.twin = new

    def check(self, referee, seat):
        """The truth must be possible, with its points."""
        state, belief = referee.state, self.tracker.belief
        one, two = int(state.unit[2 - 2 * seat]), int(state.unit[3 - 2 * seat])
        status = OUT if state.out[1 - seat] else ALIVE
        assert int(belief.sets[status, one]) >> two & 1
        assert belief.low[status, one, two] <= state.score[1 - seat] <= belief.high[status, one, two]
        assert self.tracker.points[-1] == state.score[seat]


def choose(actions, random, style):
    """A random action; with style 1 pushes are preferred."""
    pushes = [name for name in actions if name.startswith("PUSH")]
    if style == 1 and pushes:
        return pushes[draw_below(random, len(pushes))]
    return actions[draw_below(random, len(actions))]


def follow(seed, with_twin):
    """Play a random game; both seats track each other."""
    referee = GAME.new_referee(seed)
    seats = [Watched(with_twin), Watched(with_twin)]
    random = generator(seed)
    pairs = 0
    while requests := referee.requests():
        (request,) = requests
        view = seats[request.seat]
        view.read(request.lines)
        view.check(referee, request.seat)
        pairs += int(size_of(view.tracker.belief))
        actions = view.prompt.actions
        line = choose(actions, random, seed % 2) if actions else "ACCEPT-DEFEAT"
        view.answered(line)
        referee.answer([Answer(line)])
    return pairs


@pytest.mark.slow
@pytest.mark.compiled
def test_the_truth_is_always_possible():
    for seed in range(100, 250):
        follow(seed, False)


@pytest.mark.compiled
def test_the_set_is_that_of_the_slow_twin():
    for seed in range(20):
        assert follow(seed, True) > 0


@pytest.mark.compiled
def test_recorded_games_with_players_who_give_up():
    """Over the recordings, in which players leave for all sorts of reasons, the true cells are always possible, from
    two turns after the enemy has left at the latest: then his stillness has been noticed."""
    followed = stopped = 0
    for _, game in read(RECORDINGS):
        settings = GAME.settings_among(game["params"])
        referee = GAME.new_referee(game["seed"], settings)
        seats = [Watched(False), Watched(False)]
        since = [0, 0]
        for turn in game["turns"]:
            (request,) = referee.requests()
            seat = request.seat
            view = seats[seat]
            view.read(request.lines)
            since[seat] += bool(referee.state.out[1 - seat])
            one, two = (int(referee.state.unit[2 - 2 * seat + i]) for i in (0, 1))
            sets = view.tracker.belief.sets
            if since[seat] == 0:
                view.check(referee, seat)
                followed += 1
            elif since[seat] > 2 and int(sets[OUT, one]) >> two & 1:
                stopped += 1
            line = turn["output"][0] if turn["output"] else None
            if line is not None:
                view.answered(line)
            referee.answer([Answer(line)])
    assert followed > 4000
    assert stopped > 300


def twin_given_up(tracker, last):
    """Each turn at which the enemy can have stopped by itself, with all that follows from it."""
    union = blank(Belief)
    for turn in range(last):
        old = tracker._beliefs[turn]
        for later in range(turn, last):
            new = blank(Belief)
            tracker._deduce(later, old, new, True)
            old = new
        merge(union, old, False)
    return union


@pytest.mark.compiled
def test_one_pass_finds_all_turns_at_which_the_enemy_can_have_stopped():
    """In games in which the leading player gives up with actions left; the other one goes on."""
    compared = 0
    for seed in range(12):
        referee, views, random = GAME.new_referee(seed), [View(), View()], generator(seed)
        while requests := referee.requests():
            (request,) = requests
            view, scores = views[request.seat], referee.state.score
            view.read(request.lines)
            last = len(view.tracker.seen) - 1
            if referee.state.out[1 - request.seat] and view.tracker.belief is not None:
                twin = twin_given_up(view.tracker, last)
                if size_of(twin):
                    assert same(view.tracker._given_up(last), twin)
                    compared += 1
            gives_up = last > 8 and scores[request.seat] > scores[1 - request.seat] + 2
            actions = [] if gives_up else view.prompt.actions
            line = choose(actions, random, seed % 2) if actions else "ACCEPT-DEFEAT"
            view.answered(line)
            referee.answer([Answer(line)])
    assert compared > 50
