"""The progress of compilation on standard error."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from podium.cli.console import errors


@contextmanager
def compilation_shown() -> Iterator[None]:
    """Show a status line while kernels are compiled, which happens once for each version of the code."""
    from podium.kernel.generic import kernels_left
    from podium.kernel.notices import reporting

    kernels, began = 0, 0.0
    status = errors.status("")

    def started(_: str) -> None:
        nonlocal kernels, began
        if not kernels:
            began = time.monotonic()
            status.start()
        kernels += 1
        seconds = time.monotonic() - began
        known = kernels + kernels_left()
        status.update(f"compiling for the first use: {kernels} of at most {known} kernels, {seconds:.0f} s")

    try:
        with reporting(started):
            yield
    finally:
        if kernels:
            status.stop()
            seconds = time.monotonic() - began
            errors.print(f"compiled {kernels} kernels in {seconds:.0f} s", style="dim")
