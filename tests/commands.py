"""A command in this process: the same as `podium` on the command line, without the start of an interpreter."""

from unittest.mock import patch

from typer.testing import CliRunner

from podium.cli.app import app
from podium.errors import PodiumError


def podium(*words, code=0):
    """Run a command; what it printed, or the error that users read as a sentence.

    A process of the arena kills children that it has not started itself. This one has others: a browser, for example.
    """
    with patch("podium.cli.run_view.adopt_orphans"):
        result = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(result.exception, PodiumError):
        raise result.exception
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.stdout
