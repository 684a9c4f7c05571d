"""A position of Newgame as plain data, and that data as a picture in the terminal."""

from rich.text import Text

from podium.games.drawing import Choice
from podium.games.game import Referee, Scene
from podium.games.kit import moves_of


def scene(referee: Referee) -> Scene:
    """The heap, and who is to move."""
    return {"game": "newgame", "stones": int(referee.state.newgame_stones), "mover": int(referee.state.plies & 1)}


def choices(referee: Referee, seat: int) -> list[Choice]:
    """What a person may answer."""
    return [Choice(str(move), f"take {move}") for move in moves_of(referee.state)]


def picture(scene: Scene) -> Text:
    """The heap."""
    return Text("● " * scene["stones"] + f"({scene['stones']})")
