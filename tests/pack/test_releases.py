"""Packed bots as versions: they play the games that their bots played, at the seed and the limits of a run."""

import pytest

from podium.arena.game.record import unpack
from podium.arena.tournament.league import League
from podium.arena.tournament.match import Match
from podium.errors import PodiumError, UnknownNameError
from podium.pack import releases
from podium.pack.releases import write_release, write_version

NODES = 20


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    """The store of a league with --archive, and the fingerprint of its bot."""
    store = tmp_path_factory.mktemp("league") / "s.db"
    options = {"rounds": 1, "nodes": NODES, "store": store, "archive": True, "packer": write_version}
    with League("zuniq", ["uct", "random"], **options) as found:
        report = found.play(jobs=1)
        (uct,) = [who for who in found.session.entrants.values() if who.kind == "uct"]
    assert report.warnings == ()
    return store, uct.fingerprint


def lines_of(bot, store):
    with Match("zuniq", bot, "random", games=2, nodes=NODES, seed=7, store=store) as match:
        match.play(jobs=1)
        (uct, _) = match.session.entrants.values()
        games = [
            unpack(match.session.store.record(game)).lines
            for (game,) in match.session.store.connection.execute(
                "SELECT id FROM games WHERE run = ? ORDER BY round, part", (match.run.id,)
            )
        ]
    return uct, games


def test_an_archived_version_plays_the_same_games_as_when_it_was_current(league, tmp_path, monkeypatch):
    store, fingerprint = league
    bot, games = lines_of("uct", tmp_path / "other.db")
    assert bot.kind == "uct"
    monkeypatch.setattr("podium.arena.entrants.entrant.sources", lambda *made_of: "edited")
    name = f"uct-{fingerprint[:6]}"
    version, again = lines_of(name, store)
    assert version.label == name and version.takes_limits and version.fingerprint == fingerprint
    assert again == games
    with pytest.raises(UnknownNameError, match=f"did you mean .*{name}"):
        Match("zuniq", f"uct-{fingerprint[:5]}", "random", store=store)


def test_versions_without_a_copy_are_not_offered(league, tmp_path):
    store, fingerprint = league
    with pytest.raises(UnknownNameError, match=f"known: .*uct-{fingerprint[:6]}"):
        Match("zuniq", "unheard", "random", store=store)
    lines_of("uct", tmp_path / "other.db")
    with pytest.raises(UnknownNameError) as caught:
        Match("zuniq", "unheard", "random", store=tmp_path / "other.db")
    assert "uct-" not in str(caught.value)


def test_a_file_that_answers_otherwise_is_no_version(tmp_path, monkeypatch):
    monkeypatch.setattr(releases, "write_pack", lambda game, bot, file: file.write_text("while input(): print('A1h')"))
    monkeypatch.setattr(releases, "COMPARED", 1)
    with pytest.raises(PodiumError, match="uct of zuniq answers otherwise when it is packed: seed 1, turn 0, seat 0"):
        write_version("zuniq", "uct", tmp_path / "v.py")
    assert not (tmp_path / "v.py").exists()


def test_a_release_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(releases, "write_version", lambda game, bot, file: file.write_text(f"{game} {bot}"))
    (first,) = write_release("v1", tmp_path / "releases", "zuniq")
    assert first.is_new and first.file.name == "zuniq-v1.py" and first.file.read_text() == "zuniq champion"
    monkeypatch.setattr(releases, "write_version", None)
    (again,) = write_release("v1", tmp_path / "releases", "zuniq")
    assert not again.is_new and again.file == first.file
    with pytest.raises(PodiumError, match=r"cannot make the folder .*zuniq-v1\.py: File exists"):
        list(write_release("v1", first.file))
    with pytest.raises(PodiumError, match="'a/b' is no name of a release"):
        list(write_release("a/b", tmp_path))
