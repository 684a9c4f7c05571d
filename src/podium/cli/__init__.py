"""The command line: one file per command."""

import gc
import io
import os
import signal
import sys

from podium.errors import PodiumError

SIGNALLED = 128  # what shells report for a program ended by a signal is this and the signal's number
INTERRUPTED = SIGNALLED + signal.SIGINT
USAGE = 2
READING = ("runs", "show")  # commands that may need no kernel at all, and so do not wait for the compiler
COMPLETION = "_PODIUM_COMPLETE"  # the shell asks how a command line may go on
BOT_OPTIONS = {"--seed", "--time", "--nodes"}
REPEAT_SECONDS = 0.5  # until a signal that nobody has heard is raised again

# Numba uses these where they are there, for linear algebra, its own settings and coloured errors. A process that only
# plays needs none of them, and a judge's clock may count the time that they take to load.
NEEDLESS = ("scipy", "yaml", "colorama")


def run(arguments: list[str]) -> None:
    """Run the command that the arguments name.

    A judge's clock may count the start of `podium bot GAME BOT`, so that one does not wait for the library of the
    command line, nor for garbage to be collected.
    """
    told = plain_bot(arguments)
    if told:
        gc.disable()
        os.environ.setdefault("PODIUM_QUICK", "1")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads of NumPy's algebra, which no bot needs
        for name in NEEDLESS:
            sys.modules.setdefault(name, None)  # type: ignore[arg-type]
        from podium.arena.processes.stdio import play_with_text_options

        play_with_text_options(**told)
    else:
        command = arguments[0] if arguments else ""
        if command in READING:
            os.environ.setdefault("PODIUM_QUICK", "1")
        if COMPLETION in os.environ:
            os.environ["PODIUM_QUICK"] = "1"
            from podium.cli.completion import command_typed

            command = command_typed()
        from podium.cli.app import application, names_alone

        make = application if command or COMPLETION not in os.environ else names_alone
        try:
            make(command)(arguments)
        except SystemExit as end:
            if stop := interruption(end):
                raise stop from None
            if command in READING and not end.code:
                from podium.kernel.aot import build_missing

                sys.stdout.flush()
                build_missing()  # the next one is quicker
            raise


def plain_bot(arguments: list[str]) -> dict[str, str] | None:
    """What `bot GAME BOT [--seed N] [--time MS] [--nodes N]` says, if that is just how it is written."""
    command, game, bot, *words = (*arguments, "", "", "")[: max(3, len(arguments))]
    names, values = words[::2], words[1::2]
    if command != "bot" or not game or not bot or any(word.startswith("-") for word in (game, bot, *values)):
        return None
    if len(names) != len(values) or not {*names} <= BOT_OPTIONS or len({*names}) < len(names):
        return None
    return {"game": game, "bot": bot} | {name.removeprefix("--"): v for name, v in zip(names, values, strict=True)}


_noted: list[int] = []  # signals that asked this command to end


class EndedError(KeyboardInterrupt):
    """A signal that asks this program to end in good order."""

    def __init__(self, number: int) -> None:
        self.number = number


def end_as_with_ctrl_c() -> None:
    """Let the signals of a closed terminal and of a machine that goes down end a command as Ctrl-C does.

    An exception that is raised inside a callback of a library is swallowed there. So a signal is repeated until
    somebody handles it (`signal_handled`), but not while it is being handled: what is closed then must not be
    disturbed. What the interpreter would print of a swallowed one is no news for users.
    """

    def end(number: int, frame: object) -> None:
        _noted.append(number)
        signal.setitimer(signal.ITIMER_REAL, REPEAT_SECONDS)
        raise EndedError(number)

    def repeat(number: int, frame: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, REPEAT_SECONDS)
        if not _is_being_handled():
            raise EndedError(_noted[-1])

    def swallowed(what: "sys.UnraisableHookArgs") -> None:
        if not isinstance(what.exc_value, EndedError):
            sys.__unraisablehook__(what)

    sys.unraisablehook = swallowed
    signal.signal(signal.SIGALRM, repeat)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):  # who has it ignored knows why
            signal.signal(number, end)


def _is_being_handled() -> bool:
    error = sys.exception()
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def signal_handled() -> None:
    """Stop repeating the signal that asked this command to end: it is being handled."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def check_streams() -> None:
    """See that there is somewhere to print; what an encoding such as ASCII has no letter for becomes a number."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it stays open to the end
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        raise PodiumError("standard output is closed, so there is nowhere to print to")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def exit_code(stop: KeyboardInterrupt) -> int:
    """What shells report for a program that was stopped so."""
    return SIGNALLED + stop.number if isinstance(stop, EndedError) else INTERRUPTED


def interruption(end: SystemExit) -> KeyboardInterrupt | None:
    """The interruption that typer has turned into an exit without a word, whatever the signal was; None if none was."""
    cause = end.__context__.__cause__ if end.__context__ else None
    return cause if isinstance(cause, KeyboardInterrupt) else None


def complain(text: str, style: str) -> None:
    """A sentence on standard error."""
    from podium.cli.console import errors  # and nothing that needs compiled code: it may be half imported

    errors.print(f"podium: {text}", style=style)


def main() -> None:
    """Run a command; a user's mistake is one sentence, Ctrl-C and a closed pipe are quiet."""
    try:
        end_as_with_ctrl_c()
        check_streams()
        run(sys.argv[1:])
        sys.stdout.flush()
    except PodiumError as error:
        complain(str(error), "red")
        sys.exit(error.exit_code)
    except KeyboardInterrupt as stop:
        complain("interrupted", "yellow")
        sys.exit(exit_code(stop))
    except BrokenPipeError:
        forget_output()
        sys.exit(1)
    except Exception as error:
        if _noted:  # a library that was interrupted in the middle of its import says something else
            complain("interrupted", "yellow")
            sys.exit(exit_code(EndedError(_noted[-1])))
        if not isinstance(error, OSError):
            raise
        forget_output()
        complain(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""), "red")
        sys.exit(USAGE)
    finally:
        signal_handled()


def forget_output() -> None:
    """Nobody takes our output: point its descriptor elsewhere, so that closing it cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
