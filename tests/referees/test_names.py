"""Names of referees, and the file of short ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.referees import full_name, registry
from podium.referees.names import BRUTALTESTER, ENGINE, LINES, PROGRAM, parse, title_of


@pytest.mark.parametrize(
    ("name", "contract", "target", "options"),
    [
        ("referee:x.jar", ENGINE, "x.jar", {}),
        ("referee:/a/b:c/x.jar:players=3,league=4", ENGINE, "/a/b:c/x.jar", {"players": 3, "league": 4}),
        ("referee:x.jar:players=2,league=0", ENGINE, "x.jar", {}),
        ("referee:cmd:python3 fake.py a:b", PROGRAM, "python3 fake.py a:b", {}),
        ("referee:old:java -cp a.jar:b.jar Referee", LINES, "java -cp a.jar:b.jar Referee", {}),
        ("referee:old:java -jar x.jar:later=75.5", LINES, "java -jar x.jar", {"later": 75.5}),
        ("referee:brutaltester:java -Da=b:c=d -jar x.jar", BRUTALTESTER, "java -Da=b:c=d -jar x.jar", {}),
        (
            "referee:x.jar:title=My%20game%2C%20here,warm=off",
            ENGINE,
            "x.jar",
            {"title": "My game, here", "warm": False},
        ),
    ],
)
def test_a_name_is_taken_apart(name, contract, target, options):
    found = parse(name)
    assert (found.contract, found.target, dict(found.given)) == (contract, target, options)


@given(
    st.dictionaries(st.sampled_from(["title", "java", "set.a", "set.b.c", "-Dx.y"]), st.text(min_size=1)),
    st.integers(2, 9),
)
def test_a_name_says_all_and_is_read_back(texts, players):
    texts = {name: text.strip() or "x" for name, text in texts.items()}
    found = registry.named(ENGINE, "/some where/x.jar", {**texts, "players": str(players)})
    assert parse(str(found)) == found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("referee:", "referee:path/to/referee.jar"),
        ("referee:cmd:", "names no program"),
        ("referee:x.jar:playrs=3", "did you mean players"),
        ("referee:x.jar:players=0", "players must be from 2 to 9"),
        ("referee:x.jar:later=5", "unknown option of a referee 'later'"),
        ("referee:psyleague:run.py:set.x=1", "takes no parameters"),
        ("referee:old:run:-Dx=1", "put -D into it"),
    ],
)
def test_what_is_no_name_is_a_sentence(name, expected):
    with pytest.raises(PodiumError, match=expected):
        parse(name)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("zuniq", "zuniq"),
        ("referee:/a/osmose.jar:players=3", "osmose.jar"),
        ("referee:/a/osmose.jar:title=Osmose", "Osmose"),
        ("referee:cmd:python3 x/fake.py plain", "fake.py plain"),
    ],
)
def test_a_name_for_tables(name, title):
    assert title_of(name) == title


def test_full_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = registry.absolute("referee:x.jar:scene=draw.js")
    assert (found.target, found.options["scene"]) == (str(tmp_path / "x.jar"), str(tmp_path / "draw.js"))


def test_another_number_of_players():
    assert full_name("referee:x.jar:league=2", 4) == "referee:x.jar:league=2,players=4"
    assert title_of("referee:x.jar:league=2") == "x.jar, league 2"


def test_a_short_name_is_kept_in_a_file(tmp_path):
    file = tmp_path / "referees.toml"
    full = parse("referee:/x/a.jar:players=3,league=4,set.map=1 2".replace(" ", "%20") + ",-Dwall.points=3,warm=off")
    registry.add(file, "osmose", full)
    registry.add(file, "old-one", parse("referee:old:java -jar 'x y.jar':later=75"))
    assert registry.registered(file) == {"osmose": full, "old-one": parse("referee:old:java -jar 'x y.jar':later=75")}
    assert registry.find("osmose", file) == full.with_options(title="osmose")
    registry.remove(file, "osmose")
    assert list(registry.registered(file)) == ["old-one"]


def test_a_jar_in_the_file_is_found_from_the_file(tmp_path):
    file = tmp_path / "referees.toml"
    file.write_text('[a]\nreferee = "target/x.jar"\n')
    assert registry.registered(file)["a"].target == str(tmp_path / "target" / "x.jar")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a\n", "cannot read"),
        ("a = 1\n", "needs a line referee"),
        ('[a]\nreferee = "x.jar"\nplayrs = 2\n', "did you mean players"),
        ('[a]\nreferee = "x.jar"\nset = 3\n', "is a table"),
    ],
)
def test_a_file_that_is_wrong_is_a_sentence(tmp_path, text, expected):
    file = tmp_path / "referees.toml"
    file.write_text(text)
    with pytest.raises(PodiumError, match=expected):
        registry.registered(file)


def test_a_short_name_that_is_not_there_or_no_name(tmp_path):
    file = tmp_path / "referees.toml"
    with pytest.raises(PodiumError, match="unknown referee"):
        registry.find("x", file)
    with pytest.raises(PodiumError, match="begins with a letter"):
        registry.add(file, "a b", parse("referee:x.jar"))
