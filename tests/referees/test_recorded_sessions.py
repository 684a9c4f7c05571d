"""Recorded sessions with official referees (engines 2.2 to 4.7.8), played again from our side."""

import gzip
import json
import re
from pathlib import Path

import pytest

from podium.errors import PodiumError
from podium.games.game import Ending
from podium.referees.engine import EngineReferee
from podium.referees.recorded_sessions import Agreement, RecordedChannel, read_sessions, verify_session

FOLDER = Path(__file__).parent.parent / "recordings" / "sessions"
FILES = sorted(FOLDER.glob("*.jsonl.gz"))


def played(session):
    fake = RecordedChannel(session)
    parameters = {key: value for key, value in session.parameters.items() if key != "seed"}
    referee = EngineReferee(fake, session.players, session.seed, parameters)
    while referee.requests():
        referee.answer([fake.answer()])
    return referee


def sessions(name):
    path = FOLDER / f"{name}.jsonl.gz"
    with gzip.open(path, "rt") as file:
        data = [json.loads(line) for line in file]
    return zip(data, read_sessions(path), strict=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_every_message_of_a_recorded_session_is_as_recorded(path):
    total = Agreement()
    for session in read_sessions(path):
        verify_session(session, total)
    assert total.first is None
    assert total.sessions >= 13
    assert total.messages >= 580


def test_all_recordings_are_there():
    assert len(FILES) == 6


@pytest.mark.parametrize("name", ["fall2020", "kutulu", "olymbits", "spring2021", "uttt27"])
def test_who_was_put_out_and_why_is_what_the_recorded_bots_did(name):
    """The recordings say in words what their bots did: `player 1 times out in its 5th turn`."""
    checked = 0
    for data, session in sessions(name):
        did = data["bots"]
        out = {(int(seat), Ending.NO_ANSWER) for seat in re.findall(r"player (\d) times out", did)}
        out |= {(int(seat), Ending.ILLEGAL) for seat in re.findall(r"player (\d) (?:invalid|answers an empty)", did)}
        if not out and "all" not in did and "two of" not in did:
            assert played(session).outcome.faults == (), did
        elif out and "last player" not in did:
            faults = {(fault.seat, fault.code) for fault in played(session).outcome.faults}
            assert faults == out, did
            checked += 1
    assert checked >= 4


def test_a_filler_step_brings_the_map_to_player_0():
    """Spring Challenge 2021 sends bot 0 its map in a step that wants no answer; bot 1 gets its own with a question."""
    _, session = next(sessions("spring2021"))
    fake = RecordedChannel(session)
    referee = EngineReferee(fake, session.players, session.seed)
    (request,) = referee.requests()
    assert (request.seat, request.answers, len(request.lines)) == (0, 0, 38)


def test_the_seed_that_a_referee_took_itself_is_known_afterwards():
    seeds = [played(session).outcome.seed for data, session in sessions("uttt27") if session.seed is None]
    assert seeds == [7767528754119111705]


def damaged(path, change):
    session = next(iter(read_sessions(path)))
    change(session.exchange)
    total = Agreement()
    verify_session(session, total)
    return total.first


def test_a_changed_answer_is_noticed():
    _, where, expected, found = damaged(FOLDER / "uttt27.jsonl.gz", lambda exchange: exchange.pop(3))
    assert where.startswith("message")
    assert expected != found


def test_a_changed_score_is_noticed():
    def other_score(exchange):
        exchange[-1][1][-1] = "1 11"

    assert damaged(FOLDER / "uttt27.jsonl.gz", other_score)[1:] == ("scores", [3, 10], [3, 11])


def test_a_file_that_holds_no_sessions_is_a_sentence(tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text('{"game": "x"}\n')
    with pytest.raises(PodiumError, match="line 1: not a session"):
        list(read_sessions(path))
