"""Sentences about the end of a game."""

import pytest

from podium.arena.game.play import with_evidence
from podium.arena.game.record import GameRecord, Recorder
from podium.arena.game.sentences import evidence_text, fault_sentence, game_sentence, name_of, verdict_sentence
from podium.games.game import Annulment, AnswerVerdict, Ending, Fault, Outcome

CRASHED = (AnswerVerdict.CRASHED, {"status": 1})
OVERRUN = (AnswerVerdict.OVERRUN, {"ms": 60.0, "limit_ms": 50.0})


def ended(ending, verdict=None):
    """The faults and the sentence of a game that seat 1 lost by a fault of its own in its first answer."""
    fault = Fault(1, ending, 3, "Black lost at ply 2: reason")
    outcome = Outcome((1.0, 0.0), (1, 2), ending, fault.detail, faults=(fault,))
    verdicts = {1: verdict} if verdict else {}
    recorder = Recorder(GameRecord([0, 1], ["A1h", None], [1.0, 1.0], [0, 0], [None, None], verdicts))
    recorder.last = {0: 0, 1: 1}
    faults = [with_evidence(fault, recorder) for fault in outcome.faults]
    sentence = game_sentence(outcome.ending, outcome.annulment, outcome.detail, faults)
    return [(fault.seat, fault.cause, fault_sentence(fault)) for fault in faults], sentence


def test_no_answer_is_called_what_the_arena_saw():
    faults, sentence = ended(Ending.NO_ANSWER, CRASHED)
    assert faults == [(1, "crashed", "crashed: ended with status 1")]
    assert sentence == "seat 1 was disqualified: crashed: ended with status 1"


@pytest.mark.parametrize("ending", [Ending.ILLEGAL, Ending.MALFORMED])
def test_what_the_referee_judged_keeps_its_words(ending):
    faults, sentence = ended(ending, OVERRUN)
    assert faults == [(1, ending.value, "Black lost at ply 2: reason (overrun: 60.0 ms instead of 50.0)")]
    assert sentence == "Black lost at ply 2: reason"


def test_without_a_verdict_the_referee_is_believed():
    faults, sentence = ended(Ending.NO_ANSWER)
    assert faults == [(1, "no_answer", "Black lost at ply 2: reason")]
    assert sentence == "Black lost at ply 2: reason"


def test_bytes_that_are_no_text_are_the_cause_of_a_malformed_answer():
    faults, sentence = ended(Ending.MALFORMED, (AnswerVerdict.GARBAGE, {}))
    assert faults == [(1, "garbage", "Black lost at ply 2: reason (garbage: the answer is not text)")]
    assert sentence == "Black lost at ply 2: reason"


def test_rewording_decides_nothing():
    """The sentence of a game may say anything: its codes alone say what it was."""
    fault = Fault(0, Ending.NO_ANSWER, 1, "the machine spoiled it", *CRASHED)
    assert fault.cause is AnswerVerdict.CRASHED
    assert Fault(0, Ending.NO_ANSWER, 1, "crashed").cause is Ending.NO_ANSWER


@pytest.mark.parametrize("reason", list(Annulment))
def test_an_annulled_game_says_why(reason):
    assert len(game_sentence(Ending.ANNULLED, reason, "", ())) > len("annulled: ")
    assert game_sentence(Ending.ANNULLED, reason, "it broke off", ()).endswith("it broke off")


@pytest.mark.parametrize(
    ("verdict", "evidence", "told"),
    [
        (AnswerVerdict.LATE, {"ms": 61.04, "limit_ms": 50.0, "line": "A1h"}, "61.0 ms instead of 50.0, with 'A1h'"),
        (AnswerVerdict.OVERRUN, {"ms": 61.0, "limit_ms": 50.0, "lost_ms": 12.3}, "the machine took 12 ms of them"),
        (AnswerVerdict.SILENT, {"ms": 200.4}, "nothing within 200 ms"),
        (AnswerVerdict.SILENT, {"ms": 200.4, "unfinished": "a\nb"}, "unfinished: 'a\\nb'"),
        (AnswerVerdict.CRASHED, {"signal": "SIGSEGV"}, "killed by signal SIGSEGV"),
        (AnswerVerdict.CRASHED, {"error": "ValueError('x')"}, "ValueError('x')"),
        (AnswerVerdict.CRASHED, {"type": "int"}, "answered with int instead of a line"),
        (AnswerVerdict.EXTRA_LINES, {"wanted": 1}, "more than one line for a prompt"),
        (AnswerVerdict.EXTRA_LINES, {"wanted": 3}, "more than 3 lines for a prompt"),
        (AnswerVerdict.EXTRA_LINES, {"unasked": True}, "printed before it was asked"),
        (AnswerVerdict.FLOOD, {"line_bytes": 10_000}, "a line longer than 10,000 bytes"),
        (AnswerVerdict.FLOOD, {"pending_bytes": 65_536}, "more than 65,536 bytes"),
        (AnswerVerdict.NOT_STARTED, {"error": "cannot start ./bot"}, "cannot start ./bot"),
        (AnswerVerdict.LATE, {"text": "61 ms instead of 50"}, "61 ms instead of 50"),  # of a store of format 1
    ],
)
def test_verdicts_tell_their_evidence(verdict, evidence, told):
    assert told in evidence_text(verdict, evidence)
    assert verdict_sentence(verdict, evidence).startswith(f"{name_of(verdict)}: ")


@pytest.mark.parametrize("verdict", list(AnswerVerdict))
def test_every_verdict_can_be_named_without_evidence_of_an_old_store(verdict):
    assert verdict_sentence(verdict, {"text": ""}) == name_of(verdict)
