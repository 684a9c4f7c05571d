"""Scripts that run the bots themselves: brutaltester's jars with their dialects, psyleague's scripts."""

import shlex

import pytest

from podium.errors import PodiumError
from podium.games.game import Ending
from podium.referees.messages import ExternalRefereeError
from podium.referees.script_runner import Brutaltester, Psyleague, command_text, outcome_of, placed, seeding_of

COMMANDS = ("./a", "python3 b.py")


@pytest.fixture
def brutal(script):
    def made(dialect, **options):
        return Brutaltester(tuple(shlex.split(script("fake_brutaltester.py", dialect))), **options)

    return made


@pytest.mark.parametrize(("dialect", "way"), [("d", "d"), ("seed", "seed"), ("deaf", "none"), ("mute", "d")])
def test_how_a_jar_takes_its_seed_is_found_by_trying(brutal, dialect, way):
    assert seeding_of(brutal(dialect), COMMANDS) == way


def test_the_seed_is_what_the_jar_tells(brutal):
    assert brutal("d").play(2**40, COMMANDS).seed == 2**40 % (2**31 - 1)
    assert brutal("seed").play(5, COMMANDS).seed == 5
    assert brutal("deaf").play(5, COMMANDS).seed != 5
    assert brutal("mute").play(5, COMMANDS).seed == 5  # it was found to hold, though the jar does not tell it
    assert brutal("mute", seeds="none").play(5, COMMANDS).seed is None


def test_scores_are_the_first_integers(brutal):
    result = brutal("noisy", seeds="d").play(1, COMMANDS)
    assert result.scores == (4.0, 13.0)
    outcome = outcome_of(result)
    assert (outcome.ranks, outcome.detail) == ((2, 1), "4 to 13")


def test_a_league_is_an_option_of_jars_that_have_one_and_a_property_of_others(brutal):
    assert brutal("seed", seeds="seed", league=3).play(1, COMMANDS).archive["told"]["summaries"] == ["league 3"]
    words = Brutaltester(("java", "-jar", "x.jar"), league=3)._command()
    assert words == ["java", "-Dleague.level=3", "-jar", "x.jar"]


@pytest.mark.parametrize(("dialect", "result"), [("crash", "NullPointer"), ("null", "failed: java.lang.Boom: at x$")])
def test_a_jar_that_fails_voids_the_game(brutal, dialect, result):
    with pytest.raises(ExternalRefereeError, match=result):
        brutal(dialect, seeds="d").play(1, COMMANDS)


def test_a_jar_that_cannot_even_be_tried_says_why(brutal):
    with pytest.raises(ExternalRefereeError, match="NullPointer"):
        brutal("crash").play(1, COMMANDS)


def test_a_script_that_does_not_end_is_a_failure():
    with pytest.raises(ExternalRefereeError, match=r"did not end within 0\.2 s"):
        Psyleague(("sleep", "60"), patience=0.2).play(1, ["60"])


@pytest.fixture
def psy(script):
    return lambda how: Psyleague(tuple(shlex.split(script("fake_psyleague.py", how))))


def test_ranks_of_a_psyleague_script(psy):
    result = psy("plain").play(1, COMMANDS)
    assert (result.scores, result.seed, result.faults) == ((0.0, 1.0), 77, ())


def test_several_games_of_one_call_count_together(psy):
    result = psy("two").play(1, COMMANDS)
    assert (result.scores, result.seed) == ((1.0, 1.0), None)
    assert outcome_of(result).detail == "1 to 1; the seed that was played is not known"


def test_errors_of_a_script_are_faults(psy):
    assert [fault.seat for fault in psy("error").play(1, COMMANDS).faults] == [1]


@pytest.mark.parametrize(
    ("how", "result"), [("crash", "no referee"), ("talk", "one JSON value"), ("odd", "`ranks` of 2 players")]
)
def test_a_script_that_breaks_its_contract_voids_the_game(psy, how, result):
    with pytest.raises(ExternalRefereeError, match=result):
        psy(how).play(1, COMMANDS)


def test_bots_stand_where_psyleague_puts_them():
    assert placed(["run", "%ALL_PLAYERS%", "x"], ["a", "b"]) == ["run", "a", "b", "x"]
    assert placed(["run", "%P2%", "-o=%P1%"], ["a", "b"]) == ["run", "b", "-o=a"]
    assert placed(["run"], ["a", "b"]) == ["run", "a", "b"]
    with pytest.raises(PodiumError, match="place for player 3"):
        placed(["%P3%"], ["a", "b"])


def test_a_command_that_these_scripts_would_cut_wrongly_is_refused():
    assert command_text(["./a", "-x"]) == "./a -x"
    with pytest.raises(PodiumError, match="splits a bot's command at blanks"):
        command_text(["python3", "-c", "print(1) or 2"])


def test_a_time_out_in_the_log_of_a_jar_is_no_clean_loss(brutal):
    result = brutal("late", seeds="d").play(3, COMMANDS)
    (fault,) = outcome_of(result).faults
    assert (fault.seat, fault.cause, fault.turn) == (1, "late", 2)
    assert outcome_of(result).ending is Ending.NO_ANSWER
    assert "player 1 was disqualified: Timeout!" in outcome_of(result).detail


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("python play_game.py %DIR%/%ALL_PLAYERS%.exe", ["python", "play_game.py", "bots/A.exe", "bots/B.exe"]),
        ("play %DIR%/%P2%.exe --dir=%DIR%", ["play", "bots/B.exe", "--dir=."]),
        ("play --one=%P1%.exe --log=%P1%.log", ["play", "--one=bots/A.exe", "--log=bots/A.exe.log"]),
    ],
)
def test_psyleagues_stock_line_runs_unchanged(line, words):
    """A bot's command is the whole program, which psyleague would make of its folder, name and extension."""
    assert placed(line.split(), ["bots/A.exe", "bots/B.exe"]) == words
