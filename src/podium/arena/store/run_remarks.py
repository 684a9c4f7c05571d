"""What a user does with stored runs: give them titles, tags and notes, and delete them."""

import json
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from podium.arena.store.archive import Archive
from podium.arena.store.store import Run, Store
from podium.errors import PodiumError

MOSTLY_FREE = 0.5  # share of free pages from which a store is compacted
LONGEST_TITLE = 200  # characters


def remark(
    store: Store,
    run: Run,
    *,
    title: str | None = None,
    note: str | None = None,
    add_tags: Collection[str] = (),
    remove_tags: Collection[str] = (),
) -> Run:
    """Change the title, the note or the tags of a run, as one step; None leaves something as it is, "" removes it.

    The title is for people: the run keeps its own name, by which leagues are found.
    """
    if title is not None and len(title) > LONGEST_TITLE:
        raise PodiumError(f"a title has at most {LONGEST_TITLE} characters, not {len(title):,}")
    for tag in add_tags:
        if not tag or any(character.isspace() or character == "," for character in tag):
            raise PodiumError(f"a tag is one word without commas, not {tag!r}")
    with store.writing("change a run in"):
        before = store.run(run.id)
        tags = [tag for tag in dict.fromkeys([*before.tags, *add_tags]) if tag not in remove_tags]
        changes = {"title": title, "note": note}
        remarks = {**before.remarks, "tags": tags} | {name: text for name, text in changes.items() if text is not None}
        kept = {name: value for name, value in remarks.items() if value}
        store.connection.execute("UPDATE runs SET remarks = ? WHERE id = ?", (json.dumps(kept), run.id))
    return store.run(run.id)


def summarize(store: Store, run: Run, summary: Mapping[str, Any]) -> None:
    """Keep a summary of a run's report for lists of runs, with the number of games that it is about."""
    with store.writing("keep a summary in"):
        (games,) = store.connection.execute("SELECT COUNT(*) FROM games WHERE run = ?", (run.id,)).fetchone()
        text = json.dumps({**summary, "games": games})
        store.connection.execute("UPDATE runs SET summary = ? WHERE id = ?", (text, run.id))


def delete_run(store: Store, run: Run) -> int:
    """Delete a run with its games, and the bots and copies of programs that no other run has; the number of its games.

    PodiumError if a process plays it. The numbers of the run and its games are not given again.
    """
    store.claim(run)
    execute = store.connection.execute
    with store.writing("delete a run of"):
        games, last = execute("SELECT COUNT(*), MAX(id) FROM games WHERE run = ?", (run.id,)).fetchone()
        execute("INSERT INTO deleted VALUES (?, ?)", (run.id, last or 0))
        execute("DELETE FROM records WHERE game IN (SELECT id FROM games WHERE run = ?)", (run.id,))
        execute("DELETE FROM games WHERE run = ?", (run.id,))
        execute("DELETE FROM entries WHERE run = ?", (run.id,))
        execute("DELETE FROM runs WHERE id = ?", (run.id,))
        execute("DELETE FROM bots WHERE id NOT IN (SELECT bot FROM entries)")
        known = {fingerprint for (fingerprint,) in execute("SELECT fingerprint FROM bots")}
    Archive(store.path).keep_only(known)
    _compact(store)
    return int(games)


def _compact(store: Store) -> None:
    """Give the space of deleted games back to the file system if it is most of the file and nobody else uses it."""
    with suppress(sqlite3.Error):
        (free,) = store.connection.execute("PRAGMA freelist_count").fetchone()
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        if free > MOSTLY_FREE * pages:
            store.connection.execute("VACUUM")
