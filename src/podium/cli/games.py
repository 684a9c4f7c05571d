"""`podium games`: what can be played."""

from rich.table import Table

from podium.cli.common import Json, console, load_game, print_json
from podium.games import names, origin


def command(json: Json = False) -> None:
    """List the games. Those of other packages are named; they are imported once one of them is asked for."""
    outside = {name: package for name in names() if (package := origin(name))}
    games = [load_game(name) for name in names() if name not in outside]
    if json:
        print_json(
            [
                *(
                    {"name": g.name, "title": g.title, "source": g.source, "seats": g.seats, "bots": list(g.bots)}
                    for g in games
                ),
                *({"name": name, "source": package} for name, package in outside.items()),
            ]
        )
        return
    table = Table("game", "title", "contest", "seats", "bots")
    for game in games:
        table.add_row(game.name, game.title, game.source, str(game.seats), " ".join(game.bots))
    for name, package in outside.items():
        table.add_row(name, "", package, "", f"podium bots {name}")
    console.print(table)


command.__name__ = "games"
