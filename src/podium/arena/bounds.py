"""The numbers that a user may give to the arena, each with default, help text and bounds.

The bounds keep everything computed from them within 64 bits, and times within what a system call can wait for.
"""

from podium.model.params import Parameter

LONGEST = 5e8  # ms, nearly six days; three of them together are still a timeout that `poll` takes
MOST_NODES = 10**15  # with the largest handicap still below 2^63
MOST = 10**12  # of anything that is counted

TIME = Parameter("time", 0.0, "Time limit per move in ms; 0: the contest's limits.", 0, LONGEST)
NODES = Parameter("nodes", 0, "Node limit per move instead of a time limit (reproducible); 0: none.", 0, MOST_NODES)
RESERVE = Parameter("reserve", 1000.0, "Time per game for late answers in ms, with --policy bank.", 0, LONGEST)
STARTUP = Parameter("startup", 0.0, "Extra time for the first answer of a program, in ms.", 0, LONGEST)
MEMORY = Parameter("memory", 0, "Memory limit of each program in MB; 0: none.", 0, 10**9)
HANDICAP = Parameter("handicap", 1.0, "Factor of a bot's time or nodes.", 0.001, 1000)
SEED = Parameter("seed", 1, "Random seed.", -(2**63), 2**63 - 1)
GAMES = Parameter("games", 0, "Number of games, rounded up to whole pairs (0: 200, or no limit with --sprt).", 0, MOST)
ROUNDS = Parameter("rounds", 10, "Number of blocks that each pairing plays.", 1, MOST)
JOBS = Parameter("jobs", 0, "Number of parallel games on this machine; 0: one per core.", 0, 4096)
PLAYERS = Parameter("players", 0, "Number of players (external referees only; default: from the name).", 0, 9)
SEAT = Parameter("seat", 0, "Seat, from 0.", 0, 8)
PORT = Parameter("port", 0, "Port; 0: any free one.", 0, 65535)
BOUND = Parameter("sprt", 0.0, "A bound of a sequential test, in Elo.", -10_000, 10_000)


def real(parameter: Parameter, value: float) -> float:
    """A number within its bounds; a PodiumError otherwise."""
    return float(parameter.read(str(value)))


def whole(parameter: Parameter, value: int) -> int:
    """A whole number within its bounds; a PodiumError otherwise."""
    return int(parameter.read(str(value)))
