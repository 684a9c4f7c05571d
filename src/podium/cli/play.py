"""`podium play`: play games between bots and show them."""

from typing import Annotated

import typer
from rich.text import Text

from podium.arena.entrants.entrant import entrant
from podium.arena.entrants.project import find_project
from podium.arena.game.limits import TimeControl
from podium.arena.game.play_once import PlayedGame, WatchGame, play_watched
from podium.arena.game.players import warm
from podium.arena.game.sentences import verdict_sentence
from podium.arena.game.turn import Turn
from podium.arena.store.store import DEFAULT_STORE
from podium.cli import completion
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import DECIDED, Sheet, evaluation_text
from podium.cli.options import (
    ANY_BOT,
    GameName,
    Json,
    Milliseconds,
    Nodes,
    Players,
    Seed,
    built,
    name_for_players,
    numeric,
    of_project,
)
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import AnswerVerdict, Game, Referee, Scene, Thoughts
from podium.model.params import Parameter

GAMES = Parameter("games", 1, "Number of games; the bots change seats after each.", 1, 1e9)


def command(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help=f"One per seat: {ANY_BOT}", autocompletion=completion.bots),
    ],
    games: Annotated[int, numeric(GAMES)] = 1,
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    players: Players = 0,
    json: Json = False,
) -> None:
    """Play games between bots without storing them: a single game is shown move by move, several as a table."""
    game, *bots = of_project((game, *bots))
    project = find_project()
    bots = built(game, bots, (project and project.store) or DEFAULT_STORE)
    rules = load(name_for_players(game, players))
    if len(bots) != rules.seats:
        raise PodiumError(f"{rules.title} needs {rules.seats} bots, not {len(bots)}")
    entrants = [entrant(rules, spec) for spec in bots]
    bots = [who.label for who in entrants]
    time_control = TimeControl(time, nodes)
    with compilation_shown():
        warm(rules, entrants)
    watched = games == 1 and not json
    played: list[tuple[list[int], PlayedGame]] = []
    for number in range(games):
        seating = [(seat + number) % rules.seats for seat in range(rules.seats)]  # seating[seat]: index of the bot
        seeds = [seed + number * rules.seats + index for index in seating]
        sitting = [entrants[index] for index in seating]
        watch = _watcher(rules, [bots[index] for index in seating]) if watched else None
        one = play_watched(rules, sitting, seed + number, seeds, time_control, watch=watch)
        played.append((seating, one))
        if not watched and not json:
            errors.print(f"game {number + 1} of {games}: {one.headline}", style="dim", markup=False)
    if json:
        shown = ("seed", "bots", "scores", "ranks", "ending", "sentence")
        print_json({"games": [{name: getattr(one, name) for name in shown} for _, one in played]})
        return
    _summary(bots, played)


def has_news(game: Game, scene: Scene) -> bool:
    """Whether there is something new to draw: an external referee describes a turn once, then asks each player."""
    return game.external.from_transcript is None or (scene["news"] and bool(scene["summary"] or scene["tooltips"]))


def _watcher(rules: Game, names: list[str]) -> WatchGame:
    def watch(referee: Referee, turn: Turn) -> None:
        seat = turn.request.seat
        head = f"turn {referee.turn}: {names[seat]} (seat {seat}) answers "
        answer = (turn.line or "nothing", "bold")
        console.print(Text.assemble(head, answer, f" after {turn.milliseconds:.0f} ms"))
        if turn.verdict is not AnswerVerdict.ANSWERED:
            console.print(f"  {verdict_sentence(turn.verdict, turn.evidence)}", style="yellow")
        for text in turn.stderr.splitlines():
            console.print(f"  | {text}", style="cyan")
        if turn.thoughts:
            console.print(describe(turn.thoughts), style="dim")
        if turn.last and has_news(rules, scene := rules.scene_of(referee)):
            console.print(rules.pictures.picture(scene))

    return watch


def describe(thoughts: Thoughts) -> str:
    """A bot's evaluation, depth, nodes and expected line in one line."""
    parts = []
    if thoughts.note:
        parts.append(thoughts.note)
    if thoughts.value is not None:
        decided = abs(thoughts.value) >= DECIDED
        parts.append(evaluation_text(thoughts.value) + ("" if decided else f" {thoughts.unit}"))
    if thoughts.depth:
        parts.append(f"depth {thoughts.depth}")
    if thoughts.nodes:
        parts.append(f"{thoughts.nodes:,} nodes")
    if thoughts.line:
        parts.append("expects " + " ".join(thoughts.line[:8]))
    return "  " + ", ".join(parts)


def _summary(bots: list[str], played: list[tuple[list[int], PlayedGame]]) -> None:
    table = Sheet("bot", "games", "wins", "mean score", typed=("bot",))
    for index, name in enumerate(bots):
        mine = [(one.ranks[s.index(index)], one.scores[s.index(index)]) for s, one in played]
        wins = sum(rank == 1 for rank, _ in mine)
        table.add_row(name, str(len(mine)), str(wins), f"{sum(score for _, score in mine) / len(mine):.1f}")
    console.print(table)
    if len(played) == 1:
        console.print(played[0][1].sentence)
