"""`podium play`: watch bots play."""

from typing import Annotated

import typer
from rich.text import Text

from podium.arena.entrants import entrant
from podium.arena.exhibition import PlayedGame, Watch, play_watched
from podium.arena.limits import Allowance
from podium.arena.play import Turn
from podium.arena.runner import warm
from podium.cli import tables
from podium.cli.common import (
    GameName,
    Json,
    Milliseconds,
    Nodes,
    Players,
    Seed,
    compilation_shown,
    console,
    errors,
    has_news,
    numeric,
    print_json,
    seated,
)
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Referee, Thoughts
from podium.kernel.minds import Parameter

GAMES = Parameter("games", 1, "How many games; seats rotate from game to game.", 1, 1e9)


def command(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="One per seat: name, name:parameter=value,..., py:file.py or cmd:program"),
    ],
    games: Annotated[int, numeric(GAMES)] = 1,
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    players: Players = 0,
    json: Json = False,
) -> None:
    """Play games between bots: one game is shown move by move, many as a table."""
    rules = load(seated(game, players))
    if len(bots) != rules.seats:
        raise PodiumError(f"{rules.title} needs {rules.seats} bots, not {len(bots)}")
    entrants = [entrant(rules, spec) for spec in bots]
    bots = [who.label for who in entrants]
    allowance = Allowance(time, nodes)
    with compilation_shown():
        warm(rules, entrants)
    watched = games == 1 and not json
    played: list[tuple[list[int], PlayedGame]] = []
    for number in range(games):
        seating = [(seat + number) % rules.seats for seat in range(rules.seats)]  # seating[seat]: index of the bot
        seeds = [seed + number * rules.seats + index for index in seating]
        sitting = [entrants[index] for index in seating]
        watch = _watcher(rules, [bots[index] for index in seating]) if watched else None
        one = play_watched(rules, sitting, seed + number, seeds, allowance, watch=watch)
        played.append((seating, one))
        if not watched and not json:
            errors.print(f"game {number + 1} of {games}: {one.headline}", style="dim", markup=False)
    if json:
        shown = ("seed", "bots", "scores", "ranks", "ending", "sentence")
        print_json({"games": [{name: getattr(one, name) for name in shown} for _, one in played]})
        return
    _summary(bots, played)


def _watcher(rules: Game, names: list[str]) -> Watch:
    def watch(referee: Referee, turn: Turn) -> None:
        seat = turn.request.seat
        head = f"turn {referee.turn}: {names[seat]} (seat {seat}) answers "
        answer = (turn.answer.line or "nothing", "bold")
        console.print(Text.assemble(head, answer, f" after {turn.answer.milliseconds:.0f} ms"))
        if turn.heard.reason:
            console.print(f"  {turn.verdict.value}: {turn.heard.reason}", style="yellow")
        for text in turn.heard.stderr.splitlines():
            console.print(f"  | {text}", style="cyan")
        if turn.thoughts:
            console.print(describe(turn.thoughts), style="dim")
        if turn.last and has_news(rules, scene := rules.scene(referee)):
            console.print(rules.picture(scene))

    return watch


def describe(thoughts: Thoughts) -> str:
    """What a bot thought, in one line."""
    parts = []
    if thoughts.note:
        parts.append(thoughts.note)
    if thoughts.value is not None:
        parts.append(f"{tables.number(thoughts.value)} {thoughts.unit}")
    if thoughts.depth:
        parts.append(f"depth {thoughts.depth}")
    if thoughts.nodes:
        parts.append(f"{thoughts.nodes:,} nodes")
    if thoughts.line:
        parts.append("expects " + " ".join(thoughts.line[:8]))
    return "  " + ", ".join(parts)


def _summary(bots: list[str], played: list[tuple[list[int], PlayedGame]]) -> None:
    table = tables.Sheet("bot", "games", "first places", "mean score", typed=("bot",))
    for index, name in enumerate(bots):
        mine = [(one.ranks[s.index(index)], one.scores[s.index(index)]) for s, one in played]
        wins = sum(rank == 1 for rank, _ in mine)
        table.add_row(name, str(len(mine)), str(wins), f"{sum(score for _, score in mine) / len(mine):.1f}")
    console.print(table)
    if len(played) == 1:
        console.print(played[0][1].sentence)
