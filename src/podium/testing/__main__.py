"""`python -m podium.testing GAME...`: the conformance suite on games, by their names or by the paths of their files."""

import os
import sys

from podium.errors import PodiumError

GAMES = "PODIUM_CONFORMANCE"  # the games for `podium.testing.named`, one a line


def main() -> None:
    """Run the suite by pytest; its exit code is pytest's."""
    games = sys.argv[1:]
    if not games or any(game.startswith("-") for game in games):
        sys.exit("usage: python -m podium.testing GAME...")
    try:
        import pytest

        from podium.games import load

        os.environ[GAMES] = "\n".join(load(game).name for game in games)
    except ImportError:
        sys.exit("podium: the conformance suite needs pytest: pip install pytest")
    except PodiumError as error:
        sys.exit(f"podium: {error}")
    sys.exit(pytest.main(["--pyargs", "podium.testing.named", "-q", "-p", "no:cacheprovider"]))


if __name__ == "__main__":
    main()
