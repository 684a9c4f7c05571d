"""`podium show`: a run with all its figures, or a game turn by turn."""

from collections import deque
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from podium.arena.analysis.slices import OPPONENT, SEAT, bot_of, slice_games
from podium.arena.analysis.stored_runs import number_of
from podium.arena.game.record import thoughts_from
from podium.arena.game.sentences import fault_sentence, verdict_sentence
from podium.arena.store.game_data import game_data, replayed_game, row_data
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import DEFAULT_STORE, Run, Store
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.arena.tournament.league_report import LeagueReport
from podium.cli import completion
from podium.cli.console import console, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import STORED, Json, StorePath, numeric
from podium.cli.play import has_news
from podium.cli.slice import results
from podium.errors import unknown
from podium.games import load_stored
from podium.games.game import AnswerVerdict, Ending, Referee, Request
from podium.lab.reports import Report, report_of
from podium.lab.tune.ablation import AblationReport
from podium.lab.tune.tuning_report import TuningReport
from podium.model.params import Parameter
from podium.referees.names import title_of

ANY = "any"
FAULTS = (ANY, *Ending, *AnswerVerdict)  # codes of `Fault.cause`
LAST = Parameter("last", 5, "Number of its last games to list (runs only).", 0, 1e9)


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar=STORED, autocompletion=completion.runs, help="A run such as r3, or a stored game such as g125."
        ),
    ],
    store: StorePath = DEFAULT_STORE,
    pictures: Annotated[bool, typer.Option(help="Draw the position at each turn (games only).")] = False,
    prompts: Annotated[bool, typer.Option(help="Print the prompts that the bots received (games only).")] = False,
    last: Annotated[int, numeric(LAST)] = 5,
    fault: Annotated[
        str, typer.Option(metavar="CODE", help="List only games with a disqualified bot: any, or a code such as late.")
    ] = "",
    json: Json = False,
) -> None:
    """Show the result of a run, or a game turn by turn with the bots' evaluations and standard error."""
    if fault and fault not in FAULTS:
        raise unknown("code of a fault", fault, FAULTS)
    kind, number = number_of(what, "r")
    with Store(store, create=False) as opened:
        if kind == "g":
            _show_game(stored_game(opened, opened.game(number)), pictures, prompts, json)
        else:
            run = opened.run(number)
            report = report_of(opened, run)
            if json:
                print_json({**report.data(), "last_games": _last_games(opened, run, last, fault)})
            else:
                _show_run(opened, run, report, last, fault)


def _last_games(store: Store, run: Run, number: int, fault: str) -> list[dict[str, Any]]:
    """The last games of a run as plain data, without their answers."""
    bots = store.bots(run)
    return [row_data(game, [bots[bot].label for bot in game.bots]) for game in _listed(store, run, number, fault)]


def _listed(store: Store, run: Run, number: int, fault: str) -> Sequence[GameRow]:
    """The last games of a run; with a code, the last in which a bot was disqualified for it."""
    if not fault:
        return store.last_games(run, number)
    codes = {*FAULTS} if fault == ANY else {fault}
    found = (game for game in store.games(run) if any(each.cause in codes for each in game.faults))
    return list(deque(found, maxlen=number))


def _show_run(store: Store, run: Run, report: Report, last: int, fault: str) -> None:
    console.print(_view(report), crop=False)
    if run.wanted.get("imported") and (me := run.wanted.get("me")):
        console.print(results(slice_games(store, run, bot_of(store, run, me), (OPPONENT, SEAT))))
    if last:
        bots = store.bots(run)
        table = Sheet("game", "seed", "seats", "scores", "how it ended", typed=("game", "seed"))
        games, total = _listed(store, run, last, fault), store.size(run)[0]
        for game in games:
            table.add_row(
                f"g{game.id}",
                str(game.seed),
                " vs ".join(bots[bot].label for bot in game.bots),
                " ".join(f"{score:g}" for score in game.scores),
                game.sentence,
            )
        console.print(table)
        if not fault and len(games) < total:
            console.print(f"the last {len(games):,} of {total:,} games; --last {total} lists all", style="dim")


def _view(report: Report) -> RenderableType:
    from podium.cli import ablate, league, match, tune

    if isinstance(report, AblationReport):
        return ablate.view(report)
    if isinstance(report, TuningReport):
        return tune.view(report)
    return league.view(report) if isinstance(report, LeagueReport) else match.view(report)


def _show_game(stored: StoredGame, pictures: bool, prompts: bool, json: bool) -> None:
    run, game, names = stored.run, stored.row, stored.names
    if json:
        replayed = prompts or pictures
        print_json(replayed_game(stored, load_stored(run.game), prompts, pictures) if replayed else game_data(stored))
        return
    rules = load_stored(run.game)
    place = f"seed {game.seed}, round {game.round}, part {game.part}"
    console.print(f"g{game.id} of r{run.id}: {title_of(run.game)}, {place}")
    console.print(" vs ".join(f"{name} (seat {seat})" for seat, name in enumerate(names)))

    def picture(referee: Referee) -> None:
        """The position; where another program knows it, what that told of the turn before."""
        scene = rules.scene_of(referee)
        if has_news(rules, scene):
            console.print(rules.pictures.picture(scene))

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        if pictures or rules.external.from_transcript:
            picture(referee)
        for offset, request in enumerate(requests):
            if prompts:
                for line in request.lines:
                    console.print(f"    > {line}", style="dim")
            _print_answer(referee.turn + 1, stored, first + offset)

    referee, departure = stored.replay_to_show(rules, watch)
    if (pictures or rules.external.from_transcript) and not departure:
        picture(referee)
    if departure:
        console.print(f"the rules have changed since: {departure.where}, {departure.what} differs", style="red")
    for fault in game.faults:
        console.print(f"{names[fault.seat]} was disqualified: {fault_sentence(fault)}", style="yellow")
    console.print(f"{game.sentence}; scores {' '.join(f'{score:g}' for score in game.scores)}", style="bold")


def _print_answer(turn: int, stored: StoredGame, index: int) -> None:
    """One answer with all that is known about it."""
    answer, thoughts = stored.record.turn(index), stored.record.thoughts.get(index)
    spent = f"{answer.milliseconds:.1f} ms" if answer.milliseconds else "time unknown"
    spent += f", {answer.cpu_ms:.1f} ms of processor time" if answer.cpu_ms is not None else ""
    said = "nothing" if answer.line is None else answer.line.replace("\n", " / ")
    console.print(f"turn {turn}, seat {answer.seat}: {said}   ({stored.names[answer.seat]}, {spent})")
    if answer.verdict is not AnswerVerdict.ANSWERED:
        console.print(f"    {verdict_sentence(answer.verdict, answer.evidence)}", style="yellow")
    if answer.stalled_ms:
        console.print(f"    the machine took {answer.stalled_ms:.1f} ms of it", style="yellow")
    if thoughts is not None:
        from podium.cli.play import describe

        console.print("  " + describe(thoughts_from(thoughts)), style="dim")
    for text in answer.stderr.splitlines():
        console.print(f"    | {text}", style="cyan")
