"""A position of Fall Challenge 2020 as plain data, and that data as a picture in the terminal.

The spots of the board are the cards, named like the answers that use them: `BREW 45`, `LEARN 12`, `CAST 78`.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from podium.games.fall_challenge_2020.cards import (
    DELTAS,
    FIRST_ORDER_ID,
    ORDER_DELTAS,
    ORDERS,
    PRICES,
    REPEATABLE,
    TOME_SPELLS,
)
from podium.games.fall_challenge_2020.legality import bonus, seat_moves
from podium.games.fall_challenge_2020.protocol import Spellbook, answer_of, book_of, readable
from podium.games.fall_challenge_2020.rules import rupees
from podium.games.fall_challenge_2020.state import COUNTER_PLACES, MOST_MOVES, SEATS, card_at
from podium.games.game import Scene, Thoughts
from podium.games.overlays import Choice, Drawing, Sketch, line_through, text_at

COLOURS = ("bright_blue", "green", "orange3", "yellow")  # of the tiers, as in the contest's viewer
LEGEND = "ingredients are counted by tier, 0 to 3; *: several times at once; (exhausted)"
CARD = re.compile(r"(CAST|LEARN|BREW)\(([-0-9 ]+?)(?: for [0-9]+)?\)( x[0-9]+)?")  # a move as `readable` writes it


def scene(state: Any, books: Sequence[Spellbook] = (), last: Sequence[str] = ("", "")) -> Scene:
    """Counter, tome and both players with their spells, inventories and scores.

    `books` and `last` are the history, as far as it is known: the ids of the players' spells, and what they did.
    """
    books = books or [book_of(state, seat) for seat in range(SEATS)]
    return {
        "game": "fall_challenge_2020",
        "turn": int(state.turn),
        "counter": [_order(state, place) for place in range(COUNTER_PLACES) if card_at(state.counter, place) < ORDERS],
        "tome": [
            _spell(card_at(state.tome, place))
            | {"id": int(card_at(state.tome, place)), "tax": place, "stock": int(card_at(state.stocks, place))}
            for place in range(state.tome_size)
            if card_at(state.tome, place) < TOME_SPELLS
        ],
        "players": [_player(state, seat, books[seat], last[seat]) for seat in range(SEATS)],
    }


def _order(state: Any, place: int) -> dict[str, Any]:
    order, extra = card_at(state.counter, place), bonus(state, place)
    return {
        "id": int(order) + FIRST_ORDER_ID,
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


def choices(state: Any, seat: int, books: Sequence[Spellbook] = (), last: Sequence[str] = ("", "")) -> list[Choice]:
    """The legal moves; a spell that can be cast several times at once is asked for by its card all the same."""
    moves = np.zeros(MOST_MOVES, np.int64)
    book = books[seat] if books else book_of(state, seat)
    found = []
    for move in moves[: seat_moves(state, seat, moves)].tolist():
        answer = answer_of(state, seat, move, book)
        card = answer.split()[:2]
        found.append(Choice(answer, readable(move).replace("(", " (").lower(), (" ".join(card),) * (len(card) > 1)))
    return found


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """The cards of the expected moves in their order, the values of the options, the plan of the other player."""
    plan = thoughts.beliefs.get("plan of the other player") or []
    options: list[Drawing] = [
        text_at(spot, f"{option.value:.3g}")
        for option in thoughts.options
        if (spot := _card_spot(scene, seat, option.move))
    ]
    return {
        "line": _numbered(scene, seat, thoughts.line),
        "options": options,
        "beliefs": _numbered(scene, 1 - seat, plan),
    }


def _numbered(scene: Scene, seat: int, moves: Sequence[str]) -> list[Drawing]:
    """Each card with the numbers of all the moves that use it."""
    numbers: dict[str, list[str]] = {}
    for number, move in enumerate(moves, 1):
        if spot := _card_spot(scene, seat, move):
            numbers.setdefault(spot, []).append(str(number))
    return [line_through([spot], " ".join(turns), seat) for spot, turns in numbers.items()]


def _card_spot(scene: Scene, seat: int, move: str) -> str:
    """The card of a move written by what it does; nothing if the card is not there yet."""
    match = CARD.fullmatch(move)
    if not match:
        return ""
    kind, deltas = match[1], [int(word) for word in match[2].split()]
    if kind == "BREW":
        cards = [(card["id"], [-need for need in card["needs"]]) for card in scene["counter"]]
    else:
        spells = scene["tome"] if kind == "LEARN" else scene["players"][seat]["spells"]
        cards = [(card["id"], card["deltas"]) for card in spells]
        if kind == "CAST":  # a spell of the tome that the plan is to learn first
            cards += [(f"LEARN {card['id']}", card["deltas"]) for card in scene["tome"]]
    found = next((number for number, effect in cards if effect == deltas), None)
    if found is None:
        return ""
    return found if isinstance(found, str) else f"{kind} {found}"


def picture(scene: Scene) -> Group:
    """Orders, tome and players, one below the other, with the ids that answers name; nothing depends on colours."""
    counter = Table(*(f"BREW {o['id']}" for o in scene["counter"]), title="orders", title_justify="left")
    counter.add_row(*(_counts(o["needs"]) for o in scene["counter"]))
    counter.add_row(*(f"{o['price']} rupees" for o in scene["counter"]))
    counter.add_row(*(f"+{o['bonus']} ({o['left']} left)" if o["bonus"] else "" for o in scene["counter"]))
    tome = Table(*(f"LEARN {s['id']}" for s in scene["tome"]), title="tome", title_justify="left")
    if scene["tome"]:
        tome.add_row(*(_effect(s) for s in scene["tome"]))
        tome.add_row(*(f"tax {s['tax']}" for s in scene["tome"]))
        tome.add_row(*(f"stock {s['stock']}" if s["stock"] else "" for s in scene["tome"]))
    players = Table(
        "", "did", "score", "brews", "inventory", "spells", title=f"after turn {scene['turn']}", show_lines=True
    )
    for seat, player in enumerate(scene["players"]):
        players.add_row(
            f"player {seat}" if player["active"] else f"player {seat} (out)",
            player["last"],
            str(player["score"]),
            str(player["brews"]),
            _counts(player["inventory"]),
            _spells(player["spells"]),
        )
    return Group(counter, tome, players, Text(LEGEND, style="dim"), *([_forecast(scene)] if scene.get("plan") else []))


def _forecast(scene: Scene) -> Table:
    """What an analysis expects of both players, turn by turn; the thinking player comes first."""
    table = Table(
        "turn", "this player", "", "score", "other player", "", "score", title="expected", title_justify="left"
    )
    for number, step in enumerate(scene["plan"], scene["turn"] + 1):
        cells: list[str | Text] = [str(number)]
        for player, action in enumerate((step["mine"], step["theirs"])):
            cells += [action, _counts(step["inventories"][player]), str(step["scores"][player])]
        table.add_row(*cells)
    return table


def _counts(counts: Sequence[int], sign: str = "") -> Text:
    """One number for each tier, in its colour."""
    return Text(" ").join(
        Text(f"{count:{sign}d}" if count else "0", style=colour) for count, colour in zip(counts, COLOURS, strict=True)
    )


def _effect(spell: dict[str, Any]) -> Text:
    return _counts(spell["deltas"], "+").append("*" if spell["repeatable"] else "")


def _spells(spells: Sequence[dict[str, Any]]) -> Text:
    """Each with its id; those that are exhausted in brackets."""
    texts = []
    for spell in spells:
        text = Text(f"{spell['id']}: ").append_text(_effect(spell))
        texts.append(text if spell["ready"] else Text("(", style="dim").append_text(text).append(")"))
    return Text("\n").join(texts)
