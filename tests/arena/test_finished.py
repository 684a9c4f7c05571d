"""How the end of a game is told."""

import pytest

from podium.arena.record import Recorder
from podium.arena.work import faults_of, sentence_of
from podium.games.game import Ending, Fault, Outcome


def ended(ending, verdict=None):
    """The faults and the sentence of a game that seat 1 lost by a fault of its own in its first answer."""
    fault = Fault(1, ending, 3, "Black lost at ply 2: reason")
    outcome = Outcome((1.0, 0.0), (1, 2), ending, fault.sentence, faults=(fault,))
    record = Recorder([0, 1], ["A1h", None], [1.0, 1.0], [0, 0], [None, None], {1: verdict} if verdict else {})
    faults = faults_of(outcome, record)
    return faults, sentence_of(outcome, faults)


def test_no_answer_is_called_what_the_arena_saw():
    faults, sentence = ended(Ending.NO_ANSWER, ("crashed", "ended with status 1"))
    assert faults == [(1, "crashed", "crashed: ended with status 1")]
    assert sentence == "seat 1 was put out: crashed: ended with status 1"


@pytest.mark.parametrize("ending", [Ending.ILLEGAL, Ending.MALFORMED])
def test_what_the_referee_judged_keeps_its_words(ending):
    faults, sentence = ended(ending, ("overrun", "60 ms instead of 50"))
    assert faults == [(1, ending.value, "Black lost at ply 2: reason (overrun: 60 ms instead of 50)")]
    assert sentence == "Black lost at ply 2: reason"


def test_without_a_verdict_the_referee_is_believed():
    assert ended(Ending.NO_ANSWER) == ([(1, "no answer", "Black lost at ply 2: reason")], "Black lost at ply 2: reason")
