"""`podium show`: a run with all its figures, or a game turn by turn."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType

from podium.arena.finished import FinishedGame
from podium.arena.league import LeagueReport
from podium.arena.record import Recorder, retell, thoughts_from, unpack
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.stored import number_of
from podium.cli.common import Json, console, has_news, numeric, print_json
from podium.cli.running import StorePath
from podium.cli.tables import Sheet
from podium.games import load_stored
from podium.games.game import Game, Referee, Request
from podium.kernel.minds import Parameter
from podium.lab.ablation import AblationReport
from podium.lab.stored import Report, report_of
from podium.lab.tuned import TuningReport
from podium.referees.names import title_of

LAST = Parameter("last", 5, "Of a run: list so many of its last games.", 0, 1e9)


def command(
    what: Annotated[str, typer.Argument(metavar="RUN|GAME", help="A run such as r3, or a game such as g125.")],
    store: StorePath = DEFAULT_STORE,
    pictures: Annotated[bool, typer.Option(help="Draw the board at every turn of a game.")] = False,
    prompts: Annotated[bool, typer.Option(help="Print what bots were sent.")] = False,
    last: Annotated[int, numeric(LAST)] = 5,
    json: Json = False,
) -> None:
    """Show a run's result, or a game turn by turn with what bots thought and wrote to standard error."""
    kind, number = number_of(what, "r")
    with Store(store, create=False) as opened:
        if kind == "g":
            game = opened.game(number)
            _show_game(opened, game, pictures, prompts, json)
        else:
            run = opened.run(number)
            report = report_of(opened, run)
            if json:
                print_json({**report.data(), "last_games": _last_games(opened, run, last)})
            else:
                _show_run(opened, run, report, last)


def _last_games(store: Store, run: Run, number: int) -> list[dict[str, Any]]:
    """The last games of a run as plain data, without their answers."""
    bots = store.bots(run)
    return [
        {
            "game": f"g{game.id}",
            "round": game.round,
            "part": game.part,
            "seed": game.seed,
            "bots": [bots[bot].label for bot in game.bots],
            "scores": game.scores,
            "ranks": game.ranks,
            "ending": game.result.why,
            "sentence": game.sentence,
        }
        for game in store.last_games(run, number)
    ]


def _show_run(store: Store, run: Run, report: Report, last: int) -> None:
    limits = run.conditions.limits() or "the contest's limits"
    policy = run.conditions.allowance.policy.value
    console.print(f"r{run.id}: {run.kind} of {title_of(run.game)}, {run.name}; seed {run.seed}, {limits}, {policy}")
    console.print(_view(report), crop=False)
    if last:
        bots = store.bots(run)
        table = Sheet("game", "seed", "seats", "scores", "how it ended", typed=("game", "seed"))
        for game in store.last_games(run, last):
            table.add_row(
                f"g{game.id}",
                str(game.seed),
                " - ".join(bots[bot].label for bot in game.bots),
                " ".join(f"{score:g}" for score in game.scores),
                game.sentence,
            )
        console.print(table)


def _view(report: Report) -> RenderableType:
    from podium.cli import ablate, league, match, tune

    if isinstance(report, AblationReport):
        return ablate.view(report)
    if isinstance(report, TuningReport):
        return tune.view(report)
    return league.view(report) if isinstance(report, LeagueReport) else match.view(report)


def _show_game(store: Store, game: FinishedGame, pictures: bool, prompts: bool, json: bool) -> None:
    run = store.run(game.run)
    bots = store.bots(run)
    names = [bots[bot].label for bot in game.bots]
    record = unpack(store.record(game.id))
    if json:
        data = game_data(run, game, names, record)
        if prompts or pictures:
            _add_turns(data, load_stored(run.game), run, game, record, prompts, pictures)
        print_json(data)
        return
    rules = load_stored(run.game)
    place = f"seed {game.seed}, round {game.round}, part {game.part}"
    console.print(f"g{game.id} of r{run.id}: {title_of(run.game)}, {place}")
    console.print(" - ".join(f"{name} (seat {seat})" for seat, name in enumerate(names)))

    def picture(referee: Referee) -> None:
        """The position; where another program knows it, what that told of the turn before."""
        scene = rules.scene(referee)
        if has_news(rules, scene):
            console.print(rules.picture(scene))

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        if pictures or rules.retold:
            picture(referee)
        for offset, request in enumerate(requests):
            if prompts:
                for line in request.lines:
                    console.print(f"    > {line}", style="dim")
            print_answer(console, referee.turn + 1, names, record, first + offset)

    referee, departure = retell(rules, run.conditions.settings, game, record, watch)
    if (pictures or rules.retold) and not departure:
        picture(referee)
    if departure:
        console.print(f"the rules have changed since: {departure.where}, {departure.what} differs", style="red")
    for seat, _, sentence in game.faults:
        console.print(f"{names[seat]} was put out: {sentence}", style="yellow")
    console.print(f"{game.sentence}; scores {' '.join(f'{score:g}' for score in game.scores)}", style="bold")


def _add_turns(
    data: dict[str, Any], rules: Game, run: Run, game: FinishedGame, record: Recorder, prompts: bool, pictures: bool
) -> None:
    """Add what only the referee can tell: each answer's turn, what the bot was sent, the position before the turn."""

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        for index, request in enumerate(requests, first):
            answer = data["answers"][index]
            answer["turn"] = referee.turn + 1
            if prompts:
                answer["prompt"] = list(request.lines)
        if pictures:
            data["answers"][first]["scene"] = rules.scene(referee)

    referee, departure = retell(rules, run.conditions.settings, game, record, watch)
    if departure:
        data["departure"] = {"where": departure.where, "what": departure.what}
    elif pictures:
        data["last_scene"] = rules.scene(referee)


def print_answer(console: Console, turn: int, names: Sequence[str], record: Recorder, index: int) -> None:
    """One answer with all that is known about it."""
    seat = record.seats[index]
    cpu = record.cpu[index]
    spent = f"{record.times[index]:.1f} ms" + (f", {cpu:.1f} ms of processor time" if cpu is not None else "")
    line = record.lines[index]
    said = "nothing" if line is None else line.replace("\n", " / ")
    console.print(f"turn {turn}, seat {seat}: {said}   ({names[seat]}, {spent})")
    if index in record.verdicts:
        word, reason = record.verdicts[index]
        console.print(f"    {word}: {reason}", style="yellow")
    if index in record.stalls:
        console.print(f"    the machine took {record.stalls[index]:.1f} ms of it", style="yellow")
    if index in record.thoughts:
        from podium.cli.play import describe

        console.print("  " + describe(thoughts_from(record.thoughts[index])), style="dim")
    for text in record.stderr.get(index, "").splitlines():
        console.print(f"    | {text}", style="cyan")


def game_data(run: Run, game: FinishedGame, names: Sequence[str], record: Recorder) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "game": f"g{game.id}",
        "run": f"r{run.id}",
        "rules": run.game,
        "settings": dict(run.conditions.settings),
        "seed": game.seed,
        "round": game.round,
        "part": game.part,
        "bots": list(names),
        "scores": game.scores,
        "ranks": game.ranks,
        "ending": game.ending,
        "sentence": game.sentence,
        "faults": [{"seat": seat, "why": word, "sentence": text} for seat, word, text in game.faults],
        "started": game.started,
        "seconds": game.seconds,
        "answers": [
            {
                "seat": record.seats[index],
                "line": record.lines[index],
                "ms": record.times[index],
                "cpu_ms": record.cpu[index],
                "stalled_ms": record.stalls.get(index, 0.0),
                "verdict": record.verdicts.get(index),
                "thoughts": record.thoughts.get(index),
                "stderr": record.stderr.get(index, ""),
            }
            for index in range(len(record.seats))
        ],
        "archive": dict(record.archive),
    }
