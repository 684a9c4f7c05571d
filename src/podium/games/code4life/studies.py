"""Studies of Code 4 Life: what the write-up claims."""

from statistics import fmean

from podium.games.code4life.benchmarks import positions, simulated
from podium.games.code4life.bots import champion
from podium.games.code4life.state import SEATS
from podium.games.game import Budget, Findings, Study
from podium.games.sample_mean import mean_ratio, sample_mean

AUTHORS_ROUNDS = 40_000  # simulated by the author's program in a turn, about


def depths(seconds: float) -> Findings:
    """How many rounds the bots look ahead where they simulate as many as the author's program; always all positions."""
    first: list[float] = []
    rows = []
    for kind in reversed(champion.KINDS):
        bot = kind.bot({"partial": False})
        assert isinstance(bot, champion.Champion)
        found, counts = [], []
        for state in positions(bot):
            bot.search(state, Budget(nodes=AUTHORS_ROUNDS))
            nodes = AUTHORS_ROUNDS**2 // max(1, simulated(bot))  # which simulate about that many
            bot.searcher.forget()
            found.append(bot.search(state, Budget(nodes=nodes)).depth / SEATS)
            counts.append(simulated(bot))
        first = first or found
        spread = min(found), max(found)
        rows.append(
            [kind.name, len(found), round(fmean(counts)), *sample_mean(found), *spread, *mean_ratio(found, first)]
        )
    columns = ["bot", "number", "simulated", "depth", "low", "high", "least", "greatest"]
    columns += ["times as deep as writeup", "ratio low", "ratio high"]
    return Findings(
        columns,
        rows,
        "Rounds, which are moves of each player, in positions that leave a choice. Low and high: 95 % intervals.",
    )


STUDIES = {"depth": Study("how many rounds the bots look ahead", depths)}
