"""Stores of former formats: brought to the present one when they are opened for writing, read as they are otherwise.

What changed is written down once, as an SQL expression for each column of the table of games. A store that may be
written is migrated in place, in one transaction; to one that may only be read a temporary view gives the present
columns, without a copy of the file.

Format 1 had sentences where there are codes now: words for endings and verdicts, `[seat, word, sentence]` for a fault,
`[seat, word, times]` for an irregularity, and the reason of an annulled game in its sentence. Records of games are not
rewritten: `record.unpack` reads both forms.

Format 2 had no index of a run's games by their numbers, and no checkpoints.
Format 3 had no remarks and summaries of runs, and no run was ever deleted.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from podium.arena.game.record import verdict_of_format_1
from podium.arena.store.schema import CHECKPOINTS, COLUMNS, DELETED
from podium.games.game import Annulment, AnswerVerdict, Ending

# How sentences of format 1 began or ended:
SPOILED = "the machine spoiled it"  # of a game that was annulled by the machine's fault
FAILED = "the referee failed"  # of one in which the referee raised an exception
PUT_OUT = re.compile(r"seat \d+ was put out: .*", re.DOTALL)  # of one that a fault ended; now its codes say so
GARBAGE = " (garbage: the answer is not text)"  # of a fault
ENDINGS = {
    "finished": Ending.NORMAL,
    "turn limit": Ending.TURN_LIMIT,
    "no answer": Ending.NO_ANSWER,
    "void": Ending.ANNULLED,
}
IRREGULARITIES = {"too many lines": "extra_lines", "closed its output": "closed_output", "not started": "not_started"}
IRREGULARITIES |= {"by the machine's fault": "excused"}


def _codes(words: Mapping[str, str]) -> str:
    """An SQL expression for the code of an ending of format 1."""
    return " ".join(f"WHEN '{word}' THEN '{code}'" for word, code in words.items())


# Of the columns that are not what they were: what format 1 has for them.
FROM_FORMAT_1 = {
    "pairing": "meeting",
    "ending": f"CASE ending {_codes(ENDINGS)} ELSE ending END",
    "annulment": "CASE ending WHEN 'void' THEN annulment_of(sentence) END",
    "detail": "CASE WHEN ending IN ('void', 'no answer') THEN detail_of(sentence) ELSE sentence END",
    "faults": "CASE faults WHEN '[]' THEN faults ELSE faults_of(faults) END",
    "irregularities": "CASE marks WHEN '[]' THEN marks ELSE irregularities_of(marks) END",
}
NEW_RUN_COLUMNS = ("remarks", "summary")  # since format 4
_FORMER = {"pairing": "meeting", "detail": "sentence", "irregularities": "marks"}  # columns that were renamed


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a store of a former format to the present one, inside the transaction that the caller has begun."""
    for former, (step, _) in STEPS.items():
        if former >= version:
            step(connection)


def show_as_present(connection: sqlite3.Connection, version: int) -> None:
    """Let a connection that only reads a store of a former format see it in the tables of the present one."""
    connection.execute("PRAGMA temp_store = MEMORY")
    for former, (_, show) in STEPS.items():
        if former >= version:
            show(connection)


def _from_1_to_2(connection: sqlite3.Connection) -> None:
    _add_functions(connection)
    changed = {name: text for name, text in FROM_FORMAT_1.items() if name not in ("pairing", "annulment")}
    connection.execute("ALTER TABLE games ADD COLUMN annulment TEXT")
    values = [f"annulment = {FROM_FORMAT_1['annulment']}"]
    values += [f"{_FORMER.get(name, name)} = {text}" for name, text in changed.items()]
    connection.execute(f"UPDATE games SET {', '.join(values)}")
    for name, former in _FORMER.items():
        connection.execute(f"ALTER TABLE games RENAME COLUMN {former} TO {name}")


def _show_1(connection: sqlite3.Connection) -> None:
    _add_functions(connection)
    columns = ", ".join(f"{FROM_FORMAT_1.get(each.name, each.name)} AS {each.name}" for each in COLUMNS)
    connection.execute(f"CREATE TEMP VIEW games AS SELECT {columns} FROM main.games")


def _from_2_to_3(connection: sqlite3.Connection) -> None:
    for statement in CHECKPOINTS:
        connection.execute(statement)


def _show_2(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TEMP TABLE checkpoints (run, key, last, data)")


def _from_3_to_4(connection: sqlite3.Connection) -> None:
    for name in NEW_RUN_COLUMNS:
        connection.execute(f"ALTER TABLE runs ADD COLUMN {name} TEXT NOT NULL DEFAULT '{{}}'")
    connection.execute(DELETED)


def _show_3(connection: sqlite3.Connection) -> None:
    empty = ", ".join(f"'{{}}' AS {name}" for name in NEW_RUN_COLUMNS)
    connection.execute(f"CREATE TEMP VIEW runs AS SELECT *, {empty} FROM main.runs")


# By the number of each former format, the oldest first: how a store is migrated to the next one, and how its tables are
# shown to a connection that only reads.
STEPS = {1: (_from_1_to_2, _show_1), 2: (_from_2_to_3, _show_2), 3: (_from_3_to_4, _show_3)}


def _add_functions(connection: sqlite3.Connection) -> None:
    for function in (annulment_of, detail_of, faults_of, irregularities_of):
        connection.create_function(function.__name__, 1, _kept_if_damaged(function), deterministic=True)


def _kept_if_damaged(function: Callable[[str], str]) -> Callable[[Any], Any]:
    """What cannot be read stays as it is, so that reading it names the game."""

    def translate(text: Any) -> Any:
        try:
            return function(text)
        except (ValueError, TypeError, KeyError, AttributeError):
            return text

    return translate


def _items(text: str) -> list[Any]:
    found = json.loads(text)
    if not isinstance(found, list):
        raise ValueError("a list was expected")
    return found


def annulment_of(sentence: str) -> str:
    """The reason that the sentence of a game gave in format 1."""
    if sentence.startswith(SPOILED):
        return Annulment.MACHINE_FAULT.value
    return (Annulment.REFEREE_FAILED if sentence.startswith(FAILED) else Annulment.PROGRAM_FAILED).value


def detail_of(sentence: str) -> str:
    """The sentence of a game without what its codes say."""
    return "" if PUT_OUT.fullmatch(sentence) else sentence.removeprefix(f"{SPOILED}: ")


def faults_of(text: str) -> str:
    """The faults of a game: the word was the referee's, or the arena's where it knew why there was no answer."""
    found = []
    for seat, word, sentence in _items(text):
        fault = {"seat": seat, "code": ENDINGS.get(word, word), "turn": 0, "detail": sentence}
        if fault["code"] not in {*Ending}:
            verdict, evidence = verdict_of_format_1(word, sentence.removeprefix(f"{word}: "))
            fault |= {"code": Ending.NO_ANSWER, "detail": "", "verdict": verdict, "evidence": evidence}
        if word == AnswerVerdict.GARBAGE:
            fault |= {"code": Ending.MALFORMED, "detail": sentence.removesuffix(GARBAGE), "evidence": {}}
        found.append(fault)
    return json.dumps(found)


def irregularities_of(text: str) -> str:
    """What the arena saw of the answers of a game."""
    return json.dumps([[seat, IRREGULARITIES.get(word, word), count] for seat, word, count in _items(text)])
