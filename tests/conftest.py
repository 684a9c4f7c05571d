"""Settings of all tests."""

import signal

from hypothesis import settings

# The first example of a test compiles kernels: no time limits for single examples.
settings.register_profile("podium", deadline=None)
settings.load_profile("podium")

# Whoever starts the tests in the background, or with nohup, has signals ignored, and so would all that they interrupt.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


def pytest_collection_modifyitems(items):
    """Pages first: one of several processes has the browser, and what they share in the end is quick."""
    items.sort(key=lambda item: "web" not in item.path.parts)
