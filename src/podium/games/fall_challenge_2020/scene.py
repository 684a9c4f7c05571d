"""A position of Fall Challenge 2020 as plain data, and that data as a picture in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from podium.games.fall_challenge_2020.cards import DELTAS, ORDER_DELTAS, ORDERS, PRICES, REPEATABLE, TIERS, TOME_SPELLS
from podium.games.fall_challenge_2020.protocol import Spellbook
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.rules import bonus, rupees
from podium.games.fall_challenge_2020.state import COUNTER_PLACES, SEATS, card_at
from podium.games.game import Referee, Scene

COLOURS = ("bright_blue", "green", "orange3", "yellow")  # of the tiers, as in the contest's viewer
SYMBOL = "●"


def scene(referee: Referee) -> Scene:
    """Counter, tome and both players with their spells, inventories and scores."""
    assert isinstance(referee, FallReferee)
    return scene_of(referee.state, referee.books, referee.last)


def scene_of(state: Any, books: Sequence[Spellbook], last: Sequence[str]) -> Scene:
    """The scene of a state."""
    return {
        "game": "fall_challenge_2020",
        "turn": int(state.turn),
        "counter": [_order(state, place) for place in range(COUNTER_PLACES) if card_at(state.counter, place) < ORDERS],
        "tome": [
            _spell(card_at(state.tome, place)) | {"tax": place, "stock": int(card_at(state.stocks, place))}
            for place in range(state.tome_size)
            if card_at(state.tome, place) < TOME_SPELLS
        ],
        "players": [_player(state, seat, books[seat], last[seat]) for seat in range(SEATS)],
    }


def _order(state: Any, place: int) -> dict[str, Any]:
    order, extra = card_at(state.counter, place), bonus(state, place)
    return {
        "needs": (-ORDER_DELTAS[order]).tolist(),
        "price": int(PRICES[order] + extra),
        "bonus": int(extra),
        "left": int(state.left[place]) if extra else 0,
    }


def _spell(spell: int) -> dict[str, Any]:
    return {"deltas": DELTAS[spell].tolist(), "repeatable": bool(REPEATABLE[spell])}


def _player(state: Any, seat: int, book: Spellbook, last: str) -> dict[str, Any]:
    ready = int(state.ready[seat])
    return {
        "inventory": state.inventory[seat].tolist(),
        "score": int(state.score[seat]),
        "total": int(rupees(state, seat)),
        "brews": int(state.brews[seat]),
        "active": bool(state.active[seat]),
        "last": last,
        "spells": [_spell(spell) | {"id": number, "ready": bool(ready >> spell & 1)} for number, spell in book],
    }


def picture(scene: Scene) -> Group:
    """Orders, tome and players, one below the other."""
    counter = Table(*(f"{o['price']} rupees" for o in scene["counter"]), title="orders", title_justify="left")
    counter.add_row(*(_ingredients(o["needs"]) for o in scene["counter"]))
    counter.add_row(*(f"+{o['bonus']} ({o['left']} left)" if o["bonus"] else "" for o in scene["counter"]))
    tome = Table(*(f"tax {s['tax']}" for s in scene["tome"]), title="tome", title_justify="left")
    if scene["tome"]:
        tome.add_row(*(_effect(s) for s in scene["tome"]))
        tome.add_row(*(f"stock {s['stock']}" if s["stock"] else "" for s in scene["tome"]))
    players = Table("", "did", "score", "brews", "inventory", "spells (dim: exhausted)", title=f"turn {scene['turn']}")
    for seat, player in enumerate(scene["players"]):
        players.add_row(
            f"player {seat}" if player["active"] else f"player {seat} (out)",
            player["last"],
            str(player["score"]),
            str(player["brews"]),
            _ingredients(player["inventory"]),
            _spells(player["spells"]),
        )
    return Group(counter, tome, players, *([_forecast(scene)] if scene.get("plan") else []))


def _forecast(scene: Scene) -> Table:
    """What an analysis expects of both players, turn by turn; the one who thinks comes first."""
    table = Table("turn", "thinker", "", "score", "other player", "", "score", title="expected", title_justify="left")
    for number, step in enumerate(scene["plan"], scene["turn"] + 1):
        cells: list[str | Text] = [str(number)]
        for player, action in enumerate((step["mine"], step["theirs"])):
            cells += [action, _ingredients(step["inventories"][player]), str(step["scores"][player])]
        table.add_row(*cells)
    return table


def _ingredients(counts: Sequence[int]) -> Text:
    text = Text()
    for tier in range(TIERS):
        count = counts[tier]
        text.append(SYMBOL * count if 0 <= count <= 10 else f"{count}{SYMBOL} ", style=COLOURS[tier])
    return text


def _effect(spell: dict[str, Any], dim: bool = False) -> Text:
    text = Text(style="dim" if dim else "")
    for sign in (-1, 1):
        for tier, delta in enumerate(spell["deltas"]):
            if delta * sign > 0:
                text.append(f"{delta:+d}", style=("dim " if dim else "") + COLOURS[tier])
    return text.append("*" if spell["repeatable"] else "")


def _spells(spells: Sequence[dict[str, Any]]) -> Text:
    return Text("  ").join(_effect(spell, dim=not spell["ready"]) for spell in spells)
