"""What every game must keep, whatever its rules. A new game is tested here without a new line."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from podium.arena.play import Allowance, play_game
from podium.games import load, names
from podium.games.game import Answer
from podium.kernel import JIT, allocate
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import final_score, is_over, key, legal_moves, mover, play

GAMES = names()
SEEDS = range(6 if JIT else 1)
MOST_MOVES = 4096
MOST_PLIES = 5000
TINY = Allowance(nodes=20 if JIT else 2)


def random_game(game, seed):
    """A referee at the end of a game between random bots, and the requests and answers on the way."""
    referee = game.new_referee(seed)
    bots = [game.kind("random").bot(seed=seed * 10 + seat) for seat in range(game.seats)]
    turns = []
    play_game(referee, bots, Allowance(nodes=1), turns.append)
    return referee, turns


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_random_bots_finish_without_a_fault(name, seed):
    game = load(name)
    referee, _ = random_game(game, seed)
    assert referee.outcome.faults == ()
    assert len(referee.outcome.scores) == len(referee.outcome.ranks) == game.seats
    assert min(referee.outcome.ranks) == 1
    assert referee.outcome.sentence
    assert referee.requests() == ()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_answers_give_the_same_game(name):
    game = load(name)
    referee, turns = random_game(game, 3)
    again = game.new_referee(3)
    answered = iter(turns)
    while requests := again.requests():
        assert again.requests() == requests, "asking twice must change nothing"
        recorded = [next(answered) for _ in requests]
        assert [turn.request.lines for turn in recorded] == [request.lines for request in requests]
        again.answer([turn.answer for turn in recorded])
    assert again.outcome == referee.outcome
    assert bytes(again.state) == bytes(referee.state)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_searching_rules_play_random_games_to_the_end(name, seed):
    game = load(name)
    states = allocate(game.state, 2)
    states[0] = game.new_referee(seed).state
    moves = np.zeros(MOST_MOVES, np.int64)
    random = generator(seed)
    for _ in range(MOST_PLIES):
        if is_over(states[0]):
            break
        count = legal_moves(states[0], moves)
        assert count > 0, "a game with nothing to play must be over"
        assert len(set(moves[:count].tolist())) == count, "a move is listed twice"
        assert 0 <= mover(states[0]) < game.seats
        states[1] = states[0]
        before = bytes(states[1])
        assert key(states[1]) == key(states[0])
        play(states[0], moves[draw_below(random, count)])
        assert bytes(states[1]) == before, "a copy shares memory with its original"
    else:
        pytest.fail(f"not over after {MOST_PLIES} plies")
    assert [final_score(states[0], seat) for seat in range(game.seats)]


@pytest.mark.parametrize("name", GAMES)
def test_prompts_are_cut_from_the_stream_as_they_were_sent(name):
    game = load(name)
    _, turns = random_game(game, 5)
    for seat in range(game.seats):
        sent = [list(turn.request.lines) for turn in turns if turn.request.seat == seat]
        lines = iter([line for prompt in sent for line in prompt])

        def read(lines=lines):
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        cut = []
        with pytest.raises(EOFError):
            for prompt in game.prompts(read):
                cut.append(prompt)  # noqa: PERF402 - what came before the end must be kept
        assert cut == sent


@pytest.mark.parametrize("line", [None, "", "rubbish \x00 \N{SNOWMAN}", "9" * 5000])
@pytest.mark.parametrize("name", GAMES)
def test_bad_answers_are_judged_not_raised(name, line):
    game = load(name)
    referee = game.new_referee(1)
    for _ in range(MOST_PLIES):
        requests = referee.requests()
        if not requests:
            break
        referee.answer([Answer(line) for _ in requests])
    assert referee.outcome is not None
    assert referee.outcome.faults


@pytest.mark.parametrize("name", GAMES)
def test_scenes_are_plain_data_with_a_picture(name):
    game = load(name)
    for referee in (game.new_referee(1), random_game(game, 1)[0]):
        scene = game.scene(referee)
        assert json.loads(json.dumps(scene)) == scene
        page = Console(file=io.StringIO(), width=120)
        page.print(game.picture(scene))
        assert page.file.getvalue().strip()


def all_bots():
    return [(name, bot) for name in GAMES for bot in load(name).bots]


@pytest.mark.parametrize(("name", "bot"), all_bots())
def test_same_seed_and_nodes_same_moves(name, bot):
    game = load(name)

    def answers():
        turns = []
        referee = game.new_referee(7)
        play_game(referee, [game.kind(bot).bot(seed=seat) for seat in range(game.seats)], TINY, turns.append)
        assert referee.outcome.faults == ()
        return [turn.answer.line for turn in turns]

    assert answers() == answers()
