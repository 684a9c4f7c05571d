"""The numbers that a user may give to the arena, each with its bounds: from the command line or from Python.

The bounds keep all that is computed with them within 64 bits, and times within what a system call can wait for.
"""

from podium.kernel.minds import Parameter

LONGEST = 5e8  # ms, nearly six days; three of them together are still a timeout that `poll` takes
MOST_NODES = 10**15  # with the largest handicap still below 2^63
MOST = 10**12  # of anything that is counted

TIME = Parameter("time", 0.0, "Milliseconds per answer; 0: the contest's own limits.", 0, LONGEST)
NODES = Parameter("nodes", 0, "Nodes per answer instead of time: reproducible.", 0, MOST_NODES)
RESERVE = Parameter("reserve", 1000.0, "With --policy bank: ms for overruns of a game.", 0, LONGEST)
STARTUP = Parameter("startup", 0.0, "ms that programs get on top for their first answer.", 0, LONGEST)
MEMORY = Parameter("memory", 0, "Memory limit of each program; 0: none.", 0, 10**9)
HANDICAP = Parameter("handicap", 1.0, "A bot's share of time or nodes.", 0.001, 1000)
SEED = Parameter("seed", 1, "Seed of everything random.", -(2**63), 2**63 - 1)
GAMES = Parameter("games", 0, "Games to play; 200 without --sprt, no limit with it.", 0, MOST)
ROUNDS = Parameter("rounds", 10, "Blocks that every meeting plays.", 1, MOST)
JOBS = Parameter("jobs", 0, "Games at a time on this machine; 0: one per core.", 0, 4096)
PLAYERS = Parameter("players", 0, "Players of a game of a foreign referee; 0: as it is named.", 0, 9)
BOUND = Parameter("sprt", 0.0, "A bound of a sequential test, in Elo.", -10_000, 10_000)


def real(parameter: Parameter, value: float) -> float:
    """A number within its bounds; a PodiumError otherwise."""
    return float(parameter.read(str(value)))


def whole(parameter: Parameter, value: int) -> int:
    """A whole number within its bounds; a PodiumError otherwise."""
    return int(parameter.read(str(value)))
