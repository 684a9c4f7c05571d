"""The file of a store: opening it, its format, transactions, and errors of the database as sentences.

A reader writes nothing, and can read a store of a former format, on a read-only medium, or with a log that nobody can
use where it lies. A writer migrates a store of a former format first.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import quote

from podium.arena.store.migration import migrate, show_as_present
from podium.arena.store.schema import SCHEMA
from podium.errors import StoreError

VERSION = 4  # of the format; `migration` reads the former ones
OLDEST = 1
EMPTY = 0
APPLICATION = 0x506F6475  # "Podu" in the file's header: a database of ours
BUSY_SECONDS = 30.0
LOG = "-wal"  # ends the name of the write-ahead log
PRIMARY_CODE = 0xFF  # the part of an error code of SQLite that says what it is about
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)  # what damaged rows lead to


class StoreFile:
    """A connection to the file, as long as it is open."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """Open it for writing, making an empty one where there is none; or, if it must exist, only for reading.

        A store of a former format is migrated when it is opened for writing, and shown in the present one otherwise.
        """
        self.path, self._is_reader = path, not create
        self._copy: tempfile.TemporaryDirectory[str] | None = None  # of a store whose log cannot be read where it is
        self._by_run = "run"  # the condition by which a run's games are found
        if str(path) in ("", ".", ":memory:"):
            raise StoreError(f"a store is a file, not {str(path)!r}")
        if not create and not path.exists():
            raise StoreError(f"there is no store {path}; matches and leagues create one, --store names another")
        if path.exists() and not path.is_file():
            raise StoreError(f"a store is a regular file, which {path} is not")
        if not path.parent.is_dir():
            raise StoreError(f"there is no folder {path.parent} for the store {path.name}")
        for place in (path.parent, *([path] if path.exists() else [])) if create else ():
            if not os.access(place, os.W_OK):
                raise StoreError(f"cannot write the store {path}: {place} is read-only")
        with self._access("open the store"):
            self.connection = self._writer() if create else self._reader()
        self._place = _place(path)

    def _connect(self, options: str, path: Path | None = None) -> sqlite3.Connection:
        name = f"file:{quote(str(path or self.path))}{options}"
        return sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, uri=True)

    def _writer(self) -> sqlite3.Connection:
        connection = self._connect("")
        try:
            if self._format(connection) != VERSION:
                connection.execute("BEGIN IMMEDIATE")
                self._bring_up_to_date(connection)
                connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        """Make the tables of an empty store, or migrate an old one, unless another process was quicker."""
        version = self._format(connection)
        if version == VERSION:
            return
        if version == EMPTY:
            for statement in SCHEMA:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        else:
            migrate(connection, version)
        connection.execute(f"PRAGMA user_version = {VERSION}")

    def _reader(self) -> sqlite3.Connection:
        """A connection that writes nothing. Where the log's index cannot be written, nobody else can write either.

        Then the file is read as it is, or, where the log holds something, a copy of both.
        """
        try:
            return self._existing(self._connect("?mode=ro"))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY_CODE in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL):
                raise
        log = Path(f"{self.path}{LOG}")
        if not (log.exists() and log.stat().st_size):
            return self._existing(self._connect("?mode=ro&immutable=1"))
        try:
            self._copy = tempfile.TemporaryDirectory(prefix="podium-store-")
            copy = Path(shutil.copyfile(self.path, Path(self._copy.name, self.path.name)))
            shutil.copyfile(log, f"{copy}{LOG}")
        except OSError as error:
            raise StoreError(f"cannot read {log} where it is, nor copy it: {error}") from None
        return self._existing(self._connect("", copy))

    def _existing(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        try:
            version = self._format(connection)
            if version == EMPTY:
                raise StoreError(f"{self.path} is empty, no store")
            if version != VERSION:
                show_as_present(connection, version)
                if version <= 2:
                    self._by_run = "+run"  # there is no index of a run's games by their numbers
            connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _format(self, connection: sqlite3.Connection) -> int:
        """The version of a store's format, `EMPTY` for an empty database; an error for one that is no store of ours."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not tables and not application and not version:
            return EMPTY
        # the first stores had no application id
        if application != APPLICATION and not {"runs", "bots", "entries", "games", "records"} <= tables:
            raise StoreError(f"{self.path} is a database of another program, no store")
        if not OLDEST <= version <= VERSION:
            raise StoreError(
                f"{self.path} was written by another version of podium: its format is {version}, and this version "
                f"reads {OLDEST} to {VERSION}"
            )
        return int(version)

    @contextmanager
    def _access(self, purpose: str = "use the store") -> Iterator[None]:
        """The one place where errors of the database become sentences."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the text of an error can be damaged too
            raise StoreError(f"cannot {purpose} {self.path}: {error}") from None
        except OverflowError:
            raise StoreError(f"there is nothing of so large a number in {self.path}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
        if self._copy:
            self._copy.cleanup()

    @contextmanager
    def writing(self, purpose: str = "use the store") -> Iterator[None]:
        """One transaction that writes; errors of the database are sentences.

        A file that was deleted could still be written to, and all of it would be lost in the end.
        """
        if _place(self.path) != self._place:
            raise StoreError(f"{self.path} was deleted or replaced while it was in use: nothing more can be stored")
        with self._access(purpose), self._transaction():
            yield

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def decoding(self, what: str) -> Iterator[None]:
        """The one place where what cannot be read becomes a sentence."""
        try:
            yield
        except UNREADABLE as error:
            raise StoreError(f"{what} in {self.path} is damaged: {error}") from None


def _place(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
