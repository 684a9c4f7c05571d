"""`podium games`: what can be played."""

from rich.table import Table

from podium.cli.common import Json, console, print_json
from podium.games.listing import GameList


def command(json: Json = False) -> None:
    """List the games. Those of other packages are named; they are imported once one of them is asked for."""
    games = GameList()
    if json:
        print_json(games.data())
        return
    table = Table("game", "title", "contest", "seats", "bots")
    for row in games.rows():
        bots = " ".join(row["bots"]) or f"podium bots {row['name']}"
        table.add_row(row["name"], row["title"], row["source"], str(row["seats"] or ""), bots)
    console.print(table)


command.__name__ = "games"
