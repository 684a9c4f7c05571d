"""Settings of all tests."""

import signal
from collections import Counter

from hypothesis import settings

# The first example of a test compiles kernels: no time limits for single examples.
settings.register_profile("podium", deadline=None)
settings.load_profile("podium")

# Tests that are started in the background, or with nohup, would ignore these signals, and so would their children.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


def pytest_collection_modifyitems(items):
    """Pages first: one of several processes has the browser, and what they share in the end is quick."""
    items.sort(key=lambda item: "web" not in item.path.parts)


def pytest_terminal_summary(terminalreporter):
    """Say what was not tested, and why: a machine without a tool must not look as if all had passed."""
    reasons = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    if reasons:
        terminalreporter.section("NOT TESTED HERE", yellow=True)
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count:4} tests: {reason.removeprefix('Skipped: ')}", yellow=True)
