"""Starting the program under test as a terminal would."""

import signal


def as_in_a_terminal():
    """For `preexec_fn`: Ctrl-C is heard, also when the tests themselves run in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
