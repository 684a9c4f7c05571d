"""The text of Code 4 Life: prompts written from a state, moves written as answers, answers read as moves.

The forms of answers are those of the official referee: ASCII classes, any case, the whole line. Its quantifiers are
possessive here: what they took is never tried in another way, which changes no verdict, and no line takes long.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from podium.games.code4life.catalogue import (
    ALL_KINDS,
    CAPACITY,
    DIAGNOSIS,
    KIND_COST,
    KIND_GAIN,
    KIND_HEALTH,
    KIND_RANK,
    LABORATORY,
    MODULES,
    MOLECULES,
    PROJECTS,
    RANKS,
    SAMPLES,
    START_POS,
    TRAY,
    TYPES,
    unpack,
)
from podium.games.code4life.rules import code4life_mover, code4life_play, seat_moves
from podium.games.code4life.state import (
    CLOUD,
    CONNECT_TRAY,
    DIAGNOSED,
    DOWNLOAD,
    DRAW,
    GOTO,
    ID_SHIFT,
    KIND_MASK,
    MOST_MOVES,
    PRODUCE,
    SEATS,
    TAKE,
    WAIT,
    pool_plus_one,
)
from podium.games.game import IllegalError, MalformedError
from podium.games.parsing import parse_int, read_int

TAIL = r"(?:\s++.*+)?"
GOTO_FORM = re.compile(rf"GOTO\s++(LABORATORY|DIAGNOSIS|MOLECULES|SAMPLES){TAIL}", re.ASCII | re.IGNORECASE)
CONNECT_FORM = re.compile(rf"CONNECT(?:\s++([ABCDE]|-?\d++))?{TAIL}", re.ASCII | re.IGNORECASE)
WAIT_FORM = re.compile(rf"WAIT{TAIL}", re.ASCII | re.IGNORECASE)
ROUND_HEAD = 4  # lines of a prompt before those of the samples
MOST_SAMPLES = CLOUD + SEATS * TRAY
QUOTED = 80  # characters of an answer that a verdict shows

# How the line of a sample ends, by its kind, when it is diagnosed and when it is not.
KNOWN_ENDING = [
    f"{KIND_RANK[kind]} {TYPES[KIND_GAIN[kind]]} {KIND_HEALTH[kind]} {' '.join(map(str, unpack(KIND_COST[kind])))}"
    for kind in range(ALL_KINDS)
]
HIDDEN_ENDING = [f"{KIND_RANK[kind]} 0 -1 -1 -1 -1 -1 -1" for kind in range(ALL_KINDS)]


def opening_lines(state: Any) -> list[str]:
    """What both players are sent once, before their first prompt: the projects."""
    return [str(len(state.project)), *(" ".join(map(str, unpack(needed))) for needed in state.project)]


def prompt(state: Any, seat: int) -> list[str]:
    """What a player is sent in every round."""
    other = 1 - seat
    players = _player_lines(state)  # fields are turned into lists once: records are slow to read from Python
    trays, carried = state["tray"].tolist(), state["carried"].tolist()
    samples = [sample_line(sample, 0) for sample in trays[seat][: carried[seat]]]
    samples += [sample_line(sample, 1) for sample in trays[other][: carried[other]]]
    samples += [sample_line(sample, -1) for sample in state["cloud"][: state["clouded"]].tolist()]
    pool = " ".join(str(max(0, count - 1)) for count in unpack(pool_plus_one(state)))
    return [players[seat], players[other], pool, str(len(samples)), *samples]


def _player_lines(state: Any) -> list[str]:
    """Location, eta, score, storage and expertise of each robot."""
    fields = (state[name].tolist() for name in ("location", "eta", "score", "storage", "expertise"))
    return [
        f"{MODULES[location]} {eta} {score} {' '.join(map(str, unpack(storage) + unpack(expertise)))}"
        for location, eta, score, storage, expertise in zip(*fields, strict=True)
    ]


def sample_line(sample: int, carrier: int) -> str:
    """Id, carrier, rank, and what is known of a sample."""
    kind = sample & KIND_MASK
    return f"{sample >> ID_SHIFT} {carrier} {KNOWN_ENDING[kind] if sample & DIAGNOSED else HIDDEN_ENDING[kind]}"


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Cut the stream of lines: the first prompt also holds the project lines."""
    head = [read()]
    head += [read() for _ in range(read_int(head[0], "the number of projects", 0, PROJECTS))]
    while True:
        lines = head + [read() for _ in range(ROUND_HEAD)]
        lines += [read() for _ in range(read_int(lines[-1], "the number of samples", 0, MOST_SAMPLES))]
        yield lines
        head = []


def answer_of(state: Any, seat: int, move: int) -> str:
    """The line that plays a move of a seat, which the caller guarantees to be legal."""
    if move == WAIT:
        return "WAIT"
    if move <= GOTO + LABORATORY:
        return f"GOTO {MODULES[move - GOTO]}"
    if move < TAKE:
        return f"CONNECT {move - DRAW}"
    if move < CONNECT_TRAY:
        return f"CONNECT {TYPES[move - TAKE]}"
    if move < DOWNLOAD:
        slot = move - PRODUCE if move >= PRODUCE else move - CONNECT_TRAY
        return f"CONNECT {int(state.tray[seat, slot]) >> ID_SHIFT}"
    return f"CONNECT {int(state.cloud[move - DOWNLOAD]) >> ID_SHIFT}"


def move_text(state: Any, move: int) -> str:
    """A legal move of the seat that chooses next, as the protocol writes it."""
    return answer_of(state, int(code4life_mover(state)), move)


def read_move(state: Any, text: str) -> int:
    """The legal move of the seat that chooses next that a text stands for; a travelling robot can only WAIT."""
    if not any(form.fullmatch(text.strip()) for form in (GOTO_FORM, CONNECT_FORM, WAIT_FORM)):
        raise MalformedError(f"expected GOTO module, CONNECT data or WAIT, but got {text[:QUOTED]!r}")
    return read_answer(state, int(code4life_mover(state)), text.strip())


def line_of(state: Any, moves: Sequence[int]) -> list[str]:
    """The answers that a sequence of moves stands for, of both seats in turn."""
    state, line = state.copy(), []
    for move in moves:
        line.append(answer_of(state, int(code4life_mover(state)), move))
        code4life_play(state, move)
    return line


def read_answer(state: Any, seat: int, line: str) -> int:
    """The legal move that an answer stands for. A travelling robot's answer is ignored, whatever it is."""
    if state.eta[seat] > 0:
        return WAIT
    if match := GOTO_FORM.fullmatch(line):
        return GOTO + MODULES.index(match[1].upper())
    if match := CONNECT_FORM.fullmatch(line):
        move = _connect(state, seat, (match[1] or "").upper())
        out = np.zeros(MOST_MOVES, np.int64)
        if move not in out[: seat_moves(state, seat, out)]:
            raise IllegalError(f"{line[:QUOTED]!r} at {MODULES[state.location[seat]]}: {_reason(state, seat, move)}")
        return move
    if WAIT_FORM.fullmatch(line):
        return WAIT
    raise MalformedError(f"expected GOTO module, CONNECT data or WAIT, but got {line[:QUOTED]!r}")


def _connect(state: Any, seat: int, data: str) -> int:
    """The move that `CONNECT data` means where the robot stands; whether it is legal is asked afterwards."""
    location = int(state.location[seat])
    if location == START_POS:
        raise IllegalError("there is nothing to connect to at START_POS")
    if location == MOLECULES:
        if len(data) != 1 or data not in TYPES:
            raise IllegalError(f"MOLECULES needs a letter from A to E, not {data[:20]!r}")
        return TAKE + TYPES.index(data)
    given = parse_int(data)
    if given is None:
        raise IllegalError(f"{MODULES[location]} needs a number of 32 bits, not {data[:20]!r}")
    if location == SAMPLES:
        if not 1 <= given <= RANKS:
            raise IllegalError(f"a rank is 1, 2 or 3, not {given}")
        return DRAW + given
    tray = [int(sample) >> ID_SHIFT for sample in state.tray[seat][: state.carried[seat]]]
    if given in tray:
        return tray.index(given) + (PRODUCE if location == LABORATORY else CONNECT_TRAY)
    cloud = [int(sample) >> ID_SHIFT for sample in state.cloud[: state.clouded]]
    if location == DIAGNOSIS and given in cloud:
        return DOWNLOAD + cloud.index(given)
    places = "the tray or the cloud" if location == DIAGNOSIS else "the tray"
    raise IllegalError(f"sample {given} is not in {places}")


def _reason(state: Any, seat: int, move: int) -> str:
    """Why a well-formed CONNECT is not legal."""
    if TAKE <= move < CONNECT_TRAY:
        held = sum(unpack(state.storage[seat]))
        return f"{CAPACITY} molecules are held already" if held >= CAPACITY else "none of this type is left"
    if PRODUCE <= move < DOWNLOAD:
        return "molecules and expertise do not cover its cost"
    return f"{TRAY} samples are carried already"
