"""The position of Zuniq: one record of bitboards."""

from podium.games.zuniq.board import DOTS
from podium.kernel import record

SEATS = 2
SEAT_NAMES = ("White", "Black")  # by seat
MOST_PLIES = 41  # no game is longer
LABELS = DOTS * DOTS

State = record(
    "zuniq state",
    [
        ("drawn", "u8"),  # all drawn walls
        ("free", "u8"),  # walls that are not drawn and do not lie inside a zone
        ("east", "u8"),  # drawn walls as barriers on the board of cells
        ("south", "u8"),
        ("closed", "u8"),  # cells that belong to a zone
        ("sizes", "u8"),  # bit s: a zone of size s exists
        ("plies", "i8"),
        ("label", "u1", (LABELS,)),  # per dot; equal for dots that drawn walls join
    ],
)
