"""`podium games`: what can be played."""

from rich.table import Table

from podium.cli.bots import parameter_data
from podium.cli.common import Json, console, load_game, print_json
from podium.games import names


def command(json: Json = False) -> None:
    """List the games."""
    games = [load_game(name) for name in names()]
    if json:
        print_json(
            [
                {
                    "name": g.name,
                    "title": g.title,
                    "source": g.source,
                    "seats": g.seats,
                    "bots": list(g.bots),
                    "settings": [parameter_data(setting) for setting in g.settings],
                }
                for g in games
            ]
        )
        return
    table = Table("game", "title", "contest", "seats", "bots")
    for game in games:
        table.add_row(game.name, game.title, game.source, str(game.seats), " ".join(game.bots))
    console.print(table)


command.__name__ = "games"
