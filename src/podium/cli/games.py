"""`podium games`: what can be played."""

from podium.cli.console import console, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import Json
from podium.games.game_list import GameList
from podium.referees.registry import file_of, registered


def command(json: Json = False) -> None:
    """List the games: those of Podium, of installed packages, and external referees with a short name."""
    games = GameList()
    referees = registered(file_of())
    if json:
        named = [{"name": name, "source": str(referee)} for name, referee in referees.items()]
        print_json({"games": [*games.data(), *named]})
        return
    table = Sheet("game", "title", "contest", "seats", "bots", typed=("game",))
    for row in games.rows():
        bots = " ".join(row["bots"]) or f"podium bots {row['name']}"
        table.add_row(row["name"], row["title"], row["source"], str(row["seats"] or ""), bots)
    for name, referee in referees.items():
        table.add_row(name, "", f"the referee {referee.target}", str(referee.options["players"]), "cmd:... py:...")
    console.print(table)
