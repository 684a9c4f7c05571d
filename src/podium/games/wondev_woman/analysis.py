"""`podium analyze wondev_woman`: what a bot thinks of a position seen through the fog.

A position is a prompt (its lines as one argument, a file, or `-` for standard input; the two lines that come once,
before the first prompt, may be left out), or `seed=N` and the actions so far, of both players in turn. From a prompt
alone, all that fits it is possible; with the actions, what the player to move could deduce.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError, UnfitSearchError
from podium.games.game import Analysis, Answer, BotKind, Budget, Thoughts
from podium.games.multi_pv import best_first
from podium.games.parsing import SEED, is_prompt, prompt_argument, read_seed
from podium.games.wondev_woman.board import place_of
from podium.games.wondev_woman.bots.champion import Champion, option_of
from podium.games.wondev_woman.protocol import SMALLEST
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.scene import scene
from podium.games.wondev_woman.state import SEATS, UNITS
from podium.games.wondev_woman.tracker import size_of
from podium.games.wondev_woman.view import ENEMY, View
from podium.kernel.clock import SECOND, now
from podium.model.params import Value

WORDS = 2 + UNITS  # of an action


def position(words: Sequence[str]) -> Any:
    """The state that a prompt shows, in which the player who is asked is seat 0; None for moves."""
    return read_position(list(words)).state if is_prompt(words) else None


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """The best moves, each with its line, compared at one depth."""
    bot = kind.bot(changes)
    if not isinstance(bot, Champion):
        raise UnfitSearchError(f"{kind.name} does not search; analyze with champion")
    bot.view = view = read_position(list(position))
    start = now()
    state = bot.possible_states()[0]
    finding, comparing = budget.slices(2)
    found = bot.best_moves(state, finding)
    if not found:
        raise PodiumError("the player to move has no legal action")
    results = best_first(bot.valued(state, [result.move for result in found], comparing))
    options = [option_of(state, result) for result in results]
    count, heat = int(size_of(view.tracker.belief)), view.tracker.heat(view.size)
    places = " and ".join("({}, {})".format(*place_of(int(cell))) for cell in state.unit[2 * ENEMY :])
    thoughts = Thoughts(
        value=results[0].value,
        depth=results[0].depth,
        nodes=sum(result.nodes for result in (*found, *results)),
        seconds=(now() - start) / SECOND,
        line=options[0].line,
        options=options,
        note=f"{count} possible places of the enemy; searched with its units on {places}.",
        beliefs={"places": count, "heat": heat},
    )
    return Analysis({**scene(view.state, size=view.size), "heat": heat}, thoughts)


def read_position(arguments: list[str]) -> View:
    """What the player to move has seen."""
    if not arguments:
        raise PodiumError("give a prompt (text, file or -), or seed=N and the actions so far")
    if arguments[0].startswith(SEED):
        return _replayed(read_seed(arguments[0]), arguments[1:])
    lines = [line.strip() for line in prompt_argument(arguments).splitlines() if line.strip()]
    if not lines:
        raise PodiumError("the prompt is empty")
    view = View()
    view.size = len(lines[0]) if len(lines[0]) >= SMALLEST else 0
    view.read(lines)
    return view


def _replayed(seed: int, actions: list[str]) -> View:
    """The actions are given whole, or as their words one by one."""
    referee, views = WondevReferee(seed), [View() for _ in range(SEATS)]
    words = " ".join(actions).split()
    answers = [" ".join(words[i : i + WORDS]) for i in range(0, len(words), WORDS)]
    for played in range(len(answers) + 1):
        if referee.outcome:
            raise PodiumError(f"the game was over after {played} actions: {referee.outcome.detail}")
        (request,) = referee.requests()
        view = views[request.seat]
        view.read(request.lines)
        if played < len(answers):
            if answers[played] not in view.prompt.actions:
                raise PodiumError(f"action {played + 1}, {answers[played]!r}, is not legal for player {request.seat}")
            view.answered(answers[played])
            referee.answer([Answer(answers[played])])
    return view
