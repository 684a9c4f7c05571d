"""The lines of Fall Challenge 2020: prompts written and read, answers read and written.

The rules know spells by their number; in the protocol every copy has its own id. A spellbook is the list of a player's
spells as (id, spell), in the order in which they were obtained; reading and writing answers needs it besides the state.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.errors import PodiumError
from podium.games.fall_challenge_2020.cards import (
    DELTAS,
    FIRST_ORDER_ID,
    FIRST_STARTING_ID,
    ORDER_DELTAS,
    ORDERS,
    PRICES,
    REPEATABLE,
    SPELL_BY_DELTAS,
    SPELLS,
    STARTING_SPELLS,
    TIERS,
    TOME_SPELLS,
)
from podium.games.fall_challenge_2020.legality import bonus, is_legal
from podium.games.fall_challenge_2020.rules import fall_mover
from podium.games.fall_challenge_2020.state import (
    BONUSES,
    BREW,
    CAST,
    COUNTER_PLACES,
    LEARN,
    REST,
    SEATS,
    TOME_PLACES,
    WAIT,
    card_at,
    card_of,
    encode,
    kind_of,
    times_of,
)
from podium.games.game import IllegalError, MalformedError
from podium.games.parsing import parse_int, read_int, read_ints

Spellbook = list[tuple[int, int]]

MOST_LINES = 1 + COUNTER_PLACES + TOME_PLACES + 2 * SPELLS + 2
LONGEST_LINE = 200  # characters; real ones have some 40
HIGHEST_STOCK = 127  # what the record can hold; real ones stay far below
QUOTED = 80  # characters of a malformed answer that a verdict shows

# The referee's forms, with its idea of white space, digits and text; key words are case-insensitive in ASCII only.
# Quantifiers are possessive: what they took is never tried in another way, so that no line takes long.
_W = r"[ \t\n\v\f\r]++"
_ID = rf"{_W}([0-9]++)"
_TEXT = rf"(?:{_W}[^\n\r\x85\u2028\u2029]*+)?"
_FORMS = (
    (REST, re.compile(rf"REST{_TEXT}", re.ASCII | re.IGNORECASE)),
    (CAST, re.compile(rf"CAST{_ID}(?:{_ID})?{_TEXT}", re.ASCII | re.IGNORECASE)),
    (LEARN, re.compile(rf"LEARN{_ID}{_TEXT}", re.ASCII | re.IGNORECASE)),
    (BREW, re.compile(rf"BREW{_ID}{_TEXT}", re.ASCII | re.IGNORECASE)),
    (WAIT, re.compile(rf"WAIT{_TEXT}", re.ASCII | re.IGNORECASE)),
)
WORDS = {WAIT: "WAIT", REST: "REST", CAST: "CAST", LEARN: "LEARN", BREW: "BREW"}


@dataclass(frozen=True, slots=True)
class Command:
    """A well-formed answer: a kind of move, an id as on the wire, and how often a spell is cast."""

    kind: int
    id: int = 0
    times: int = 1


def read_command(line: str) -> Command:
    """The command of an answer; MalformedError if it is none."""
    for kind, form in _FORMS:
        if match := form.fullmatch(line):
            return Command(kind, *(_number(digits) for digits in match.groups() if digits))
    raise MalformedError(f"expected BREW id, CAST id [times], LEARN id, REST or WAIT, but got {line[:QUOTED]!r}")


def _number(digits: str) -> int:
    found = parse_int(digits)
    if found is None:
        raise MalformedError(f"{digits[:40]} does not fit a signed 32-bit integer")
    return found


def read_answer(state: Any, seat: int, line: str, book: Spellbook) -> int:
    """The legal move that an answer of the owner of a spellbook stands for."""
    move = move_of(read_command(line), book)
    if move is None or not is_legal(state, seat, move):
        raise IllegalError(f"{line[:QUOTED]!r} is not possible now")
    return move


def move_of(command: Command, book: Spellbook) -> int | None:
    """The move that a command of the owner of a spellbook means, or None if its id fits nothing of that kind.

    Whether the move is legal now is for the rules to say.
    """
    if command.kind in (WAIT, REST):
        return command.kind
    if command.kind == CAST:
        spell = dict(book).get(command.id)
        return None if spell is None else encode(CAST, spell, command.times)
    if command.kind == LEARN:
        return encode(LEARN, command.id, 0) if command.id < TOME_SPELLS else None
    order = command.id - FIRST_ORDER_ID
    return encode(BREW, order, 0) if 0 <= order < ORDERS else None


def answer_of(state: Any, seat: int, move: int, book: Spellbook) -> str:
    """The line that stands for a move of a seat, the owner of a spellbook."""
    kind, card = kind_of(move), card_of(move)
    if kind == CAST:
        number = next(id for id, spell in book if spell == card)
        times = times_of(move)
        return f"CAST {number} {times}" if times > 1 else f"CAST {number}"
    if kind == LEARN:
        return f"LEARN {card}"
    if kind == BREW:
        return f"BREW {card + FIRST_ORDER_ID}"
    return WORDS[kind]


def starting_book(seat: int) -> Spellbook:
    """The spells that a player starts with."""
    first = FIRST_STARTING_ID + STARTING_SPELLS * seat
    return [(first + slot, TOME_SPELLS + slot) for slot in range(STARTING_SPELLS)]


def book_of(state: Any, seat: int) -> Spellbook:
    """A player's spells where only the state is known: learnt ones keep their id of the tome.

    In a game each copy gets an id of its own in the order of learning, which the state does not hold.
    """
    owned = int(state.owned[seat])
    return [*starting_book(seat), *((spell, spell) for spell in range(TOME_SPELLS) if owned >> spell & 1)]


def move_text(state: Any, move: int) -> str:
    """A legal move of the seat that chooses next; a learnt spell has its id of the tome."""
    seat = int(fall_mover(state))
    return answer_of(state, seat, move, book_of(state, seat))


def read_move(state: Any, text: str) -> int:
    """The legal move of the seat that chooses next that a text stands for; a learnt spell has its id of the tome."""
    seat = int(fall_mover(state))
    return read_answer(state, seat, text.strip(), book_of(state, seat))


def deltas_text(deltas: Sequence[int]) -> str:
    """Four signed numbers."""
    return " ".join(map(str, deltas))


_SPELL_TEXT = [deltas_text(deltas) for deltas in DELTAS.tolist()]
_ORDER_TEXT = [deltas_text(deltas) for deltas in ORDER_DELTAS.tolist()]


_REPEATABLE = [int(repeatable) for repeatable in REPEATABLE]


def table_lines(state: Any) -> list[str]:
    """What lies on the table for both: the orders and the tome."""
    return _counter_lines(state) + _tome_lines(state)


def prompt(state: Any, books: Sequence[Spellbook], seat: int, table: Sequence[str] | None = None) -> list[str]:
    """The prompt of a seat; `table` are the `table_lines`, if they are known already."""
    lines = list(table_lines(state) if table is None else table)
    for player, word in ((seat, "CAST"), (1 - seat, "OPPONENT_CAST")):
        ready = int(state.ready[player])
        lines += [
            f"{number} {word} {_SPELL_TEXT[spell]} 0 -1 -1 {ready >> spell & 1} {_REPEATABLE[spell]}"
            for number, spell in books[player]
        ]
    lines.insert(0, str(len(lines)))
    for player in (seat, 1 - seat):
        lines.append(f"{deltas_text(state.inventory[player].tolist())} {state.score[player]}")
    return lines


def _counter_lines(state: Any) -> list[str]:
    lines = []
    counter = state.counter
    for place in range(COUNTER_PLACES):
        order = card_at(counter, place)
        if order < ORDERS:
            extra = bonus(state, place)
            left = state.left[place] if place < len(BONUSES) else 0
            number, price = order + FIRST_ORDER_ID, PRICES[order] + extra
            lines.append(f"{number} BREW {_ORDER_TEXT[order]} {price} {extra} {left} 0 0")
    return lines


def _tome_lines(state: Any) -> list[str]:
    lines = []
    tome, stocks = state.tome, state.stocks
    for place in range(state.tome_size):
        spell = card_at(tome, place)
        stock = card_at(stocks, place)
        lines.append(f"{spell} LEARN {_SPELL_TEXT[spell]} 0 {place} {stock} 0 {_REPEATABLE[spell]}")
    return lines


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """A prompt is a count, that many lines, and two inventories."""
    while True:
        first = read()
        count = read_int(first, "a prompt begins with the number of its lines", 0, MOST_LINES)
        yield [first] + [read() for _ in range(count + SEATS)]


@dataclass(slots=True)
class FallPrompt:
    """What a prompt tells, from the point of view of its receiver (0); the other player is 1."""

    orders: list[int] = field(default_factory=list)
    bonus: int = 0  # what the order in front pays extra
    left: list[int] = field(default_factory=lambda: [0, 0])
    spells: list[int] = field(default_factory=list)  # of the tome
    stocks: list[int] = field(default_factory=list)
    books: list[Spellbook] = field(default_factory=lambda: [[], []])
    ready: list[int] = field(default_factory=lambda: [0, 0])  # bits of spells
    inventories: list[list[int]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)


def read_prompt(lines: Sequence[str]) -> FallPrompt:
    """Read a prompt; PodiumError if it is none."""
    told = FallPrompt()
    try:
        if max(map(len, lines)) > LONGEST_LINE:
            raise ValueError(f"a line is longer than {LONGEST_LINE} characters")
        count = read_int(lines[0], "the number of lines", 0, MOST_LINES)
        for line in lines[1 : count + 1]:
            _read_card(told, line.split())
        for line in (lines[count + 1], lines[count + 2]):
            *inventory, score = read_ints(line, "four counts and a score", TIERS + 1)
            told.inventories.append(inventory)
            told.scores.append(score)
    except (PodiumError, ValueError, IndexError, KeyError) as error:
        raise MalformedError(
            f"this is no prompt of Fall Challenge 2020: {error!r} in {' / '.join(lines)[:200]!r}"
        ) from None
    return told


def _read_card(told: FallPrompt, words: list[str]) -> None:
    # `int` is quick, and safe for words of short lines: a prompt has some 200 of them
    identity, kind = int(words[0]), words[1]
    deltas, extra, count = tuple(map(int, words[2:6])), int(words[7]), int(words[8])
    if kind in ("BREW", "LEARN") and not 0 <= count <= HIGHEST_STOCK:
        raise ValueError(f"a stock or a rest of {count}")
    if kind == "BREW":
        place, order = len(told.orders), identity - FIRST_ORDER_ID
        if not 0 <= order < ORDERS or place >= COUNTER_PLACES:
            raise ValueError(f"order {identity}")
        told.orders.append(order)
        if place == 0:
            told.bonus = extra
        if place < len(BONUSES):
            told.left[place] = count
    elif kind == "LEARN":
        if len(told.spells) >= TOME_PLACES:
            raise ValueError(f"spell {identity}")
        told.spells.append(SPELL_BY_DELTAS[deltas])
        told.stocks.append(count)
    else:
        player = {"CAST": 0, "OPPONENT_CAST": 1}[kind]
        spell = SPELL_BY_DELTAS[deltas]
        told.books[player].append((identity, spell))
        told.ready[player] |= (words[9] == "1") << spell


def readable(move: int) -> str:
    """A move for people: cards by what they do."""
    kind, card = kind_of(move), card_of(move)
    if kind == CAST:
        times = f" x{times_of(move)}" if times_of(move) > 1 else ""
        return f"CAST({_SPELL_TEXT[card]}){times}"
    if kind == LEARN:
        return f"LEARN({_SPELL_TEXT[card]})"
    if kind == BREW:
        return f"BREW({_ORDER_TEXT[card]} for {PRICES[card]})"
    return WORDS[kind]
