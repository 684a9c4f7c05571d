"""The searching bots: evaluation, moves, positions as text."""

import numpy as np
import pytest

from podium.arena.play import Allowance, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code_of_kutulu.analysis import analyze
from podium.games.code_of_kutulu.bots.evaluation import (
    CHOICE_MASK,
    decided_value,
    kutulu_candidates,
    kutulu_evaluate,
    settled_value,
)
from podium.games.code_of_kutulu.bots.maxn import MINDS as MAXN_MINDS
from podium.games.code_of_kutulu.bots.maxn import kutulu_shares
from podium.games.code_of_kutulu.bots.mind import WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.paranoid import ParanoidPlayer, drop_far_minions, living_seats, searched_state
from podium.games.code_of_kutulu.bots.prediction import FRACTION, penalty
from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL, sees, walk
from podium.games.code_of_kutulu.positions import read, stored_positions, write
from podium.games.code_of_kutulu.pruning import count_tree
from podium.games.code_of_kutulu.rules import kutulu_play, remove
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import (
    CHOICES,
    LIGHT,
    PLAN,
    RUSHING,
    SEATS,
    STALKING,
    WAIT,
    WANDERING,
    YELL,
    State,
)
from podium.games.game import Budget
from podium.kernel import JIT, allocate
from podium.kernel.clock import NEVER
from podium.kernel.rules import is_over

LINES = stored_positions()
SOME = LINES if JIT else LINES[::12]


def plain_value(state, mind, seat):
    """The write-up's list of terms, one by one."""
    maze = state.maze
    here = state.cell[seat]
    others = [s for s in living_seats(state) if s != seat]
    distances = [walk(maze, here, state.cell[other]) for other in others]
    minions = range(int(state.minions))
    total = mind.my_sanity * int(state.sanity[seat])
    total -= sum(mind.enemy_sanity * int(state.sanity[other]) for other in others)
    total -= mind.lonely * max(0, min(distances) - 2)
    total -= mind.explorer_distance * sum(distances)
    if minions:
        total += mind.nearest_minion * min(walk(maze, here, state.where[i]) for i in minions)
    total += mind.minion_distance * sum(walk(maze, here, state.where[i]) for i in minions)
    targets = [int(state.target[i]) for i in minions]
    total += mind.target_distance * sum(walk(maze, here, state.cell[t]) for t in targets if t in living_seats(state))
    total -= mind.yelled * (int(state.yelled) >> (4 * seat) & 15).bit_count()
    total -= mind.slasher_target * sum(targets[i] == seat and bool(state.slasher[i]) for i in minions)
    return total - mind.wanderer_target * sum(targets[i] == seat and not state.slasher[i] for i in minions)


@pytest.mark.parametrize("line", SOME)
def test_the_evaluation_is_the_write_ups_list_of_terms(line):
    state, _ = read(line.split())
    mind = WRITEUP_MINDS.mind()
    for seat in living_seats(state):
        assert settled_value(state, mind, seat) == pytest.approx(plain_value(state, mind, seat))


def test_a_hit_that_all_share_is_worth_nothing_by_the_mean():
    mind = WRITEUP_MINDS.mind({"enemy_mean": True})
    for out in ((), (3,), (2, 3)):
        known = initial_state(42)
        for seat in out:
            remove(known, seat, 1)
        state = searched_state(known, mind, 0)
        before = settled_value(state, mind, 0)
        state.sanity -= 20
        assert settled_value(state, mind, 0) == pytest.approx(before)
        state.sanity[1] -= 20
        assert settled_value(state, mind, 0) == pytest.approx(before + 20 / (3 - len(out)))


def test_the_way_back_matters_while_three_are_left():
    mind = WRITEUP_MINDS.mind({"way_back": 1.0})
    known = initial_state(42)
    remove(known, 3, 1)
    for left, matters in ((3, True), (2, False)):
        state = searched_state(known, mind, 0)
        far = settled_value(state, mind, 0) - settled_value(state, WRITEUP_MINDS.mind(), 0)
        assert (far < 0) == matters, left
        remove(known, 2, 1)


def test_wins_losses_and_draws_by_depth():
    mind = WRITEUP_MINDS.mind()
    state = initial_state(1)
    state.turn, state.origin, state.living = 12, 10, 0b0010
    state.score[:] = [11, 0, 11, 5]
    assert decided_value(state, mind, 1) == 1e10 - 2e9
    assert decided_value(state, mind, 0) == -1e10 + 2e9
    state.living, state.over, state.score[1] = 0, 1, 11
    assert decided_value(state, mind, 0) == pytest.approx(0.2)
    assert decided_value(state, mind, 3) == -1e10 + 2e9


def choices(state, mind):
    out = np.zeros(CHOICES, np.int64)
    moves = out[: kutulu_candidates(state, mind, out)]
    assert all(move >> 3 & 3 == state.mover and move >> 5 == state.cell[state.mover] for move in moves)
    return {int(move) & CHOICE_MASK for move in moves}


def test_only_i_may_yell_and_light():
    mind = WRITEUP_MINDS.mind()
    state = searched_state(initial_state(42), mind, 0)
    state.cell[1] = state.cell[0]
    assert {YELL, LIGHT} <= choices(state, mind)
    assert PLAN not in choices(state, mind)
    state.mover = 1
    assert not {YELL, LIGHT, PLAN} & choices(state, mind)
    mind.enemy_yell = mind.enemy_light = True
    assert {YELL, LIGHT} <= choices(state, mind)


def test_a_light_needs_a_far_enemy():
    mind = WRITEUP_MINDS.mind()
    state = searched_state(initial_state(42), mind, 0)
    state.cell[:] = state.cell[0]
    assert LIGHT not in choices(state, mind)


def test_a_plan_is_searched_beside_a_wait_when_sanity_is_low():
    mind = WRITEUP_MINDS.mind({"plan_searched": True})
    state = searched_state(initial_state(42), mind, 0)
    assert PLAN not in choices(state, mind)
    state.sanity[0] = 150
    assert {WAIT, PLAN} <= choices(state, mind)


def test_a_plan_takes_the_place_of_a_wait_in_the_answer():
    for changes, expected in (({}, PLAN), ({"plan_searched": True}, WAIT)):
        player = ParanoidPlayer(WRITEUP_MINDS.mind(changes), 0)
        player.view.state, player.view.seat = initial_state(42), 0
        assert player.with_plan(WAIT) == WAIT
        player.state.sanity[0] = 150
        assert player.with_plan(WAIT) == expected


def plain_penalty(state, mind, seat, cell):
    """What an enemy sees on a cell, one by one."""
    maze, others = state.maze, [s for s in living_seats(state) if s != seat]
    total = 0.0
    for i in range(int(state.minions)):
        where, mode = state.where[i], int(state.mode[i])
        distance = walk(maze, where, cell)
        if state.slasher[i] and sees(maze, where, cell):
            total += {RUSHING: mind.fear_rush, STALKING: mind.fear_stalk, WANDERING: mind.fear_stalk}.get(mode, 0.0)
        if not state.slasher[i] and mode == WANDERING:
            near = {2: 4, 3: 3, 4: 2, 5: 1}.get(distance, 0)
            total += mind.fear_touch if distance <= 1 else mind.fear_near * near
    ways = [min(15, walk(maze, cell, state.cell[other])) for other in others]
    total += mind.herd * min(ways) + mind.flock * sum(ways)
    total -= mind.ways_out * sum(there != NO_CELL for there in MAZES[maze].neighbours(int(cell)))
    filled = [shelter for i, shelter in enumerate(MAZES[maze].shelters) if state.shelter[i]]
    if state.sanity[seat] < 240:
        total -= mind.rest * (cell in filled)
        total -= mind.rest_near * sum(max(0, 8 - walk(maze, cell, shelter)) for shelter in filled)
    return total


@pytest.mark.parametrize("line", SOME)
def test_few_choices_of_an_enemy_are_those_that_serve_it_best(line):
    everything = WRITEUP_MINDS.mind()
    known, seat = read(line.split())
    state = searched_state(known, everything, seat)
    for enemy in living_seats(state):
        if enemy == seat:
            continue
        state.mover = enemy
        neighbours = [*MAZES[state.maze].neighbours(int(state.cell[enemy])), int(state.cell[enemy])]
        penalties = {
            choice: penalty(state, everything, enemy, neighbours[choice]) for choice in choices(state, everything)
        }
        for choice, value in penalties.items():
            assert value == pytest.approx(plain_penalty(state, everything, enemy, neighbours[choice]))
        for few in (1, 2):
            kept = choices(state, WRITEUP_MINDS.mind({"active_enemies": 0, "far_choices": few}))
            assert len(kept) == min(few, len(penalties))
            rest = [penalties[choice] for choice in penalties.keys() - kept]
            assert max(penalties[choice] for choice in kept) <= min(rest, default=np.inf) + 1 / FRACTION


@pytest.mark.parametrize("line", SOME)
def test_what_is_foreseen_at_my_choice_is_what_would_be_predicted_later(line):
    mind = WRITEUP_MINDS.mind({"active_enemies": 0, "far_choices": 1})
    known, seat = read(line.split())
    plain, noted = searched_state(known, mind, seat), searched_state(known, mind, seat)
    assert choices(noted, mind)
    assert noted.foreseen_for == noted.turn + 1 > plain.foreseen_for
    for enemy in living_seats(known):
        if enemy != seat:
            plain.mover = noted.mover = enemy
            assert choices(noted, mind) == choices(plain, mind)


def test_far_enemies_and_minions_can_be_ignored():
    mind = WRITEUP_MINDS.mind({"ignore_explorers": 3})
    state = searched_state(initial_state(42), mind, 0)
    state.mover = 1
    assert choices(state, mind) == {WAIT}
    state, seat = read(LINES[0].split())
    near = [i for i in range(int(state.minions)) if walk(state.maze, state.where[i], state.cell[seat]) <= 9]
    numbers = state.number[near].tolist()
    drop_far_minions(state, seat, 9)
    assert state.number[: state.minions].tolist() == numbers


def test_a_position_in_mid_turn_is_valued_as_if_the_others_wait():
    mind = WRITEUP_MINDS.mind({"complete": True})
    state, seat = read(LINES[0].split())
    state = searched_state(state, mind, seat)
    states = allocate(State, 2)
    states[0] = states[1] = state
    kutulu_play(states[0], WAIT)
    before = bytes(states[0])
    value = kutulu_evaluate(states[0], mind, seat)
    assert bytes(states[0]) == before
    while states[1].turn == state.turn:
        kutulu_play(states[1], WAIT)
    assert value == settled_value(states[1], mind, seat)


@pytest.mark.parametrize("line", SOME)
def test_shares_add_up(line):
    state, _ = read(line.split())
    out = np.zeros(SEATS)
    kutulu_shares(state, MAXN_MINDS.mind(), out)
    assert out.sum() == pytest.approx(1.0)
    assert out.min() >= 0.0
    assert all((out[seat] > 0) == bool(state.living >> seat & 1) for seat in range(SEATS))


def paranoid_value(state, mind, seat, depth):
    """Plain minimax, me against the rest."""
    if is_over(state) or depth == 0:
        return kutulu_evaluate(state, mind, seat)
    moves = np.zeros(CHOICES, np.int64)
    count = kutulu_candidates(state, mind, moves)
    if count == 0:
        return kutulu_evaluate(state, mind, seat)
    values = []
    for move in moves[:count].tolist():
        child = allocate(State, 1)
        child[0] = state
        kutulu_play(child[0], move)
        values.append(paranoid_value(child[0], mind, seat, depth - 1))
    return max(values) if state.mover == seat else min(values)


@pytest.mark.parametrize("line", LINES[1::8] if JIT else LINES[1:2])
def test_the_search_finds_the_value_of_plain_paranoid(line):
    mind = WRITEUP_MINDS.mind()
    known, seat = read(line.split())
    state = searched_state(known, mind, seat)
    depth = 5 if JIT else 2
    found = ParanoidPlayer(mind, 0).engine.search(state, seat, depth=depth)
    assert found.value == pytest.approx(paranoid_value(state, mind, seat, depth))


def test_full_trees_are_counted():
    mind = WRITEUP_MINDS.mind()
    states, moves, counts = allocate(State, 4), np.zeros((4, CHOICES), np.int64), np.zeros(4, np.int64)
    state = searched_state(initial_state(42), mind, 0)
    widths = []
    for seat in range(3):
        state.mover = seat
        widths.append(len(choices(state, mind)))
    state.mover = 0
    states[0] = state
    expected = widths[0] + widths[0] * widths[1] + widths[0] * widths[1] * widths[2]
    assert count_tree(states, moves, counts, mind, 3, 10**6) == expected


@pytest.mark.parametrize("line", LINES)
def test_positions_survive_writing_and_reading(line):
    state, seat = read(line.split())
    assert write(state, seat) == line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("maze:Typhon", "Typhoon"),
        ("maze:Typhoon", "needs maze:, settings:"),
        ("wandrer:1,2", "wanderer"),
        ("wanderer:1,2", "expected 6 numbers"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:0 explorer:0,0,0,250,2,3", "no walkable cell"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:0", "no explorer"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:7", "seats are 0 to 3"),
    ],
)
def test_bad_positions_are_refused_in_a_sentence(line, sentence):
    with pytest.raises(PodiumError, match=sentence):
        read(line.split())


@pytest.mark.parametrize("name", ["champion", "writeup", "maxn", "annealing"])
def test_bots_analyse_a_position(name):
    kind = load("code_of_kutulu").kind(name)
    budget = Budget(NEVER, nodes=200 if JIT else 20)
    changes = {} if JIT or name != "annealing" else {"turns": 2, "tries": 2}
    analysis = analyze(LINES[3].split(), kind, changes, budget)
    assert analysis.thoughts.nodes > 0
    assert analysis.thoughts.line
    assert analysis.scene["turn"] > 0


def test_a_bot_that_does_not_search_cannot_analyse():
    game = load("code_of_kutulu")
    with pytest.raises(PodiumError, match="does not search"):
        analyze(LINES[3].split(), game.kind("greedy"), {}, Budget(NEVER, nodes=1))


@pytest.mark.compiled
@pytest.mark.slow
def test_the_champion_outlives_random_players():
    game = load("code_of_kutulu")
    for number in range(4):
        names = ["random"] * 4
        names[number] = "champion"
        bots = [game.kind(name).bot(seed=number * 4 + seat) for seat, name in enumerate(names)]
        outcome = play_game(game.new_referee((number + 1) << 45), bots, Allowance(nodes=2000))
        assert outcome.faults == ()
        assert outcome.ranks[number] == 1


def test_the_stored_positions_are_from_many_mazes():
    mazes = {int(read(line.split())[0].maze) for line in LINES}
    assert len(mazes) >= len(MAZES) // 2
