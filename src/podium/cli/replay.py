"""`podium replay`: play a stored game again and compare."""

from typing import Annotated

import typer

from podium.arena.record import Departure, check, unpack
from podium.arena.store import DEFAULT_STORE, Store
from podium.cli.common import Json, compilation_shown, console, load_game, print_json
from podium.cli.running import StorePath
from podium.cli.show import number_of, where


def command(
    what: Annotated[
        list[str], typer.Argument(metavar="GAME-ID...", help="Games such as g125; r3 stands for all games of a run.")
    ],
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Play stored games again through the referee, and compare every prompt and the result with what was stored."""
    agree = 0
    departures: list[tuple[int, Departure]] = []
    with Store(store, create=False) as opened, compilation_shown():
        for text in what:
            kind, number = number_of(text, "g")
            games = [opened.game(number)] if kind == "g" else list(opened.games(opened.run(number)))
            for game in games:
                run = opened.run(game.run)
                record = unpack(opened.record(game.id))
                _, departure = check(load_game(run.game), run.conditions.settings, game, record)
                if departure:
                    departures.append((game.id, departure))
                else:
                    agree += 1
    if json:
        differing = [{"game": f"g{number}", **vars(departure)} for number, departure in departures]
        print_json({"agree": agree, "differing": differing})
    else:
        console.print(f"{agree:,} games agree in every prompt and in the result, {len(departures):,} differ")
        for number, departure in departures[:5]:
            console.print(f"g{number} departs {where(departure)}: {departure.what}", style="red")
            console.print(f"  stored: {departure.stored!r}\n  found:  {departure.found!r}")
    if departures:
        raise typer.Exit(1)


command.__name__ = "replay"
