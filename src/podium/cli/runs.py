"""`podium runs`: the runs of a store; `podium runs delete`, `rename`, `tag`, `untag` and `note` change them."""

from datetime import datetime
from textwrap import shorten
from typing import Annotated

import typer

from podium.arena.store.store import DEFAULT_STORE
from podium.cli import completion
from podium.cli.console import console, print_json
from podium.cli.formatting import Sheet, count
from podium.cli.groups import DefaultCommand, WithDefault
from podium.cli.help_text import HelpfulCommand
from podium.cli.options import HELP, Json, StorePath, flowing
from podium.errors import PodiumError
from podium.lab.run_list import RunLine, check_runs, delete_runs, list_runs, remark_on, why_none
from podium.referees.names import title_of

SUMMARY = "List the runs of a store with their scores and verdicts; delete, rename, tag or note them."

LONGEST, LONGEST_RESULT = 60, 80  # characters of a name, and of a result, in the list

app = typer.Typer(name="runs", cls=WithDefault, help=SUMMARY, context_settings=HELP)

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run such as r3.", autocompletion=completion.runs)]
RunNames = Annotated[list[str], typer.Argument(metavar="RUN", help="Runs such as r3.", autocompletion=completion.runs)]
Tags = Annotated[list[str], typer.Argument(metavar="TAG", help="Tags of one word.")]


def command(
    game: Annotated[str, typer.Option(metavar="GAME", help="Only runs of this game.", show_default=False)] = "",
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="Only runs of this kind, such as match or league.", show_default=False)
    ] = "",
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only runs with this tag.", show_default=False)] = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """List the runs of a store with their scores and verdicts; `podium show r1` shows one.

    podium runs delete r3 deletes a run; rename, tag, untag and note change what is shown of it.
    """
    found = list_runs(store, game, kind, tag)
    if json:
        print_json(found.data())
        return
    if not found.runs and (game or kind or tag):
        raise why_none(store, game, kind, tag)
    table = Sheet("run", "game", "name", "games", "score", "result", "last game", typed=("run",))
    for run in found.runs:
        table.add_row(
            run.run,
            title_of(run.game),
            _name(run),
            f"{run.games:,}",
            "" if run.score is None else f"{run.score:.1%}",
            shorten(run.result, LONGEST_RESULT, placeholder=" ..."),
            _when(run.last),
        )
    console.print(table)


def _name(run: RunLine) -> str:
    """The name of a run, with its kind if it is no match, and with what the user has remarked."""
    kind = "" if run.kind == "match" or run.kind == run.name else f"{run.kind} "
    tags = "".join(f" #{tag}" for tag in run.tags)
    limits = [count(run.nodes, "node")] * bool(run.nodes) + [f"{run.time:g} ms"] * bool(run.time)
    return ", ".join([_cut(f"{kind}{run.name}"), *limits]) + tags + (f"\n{run.note}" if run.note else "")


def _cut(text: str) -> str:
    """A text without its middle if it is too long: programs differ at both ends of their names."""
    half = LONGEST // 2 - 2
    return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"


def _when(seconds: float) -> str:
    """A time of this year without the year."""
    moment = datetime.fromtimestamp(seconds)
    return moment.strftime("%b %d %H:%M" if moment.year == datetime.now().year else "%Y-%m-%d")


def delete(
    runs: RunNames,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Delete runs with all their games, and the copies of programs that no other run needs."""
    check_runs(runs, store)
    if not yes:
        if not console.is_terminal:
            raise PodiumError("deleting runs needs --yes where nobody can be asked")
        typer.confirm(f"Delete {', '.join(runs)} with all their games?", abort=True)
    games = delete_runs(runs, store)
    console.print(f"deleted {', '.join(dict.fromkeys(runs))}: {count(games, 'game')}")


def rename(
    run: RunName,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The new title; '' restores the run's own name.")],
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Give a run a title, which lists and reports show instead of its name."""
    changed = remark_on(run, store, title=title)
    console.print(f"r{changed.id}: {changed.title}")


def tag(run: RunName, tags: Tags, store: StorePath = DEFAULT_STORE) -> None:
    """Add tags to a run; `podium runs --tag TAG` lists the runs with one."""
    _tell_tags(remark_on(run, store, add_tags=tags).tags)


def untag(run: RunName, tags: Tags, store: StorePath = DEFAULT_STORE) -> None:
    """Remove tags from a run."""
    _tell_tags(remark_on(run, store, remove_tags=tags).tags)


def _tell_tags(tags: tuple[str, ...]) -> None:
    console.print(f"tags: {', '.join(tags) or 'none'}")


def note(
    run: RunName,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The note; '' removes it.")],
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Write a note about a run, in the place of the former one."""
    changed = remark_on(run, store, note=text)
    console.print(f"r{changed.id}: {changed.note or 'no note'}")


app.command("list", cls=DefaultCommand, help=flowing(command.__doc__ or ""))(command)
for each in (delete, rename, tag, untag, note):
    app.command(cls=HelpfulCommand)(each)
