"""All games in a list that shows itself: what `podium games` and `podium.games()` tell."""

from typing import Any

from podium.games import load, names, origin
from podium.tables import Shown


class GameList(Shown, list[str]):
    """The names of all games. Those of other packages are named only; they are imported once one is asked for."""

    def __init__(self) -> None:
        super().__init__(names())

    @property
    def headline(self) -> str:
        """How many there are."""
        outside = sum(bool(origin(name)) for name in self)
        return f"{len(self)} games" + (f", {outside} of them from other packages" if outside else "")

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game."""
        rows = []
        for name in self:
            row: dict[str, Any] = {"name": name, "title": "", "source": origin(name), "seats": None, "bots": []}
            if not row["source"]:
                game = load(name)
                row |= {"title": game.title, "source": game.source, "seats": game.seats, "bots": list(game.bots)}
            rows.append(row)
        return rows

    def data(self) -> list[dict[str, Any]]:
        """As plain data, which is what `--json` prints."""
        return self.rows()
