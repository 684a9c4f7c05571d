"""A packed bot has no compiler. It takes the place of `podium.kernel.lazy`."""

QUICK = True


def compiler() -> None:
    """Nothing is compiled."""


def is_imported() -> bool:
    """There is no compiler."""
    return False


def extensions_of(module: str) -> tuple[()]:
    """Nothing is registered with a compiler."""
    return ()
