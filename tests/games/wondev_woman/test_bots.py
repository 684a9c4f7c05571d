"""Evaluation, placing, champion, greedy and analysis of Wondev Woman."""

import json
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from podium.arena.game.recordings import read
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Answer, Budget
from podium.games.wondev_woman.analysis import read_position
from podium.games.wondev_woman.board import NOWHERE, place_of
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS, PLACING
from podium.games.wondev_woman.protocol import grid_of, read_prompt
from podium.games.wondev_woman.rules import wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import MOST_MOVES, own_units, put
from podium.games.wondev_woman.tracker import size_of
from podium.games.wondev_woman.view import FIRST_PROMPT, View
from podium.kernel import JIT, allocate
from podium.kernel.clock import NEVER, now
from podium.kernel.random import draw_below, generator
from podium.model.hooks import terminal_value
from podium.model.rules import evaluate

GAME = load("wondev_woman")
RECORDINGS = Path(__file__).parents[2] / "recordings" / "wondev_woman.jsonl.gz"


def around(x, y):
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def plain_evaluation(state, seat, territory, points, freedom):
    """Breadth-first search with a queue, side to move first, as the write-up describes it."""
    heights = {
        (x, y): int(cell) for y, row in enumerate(grid_of(state, 7)) for x, cell in enumerate(row) if cell != "."
    }
    units = [[place_of(cell) for cell in own_units(state, side)] for side in (0, 1)]
    taken = {place for side in units for place in side}

    def steps(place):
        return [n for n in around(*place) if heights.get(n, 9) <= min(3, heights[place] + 1) and n not in taken]

    owner = {}
    free = [0, 0]
    fronts = [[], []]
    mover = int(state.mover)
    for side in (0, 1):
        if not state.out[side]:
            fronts[side] = list(units[side])
            free[side] = sum(len(steps(place)) for place in units[side])
    while fronts[0] or fronts[1]:
        for side in (mover, 1 - mover):
            reached = []
            for place in fronts[side]:
                for neighbour in steps(place):
                    if neighbour not in owner:
                        owner[neighbour] = side
                        reached.append(neighbour)
            fronts[side] = reached
    cells = [sum(side == one for one in owner.values()) for side in (0, 1)]
    other = 1 - seat
    return (
        territory * (cells[seat] - cells[other])
        + points * (int(state.score[seat]) - int(state.score[other]))
        + freedom * (free[seat] - free[other])
    )


def test_evaluation_is_that_of_the_plain_twin():
    params = CHAMPION_PARAMS.params({"territory": 2.0, "points": 1.0, "freedom": 1.0})
    states = allocate(GAME.rules.state, 1)
    moves = np.zeros(MOST_MOVES, np.int64)
    for seed in range(12 if JIT else 1):
        states[0] = GAME.new_referee(seed).state
        random = generator(seed)
        while not states[0].over:
            for seat in (0, 1):
                assert evaluate(states[0], params, seat) == plain_evaluation(states[0], seat, 2, 1, 1)
            count = wondev_legal_moves(states[0], moves)
            wondev_play(states[0], moves[draw_below(random, count)])


def plain_space(state, side):
    """The free cells that a side can reach, whatever the other does."""
    grid = {(x, y): int(cell) for y, row in enumerate(grid_of(state, 7)) for x, cell in enumerate(row) if cell != "."}
    taken = {place_of(cell) for other in (0, 1) for cell in own_units(state, other)}
    front = [] if state.out[side] else [place_of(cell) for cell in own_units(state, side)]
    reached = set()
    while front:
        place = front.pop()
        for near in around(*place):
            if near not in reached | taken and grid.get(near, 9) <= min(3, grid[place] + 1):
                reached.add(near)
                front.append(near)
    return len(reached)


def test_space_by_flood_fill_is_that_of_the_plain_twin():
    params = CHAMPION_PARAMS.params({"flood_fill": True, "points": 0.0, "freedom": 0.0})
    random, moves = generator(4), np.zeros(MOST_MOVES, np.int64)
    for seed in range(20 if JIT else 3):
        state = GAME.initial_state(seed=seed)
        for _ in range(4 * seed):
            if state.out.any():
                break
            wondev_play(state, moves[draw_below(random, wondev_legal_moves(state, moves))])
        assert evaluate(state, params, 0) == 2 * (plain_space(state, 0) - plain_space(state, 1))


def test_a_writeup_search_begins_without_points():
    for name, points in (("writeup", 0), ("champion", 7)):
        bot = GAME.bots[name].bot()
        bot.view.read(FIRST_PROMPT)
        bot.view.tracker.points[-1] = 7
        assert int(bot.possible_states()[0].score[0]) == points


def test_a_writeup_search_has_no_value_for_a_win_and_none_from_a_table():
    params = GAME.bots["writeup"].param_spec.params()
    assert (float(params.win), bool(params.table), bool(params.hash_move), bool(params.partial)) == (
        0,
        False,
        True,
        False,
    )


def test_the_first_move_of_the_enemy_is_deduced_unless_switched_off():
    prompt = [*FIRST_PROMPT[:2], "00000", "00000", "00100", "00000", "00000", *FIRST_PROMPT[7:]]
    sizes = []
    for changes in ({}, {"first_move": False}):
        bot = GAME.bots["writeup"].bot(changes)
        bot.view.read(prompt)
        sizes.append(int(size_of(bot.view.tracker.belief)))
    assert 0 < sizes[0] < sizes[1]


def test_without_a_value_for_a_win_an_ended_game_is_worth_its_evaluation():
    state = GAME.new_referee(0).state
    state.out[1] = 1
    state.score[0] = 1
    params = GAME.bots["writeup"].param_spec.params()
    assert terminal_value(state, params, 0) == evaluate(state, params, 0) > 10  # all cells are mine


def test_units_taken_off_the_board_count_nothing():
    state = GAME.new_referee(0).state
    params = CHAMPION_PARAMS.params()
    put(state, 2, NOWHERE)
    put(state, 3, NOWHERE)
    # units on (1, 0) and (0, 1) of the square of 25 cells: 23 to reach, 4 + 4 next to them
    assert evaluate(state, params, 0) == params.territory * 23 + params.freedom * 8


def play_one(first, second, seed, nodes):
    """The points of a game between two bots by name."""
    kinds = [GAME.named(first), GAME.named(second)]
    bots = [kind.bot(changes, seed) for kind, changes in kinds]
    referee = GAME.new_referee(seed)
    while requests := referee.requests():
        line = bots[requests[0].seat].reply(requests[0].lines, Budget(NEVER, nodes=nodes))
        referee.answer([Answer(line)])
    assert referee.outcome.faults == ()
    return referee.outcome.scores


@pytest.mark.compiled
@pytest.mark.slow
def test_the_champion_beats_greedy_and_greedy_beats_random():
    results = [play_one("champion", "greedy", seed, 2000) for seed in range(5)]
    assert sum(mine > theirs for mine, theirs in results) >= 4
    results = [play_one("random", "greedy", seed, 1) for seed in range(10)]
    assert sum(mine < theirs for mine, theirs in results) >= 8


@pytest.mark.compiled
@pytest.mark.parametrize("nodes", [3, 200])
@pytest.mark.parametrize("placing", PLACING)
def test_every_way_of_placing_plays_without_a_fault(placing, nodes):
    """Also with fewer nodes than places: a part of them is never none, which would be without end."""
    play_one(f"champion:placing={placing}", "random", 3, nodes)


def recorded_prompts(game, seat):
    """The prompts of a seat in a recorded game, each with what was answered."""
    turns = [turn for turn in game["turns"] if turn["player"] == seat]
    for index, turn in enumerate(turns):
        yield ([] if index else game["init"][seat]) + turn["input"], turn["output"][0] if turn["output"] else ""


@pytest.mark.compiled
def test_recorded_prompts_are_answered_legally():
    """Bots answer from anywhere in recorded games, with all the surprises in them: faults, stops, the last round."""
    for number, game in [*read(RECORDINGS)][::6]:
        for seat in (0, 1):
            bot, copy = (GAME.kind("champion").bot(seed=number) for _ in range(2))
            size = int(game["init"][seat][0])
            for lines, line in recorded_prompts(game, seat):
                copy.view, copy.expected = deepcopy(bot.view), bot.expected
                actions = read_prompt(lines, size).actions or ("ACCEPT-DEFEAT",)
                assert copy.reply(lines, Budget(NEVER, nodes=60)) in actions
                bot.observe(lines, line)


def test_analysis_of_a_prompt_and_of_a_game(tmp_path):
    recorded = list(read(RECORDINGS))[14][1]
    prompt = "\n".join(recorded["turns"][6]["input"])
    file = tmp_path / "prompt.txt"
    file.write_text(prompt)
    budget = Budget(NEVER, nodes=500 if JIT else 5)
    kind = GAME.kind("champion")
    whole = [GAME.tools.analyze([prompt], kind, {}, budget), GAME.tools.analyze([str(file)], kind, {}, budget)]
    assert whole[0].thoughts.line == whole[1].thoughts.line
    assert json.loads(json.dumps(whole[0].scene)) == whole[0].scene
    assert len(whole[0].thoughts.options) == 5
    actions = [turn["output"][0] for turn in recorded["turns"][:6]]
    followed = GAME.tools.analyze([f"seed={recorded['seed']}", *actions], kind, {}, budget)
    assert followed.thoughts.beliefs["places"] <= whole[0].thoughts.beliefs["places"]


def test_an_analysis_compares_at_one_depth_and_sorts():
    recorded = list(read(RECORDINGS))[14][1]
    actions = [turn["output"][0] for turn in recorded["turns"][:6]]
    position, kind = [f"seed={recorded['seed']}", *actions], GAME.kind("champion")
    thoughts = GAME.tools.analyze(position, kind, {}, Budget(nodes=5000 if JIT else 20)).thoughts
    values = [option.value for option in thoughts.options]
    assert values == sorted(values, reverse=True)
    bot = kind.bot()
    bot.view = read_position(position)
    (state,) = bot.possible_states()
    for option in thoughts.options if thoughts.depth else ():
        bot.searcher.forget()
        move = bot.view.prompt.move_of(option.move)
        assert bot.searcher.search(state, 0, depth=thoughts.depth, only=[move]).value == option.value


@pytest.mark.parametrize(
    "position",
    [
        [],
        ["no such file"],
        ["1\n2\n3"],
        ["00000\n00000\n00000\n00000\n00009\n0 0\n1 1\n-1 -1\n-1 -1\n0"],
        ["00000\n00000\n00000\n00000\n00000\n0 0\n1 9\n-1 -1\n-1 -1\n0"],
        ["00000\n00000\n00000\n00000\n00000\n0 0\n1 1\n-1 -1\n-1 -1\n2\nMOVE&BUILD 0 E N"],
        ["00000\n00000\n00000\n00000\n00000\n0 0\n1 1\n-1 -1\n-1 -1\n1\nMOVE 0 E N"],
        ["seed=x"],
        ["seed=1", "MOVE&BUILD", "0", "N"],
    ],
)
def test_bad_positions_get_a_sentence(position):
    with pytest.raises(PodiumError):
        GAME.tools.analyze(position, GAME.kind("champion"), {}, Budget(now() + 10**7, nodes=3))


@pytest.mark.compiled
def test_who_was_told_a_game_knows_where_the_enemy_can_be_and_expects_him_somewhere():
    _, game = list(read(RECORDINGS))[14]
    bot, view, expected = GAME.kind("champion").bot(), View(), 0
    for lines, line in recorded_prompts(game, 0):
        bot.observe(lines, line)
        view.read(lines)
        assert bytes(bot.view.tracker.belief) == bytes(view.tracker.belief)
        view.answered(line)
        expected += bot.expected is not None
    assert bot.view.tracker.actions == view.tracker.actions
    assert expected > 10
