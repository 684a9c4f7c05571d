"""`podium analyze wondev_woman`: what a bot thinks of a position seen through the fog.

A position is a prompt (its lines as one argument, a file, or `-` for standard input; the two lines that come once,
before the first prompt, may be left out), or `seed=N` and the actions so far, of both players in turn. From a prompt
alone, all that fits it is possible; with the actions, what the player to move could deduce.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from podium.errors import PodiumError
from podium.games.game import Analysis, Answer, BotKind, Budget, Option, Thoughts
from podium.games.positions import prompt_text
from podium.games.wondev_woman.board import place_of
from podium.games.wondev_woman.bots.champion import Champion
from podium.games.wondev_woman.bots.placing import placed
from podium.games.wondev_woman.bots.player import heat_of, names_of_line
from podium.games.wondev_woman.bots.tracker import Tracker, size_of
from podium.games.wondev_woman.bots.view import SMALLEST, UNITS, View, read_prompt
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.scene import scene_of
from podium.kernel.clock import SECOND, now
from podium.kernel.minds import Value

LINES = 5  # moves searched for their own line
SEED = "seed="


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """The best moves, each with its line: a search for the best, then for the best without it, and so on."""
    player = kind.bot(changes)
    if not isinstance(player, Champion):
        raise PodiumError(f"{kind.name} does not search; analyze with champion")
    span = budget.deadline - now()
    view, player.tracker = read_position(list(position))
    if not view.actions:
        raise PodiumError("the player to move has no legal action")
    state = placed(player.tracker, player.places(view)[0], player.placer.status(player.tracker))
    begin = now()
    moves, results = list(view.codes()), []
    parts = min(LINES, len(moves))
    share = budget.part(Fraction(1, parts))
    for part in range(1, parts + 1):
        deadline = begin + span * part // parts
        results.append(player.searcher.search(state, 0, share.until(deadline), only=moves))
        moves.remove(results[-1].move)
    lines = [names_of_line(state, result.line) for result in results]
    count = int(size_of(player.tracker.belief))
    places = " and ".join("({}, {})".format(*place_of(int(cell))) for cell in state.unit[2:])
    thoughts = Thoughts(
        value=results[0].value,
        depth=results[0].depth,
        nodes=sum(result.nodes for result in results),
        seconds=(now() - begin) / SECOND,
        line=lines[0],
        options=[
            Option(line[0], result.value, result.nodes, "proven" if result.proof else f"depth {result.depth}", line[1:])
            for line, result in zip(lines, results, strict=True)
        ],
        note=f"{count} possible places of the enemy; searched with his units on {places}.",
        beliefs={"places": count, "heat": heat_of(player.tracker, view.size)},
    )
    scene = scene_of(player.tracker.seen[-1], view.size, [])
    return Analysis({**scene, "heat": thoughts.beliefs["heat"]}, thoughts)


def read_position(arguments: list[str]) -> tuple[View, Tracker]:
    """What the player to move sees, and what he can deduce."""
    if not arguments:
        raise PodiumError("give a prompt (text, file or -), or seed=N and the actions so far")
    if arguments[0].startswith(SEED):
        return _replayed(arguments[0].removeprefix(SEED), arguments[1:])
    lines = [line.strip() for line in prompt_text(arguments).splitlines() if line.strip()]
    if not lines:
        raise PodiumError("the prompt is empty")
    size = len(lines[0]) if len(lines[0]) >= SMALLEST else 0
    view = read_prompt(lines, size)
    tracker = Tracker()
    tracker.observe(view)
    return view, tracker


def _replayed(seed: str, actions: list[str]) -> tuple[View, Tracker]:
    """The actions are given whole, or as their words one by one."""
    try:
        referee = WondevReferee(int(seed))
    except ValueError:
        raise PodiumError(f"expected seed= and a whole number, but got {seed!r}") from None
    trackers = (Tracker(), Tracker())
    size = 0
    words = " ".join(actions).split()
    answers = [" ".join(words[i : i + 2 + UNITS]) for i in range(0, len(words), 2 + UNITS)]
    for number, answer in enumerate([*answers, ""]):
        if referee.outcome:
            raise PodiumError(f"the game was over after {number} actions: {referee.outcome.sentence}")
        (request,) = referee.requests()
        view = read_prompt(request.lines, size if referee.asked[request.seat] else 0)
        size = view.size
        tracker = trackers[request.seat]
        tracker.observe(view)
        if number < len(answers):
            if answer not in view.actions:
                raise PodiumError(f"action {number + 1}, {answer!r}, is not legal for player {request.seat}")
            tracker.act(view.code(answer))
            referee.answer([Answer(answer)])
    return view, tracker
