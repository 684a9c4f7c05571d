"""`podium book`."""


def command() -> None:
    """Make an opening book."""


command.__name__ = "book"
