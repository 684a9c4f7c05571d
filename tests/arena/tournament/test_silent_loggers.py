"""What Dask logs of a lost scheduler stays off the screen; other loggers, and later words, do not."""

import logging

from podium.arena.tournament.cluster import silent_loggers


def test_loggers_of_a_package_are_silent_for_a_while(caplog):
    ours, theirs = logging.getLogger("distributed.some.part"), logging.getLogger("distributedly")
    with silent_loggers("distributed"):
        ours.error("traceback")
        theirs.error("heard")
    ours.error("heard again")
    assert [record.getMessage() for record in caplog.records] == ["heard", "heard again"]


def test_a_logger_that_was_disabled_before_stays_so(caplog):
    logger = logging.getLogger("distributed.other")
    logger.disabled = True
    with silent_loggers("distributed"):
        pass
    assert logger.disabled
