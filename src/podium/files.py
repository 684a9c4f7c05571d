"""Writing files: what the system refuses is a sentence that names the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.errors import PodiumError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell of an error of the system as of one in writing a file."""
    try:
        yield
    except BrokenPipeError:  # of standard output
        raise
    except OSError as error:
        raise PodiumError(f"cannot write {path}: {error.strerror or error}") from None
