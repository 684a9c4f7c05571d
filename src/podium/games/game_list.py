"""The list of all games: the output of `podium games` and `podium.games()`."""

from typing import Any

from podium.display import Displayable
from podium.games import load, names, origin


class GameList(Displayable, list[str]):
    """The names of all games. Games of other packages are listed by name only, without importing them."""

    def __init__(self) -> None:
        super().__init__(names())

    @property
    def headline(self) -> str:
        """The number of games."""
        outside = sum(bool(origin(name)) for name in self)
        return f"{len(self)} games" + (f", {outside} of them from other packages" if outside else "")

    def rows(self) -> list[dict[str, Any]]:
        """One row for each game."""
        rows = []
        for name in self:
            row: dict[str, Any] = {"name": name, "title": "", "source": origin(name), "seats": None, "bots": []}
            if not row["source"]:
                game = load(name)
                row |= {
                    "title": game.title,
                    "source": game.contest.source,
                    "seats": game.seats,
                    "bots": list(game.bots),
                }
            rows.append(row)
        return rows

    def data(self) -> list[dict[str, Any]]:
        """The rows as plain data, as `--json` prints them."""
        return self.rows()
