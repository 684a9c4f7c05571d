"""Help that fits 80 columns, with commands and options in groups, and without defaults that mean nothing."""

import pytest
from typer.main import get_command

from podium.cli import console
from podium.cli.app import PANEL_OF, PANELS, app
from podium.cli.help_text import HelpfulCommand, HelpfulGroup, first_sentence
from podium.errors import PodiumError
from tests.commands import podium


def all_commands(command, words=()):
    yield words
    if isinstance(command, HelpfulGroup):
        for name, each in command.commands.items():
            yield from all_commands(each, (*words, name))


ALL = list(all_commands(get_command(app)))


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setattr(console.console, "width", 80)


@pytest.mark.parametrize("words", ALL, ids=lambda words: " ".join(words) or "podium")
def test_help_fits_and_explains_itself(words):
    text = podium(*words, "--help")
    lines = text.splitlines()
    assert lines[0].startswith("Usage: podium")
    assert max(map(len, lines)) <= 80 or any("://" in line for line in lines)
    for strange in ("<bool>", "<str>", "<int", "[default: -1]", "[default: None]", "[default: ]", ".value", "Policy."):
        assert strange not in text


@pytest.mark.parametrize("words", [(), ("new",), ("referee",)], ids=lambda words: " ".join(words) or "podium")
def test_a_group_without_a_command_shows_its_help(words):
    assert podium(*words) == podium(*words, "--help")


def test_every_parameter_has_a_help_text():
    def check(command):
        for each in command.params:
            assert getattr(each, "hidden", False) or each.help, (command.name, each.name)
        for each in getattr(command, "commands", {}).values():
            check(each)

    check(get_command(app))


def test_every_command_is_in_a_panel():
    text = podium("--help")
    places = [text.index(f"\n{panel}:\n") for panel in PANELS]
    assert places == sorted(places)
    for name, panel in PANEL_OF.items():
        section = text.partition(f"\n{panel}:\n")[2].partition("\n\n")[0]
        assert f"  {name} " in section


def test_every_command_has_this_help():
    def check(command):
        assert isinstance(command, HelpfulCommand | HelpfulGroup), command.name
        for each in getattr(command, "commands", {}).values():
            check(each)

    check(get_command(app))


def test_options_of_a_match_are_in_groups_with_true_defaults():
    text = podium("match", "--help")
    for panel in ("Options:", "The games:", "Limits of the bots:", "Machine and store:", "Output:"):
        assert f"\n{panel}\n" in text
    flat = " ".join(text.split())
    assert "--nodes N Node limit per move instead of a time limit (reproducible); 0: none. --policy" in flat
    assert "--policy strict|soft|bank" in flat
    assert "[default: soft]" in flat


def test_a_list_of_commands_has_first_sentences():
    assert first_sentence("List the games: all of them. And more.\n\nMuch more.") == "List the games"


def test_quiet_is_the_conclusion_alone(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("match", "duel", "namer:number=6", "namer:number=4", "--games", 40, "--jobs", 1, "--nodes", 1)
    text = podium(*words, "--quiet")
    assert text.count("\n") == 1
    assert text.startswith("namer:number=6 is stronger than namer:number=4: ")
    assert podium("league", "duel", "namer", "namer:number=6", "--rounds", 1, "-q", "--jobs", 1).count("\n") == 1


def test_sentences_are_lines_where_there_is_no_terminal(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    long = "namer:number=6,noise=2"
    text = podium("match", "duel", long, "namer:number=4,noise=1", "--games", 40, "--jobs", 1, "--nodes", 1)
    assert max(map(len, text.splitlines())) > 80
    assert any(line.startswith(f"{long} is stronger than namer:number=4,noise=1: ") for line in text.splitlines())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("mtch", "unknown command 'mtch'; did you mean match or watch?"),
        ("new bt zuniq", "unknown command of podium new 'bt'; did you mean bot?"),
        ("match", "missing argument 'GAME'; usage: podium match [OPTIONS] GAME [A] [B]"),
        ("match zuniq", "expected a game, then its bots, not just zuniq ("),
        ("match zuniq uct uct uct", "got unexpected extra argument"),
        ("match zuniq uct random --nods 3", "unknown option '--nods'; did you mean --nodes"),
        ("match zuniq uct random --nodes", "option '--nodes' requires an argument"),
        ("match zuniq uct random --games -2", "--games must be at least 0, not -2"),
        ("match zuniq uct random --games many", "--games needs a whole number, not 'many'"),
        ("match zuniq uct random --policy soff", "unknown value of --policy 'soff'; did you mean soft?"),
        ("match zuniq uct random --sprt a 3", "--sprt takes 2 numbers"),
        ("match zuniq uct:ply=3 random", "unknown parameter of zuniq uct 'ply'; did you mean"),
        ("pin g1", "missing option '--turn'"),
        ("pin g1 --turn 0", "--turn must be at least 1, not 0"),
        ("web --port 99999", "--port must be from 0 to 65535, not 99999"),
        ("watch g1 --store nowhere.db", "there is no store nowhere.db"),
    ],
)
def test_what_is_written_wrong_is_said_in_one_sentence(words, sentence):
    with pytest.raises(PodiumError) as error:
        podium(*words.split())
    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)
