"""What a store holds, for those who look at it: the reports of runs of every kind, and games turn by turn."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from podium.arena.analysis.stored_runs import number_of, stored_report
from podium.arena.game.play_once import PlayedGame
from podium.arena.game.record import thoughts_from
from podium.arena.game.turn import Turn
from podium.arena.store.store import Run, Store
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.arena.tournament.league_report import LeagueReport
from podium.arena.tournament.report import MatchReport
from podium.games import load_stored
from podium.games.game import Game, Referee, Request
from podium.lab.tune.ablation import AblationReport, stored_ablation
from podium.lab.tune.tuning import stored_tuning
from podium.lab.tune.tuning_report import TuningReport
from podium.lab.tune.variant_run import ABLATION, TUNING

Report = MatchReport | LeagueReport | AblationReport | TuningReport


def report_of(store: Store, run: Run) -> Report:
    """The report of a stored run, whatever its kind."""
    if run.kind == ABLATION:
        return stored_ablation(store, run)
    return stored_tuning(store, run) if run.kind == TUNING else stored_report(store, run)


def show_stored(what: str, path: Path | str) -> Report | PlayedGame:
    """The report of a stored run such as `r3`, or a stored game such as `g125`, turn by turn."""
    kind, number = number_of(what, "r")
    with Store(Path(path), create=False) as store:
        if kind == "r":
            return report_of(store, store.run(number))
        stored = stored_game(store, store.game(number))
    return game_again(stored, load_stored(stored.run.game))


def game_again(stored: StoredGame, rules: Game) -> PlayedGame:
    """A stored game as it was played: its answers with their prompts, which the referee writes again."""
    turns: list[Turn] = []

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        for index, request in enumerate(requests, first):
            found = stored.record.thoughts.get(index)
            thoughts = None if found is None else thoughts_from(found)
            turns.append(msgspec.structs.replace(stored.record.turn(index), request=request, thoughts=thoughts))

    referee, _ = stored.replay_to_show(rules, watch)
    scene = rules.scene_of(referee)
    referee.close()
    row = stored.row
    return PlayedGame(
        game=stored.run.game,
        seed=row.seed,
        bots=tuple(stored.names),
        scores=tuple(row.scores),
        ranks=tuple(row.ranks),
        ending=row.ending,
        sentence=row.sentence,
        turns=tuple(turns),
        scene=scene,
    )
