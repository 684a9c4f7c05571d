"""What a game is for the rest of the program: an object in a few parts.

A game is one package that offers a `GAME` (`podium.games.floor_plan` makes it from the package's modules):

| part | what it holds |
| --- | --- |
| `rules` | the record of states, sizes, the start, the text of moves; None for an external referee |
| `contest` | title, source, seats, time limits, settings, referee, prompts |
| `bots`, `view` | the bots by name; what a seat knows of a game from its prompts |
| `pictures` | a position as plain data, for the terminal and for pages |
| `tools` | benchmarks, studies, makers of opening knowledge, analysis of positions that a user types |
| `learning` | what a learner needs |
| `external` | what a referee in a program of its own adds |

`podium.games.contract` says what referees and bots agree on; its names are offered here, too.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from podium.errors import PodiumError, unknown
from podium.games.contract import FORMER_OBSERVE as FORMER_OBSERVE
from podium.games.contract import Annulment as Annulment
from podium.games.contract import Answer as Answer
from podium.games.contract import AnswerVerdict as AnswerVerdict
from podium.games.contract import Bot as Bot
from podium.games.contract import BotKind as BotKind
from podium.games.contract import Budget as Budget
from podium.games.contract import Ending as Ending
from podium.games.contract import Fault as Fault
from podium.games.contract import IllegalError as IllegalError
from podium.games.contract import Judgement as Judgement
from podium.games.contract import Limits as Limits
from podium.games.contract import LogisticWins as LogisticWins
from podium.games.contract import MalformedError as MalformedError
from podium.games.contract import Option as Option
from podium.games.contract import Outcome as Outcome
from podium.games.contract import Referee as Referee
from podium.games.contract import Request as Request
from podium.games.contract import Scene as Scene
from podium.games.contract import Thoughts as Thoughts
from podium.games.contract import annulled as annulled
from podium.games.contract import can_observe as can_observe
from podium.games.contract import mean_result as mean_result
from podium.games.contract import observe_method as observe_method
from podium.games.contract import ranks_of as ranks_of
from podium.games.contract import win_rate as win_rate
from podium.games.overlays import Choice
from podium.games.parsing import checked_seed, read_seed
from podium.games.parts import Analysis as Analysis
from podium.games.parts import Benchmark as Benchmark
from podium.games.parts import Contest as Contest
from podium.games.parts import External as External
from podium.games.parts import Findings as Findings
from podium.games.parts import Learning as Learning
from podium.games.parts import MakeOptions as MakeOptions
from podium.games.parts import Maker as Maker
from podium.games.parts import Pictures as Pictures
from podium.games.parts import ScriptRunner as ScriptRunner
from podium.games.parts import Study as Study
from podium.games.parts import Tools as Tools
from podium.kernel import copy_of
from podium.model.params import Value, by_any_name, pair, read_values
from podium.model.rules import final_score, is_over, mover, play
from podium.model.ruleset import Rules, rules_of

if TYPE_CHECKING:
    from podium.games.svg import Svg
    from podium.search.search_result import SearchResult

PUCT = "puct"  # the bot that plays any network
CHAMPION = "champion"  # the name of the strongest bot of a game
FIRST_SEED = 1  # of a start for which none is given
THINKING_TIME = 1000.0  # ms of a search for which no limit is given
PICTURE_WIDTH = 100  # columns
QUOTED_OR_BARE = re.compile(r'"([^"]*)"|(\S+)')  # a word of a text


@dataclass(frozen=True, repr=False)
class Game:
    """A game: its parts, and the calls on its states. `podium.games.floor_plan.game_from` puts it together.

    A state is a value: one NumPy record, which `after` leaves as it is; `play` changes it. Moves are texts as the
    contest writes them, or the numbers of the rules: every call takes both. Where seats move at the same time, they
    choose one after the other, and the last choice completes the turn. A game of an external referee has no states.

    >>> podium.load("zuniq")
    <Game zuniq: Zuniq, CodeCup 2021, 2 seats>
    """

    name: str
    contest: Contest
    pictures: Pictures
    rules: Rules | None = None  # None: only an external referee knows them
    bots: Mapping[str, BotKind] = field(default_factory=dict)
    view: Callable[[], Any] | None = None  # makes a `podium.games.view.View`, for one seat of one game
    learning: Callable[[], Learning] | None = None
    tools: Tools = field(default_factory=Tools)
    external: External = field(default_factory=External)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.title}, {self.contest.source}, {self.seats} seats>"

    def initial_state(self, seed: int = FIRST_SEED, **settings: object) -> Any:
        """The state in which a game with this seed begins; settings are those that `podium bots GAME` lists.

        >>> game = podium.load("wondev_woman")
        >>> state = game.initial_state(seed=3, mapIndex=0)
        >>> len(game.legal_moves(state))
        82
        """
        rules, known = rules_of(self), by_any_name(self.contest.settings)
        for name in settings.keys() - known.keys():
            raise unknown(
                f"setting of {self.name}", name, ("seed", *(setting.name for setting in self.contest.settings))
            )
        return rules.initial_state(checked_seed(seed), **self.read_settings(settings))

    def position(self, words: Sequence[str] = (), *, seed: int = FIRST_SEED, **settings: object) -> Any:
        """The state after some moves from the start, or the state of a text that `podium analyze` takes.

        Moves of several seats may be one word, with a slash between them; `seed=7` may be a word, too. One text is
        split as `words_of` says.

        >>> game = podium.load("zuniq")
        >>> len(game.legal_moves(game.position(["E5v", "A2h"])))
        58
        >>> game = podium.load("fall_challenge_2020")
        >>> state = game.position(["seed=1", "CAST 78/CAST 82", "REST/LEARN 23"])
        """
        texts = self.words_of(words)
        if self.tools.position and (found := self.tools.position(texts)) is not None:
            return found
        given = dict(pair("setting", text) for text in texts if "=" in text)
        start = read_seed(given.pop("seed")) if "seed" in given else seed
        state = self.initial_state(start, **{**given, **settings})
        moves = [move for text in texts if "=" not in text for move in text.split("/")]
        for number, move in enumerate(moves, 1):
            if self.is_over(state):
                raise IllegalError(f"move {number}, {move.strip()!r}: the game is over")
            try:
                self.play(state, move)
            except (MalformedError, IllegalError) as error:
                raise type(error)(f"move {number}: {error}") from None
        return state

    def words_of(self, position: Sequence[str] | str) -> list[str]:
        """A position as its words: one text is split at blanks, but for what is in double quotes.

        A text of several lines is one word; so is one without quotes if the game's moves have blanks in them.

        >>> podium.load("zuniq").words_of("E5v A2h"), podium.load("code4life").words_of("GOTO SAMPLES/WAIT")
        (['E5v', 'A2h'], ['GOTO SAMPLES/WAIT'])
        >>> podium.load("code4life").words_of('seed=7 "GOTO SAMPLES/WAIT"')
        ['seed=7', 'GOTO SAMPLES/WAIT']
        """
        if not isinstance(position, str):
            words = list(position)
            if not all(isinstance(word, str) for word in words):
                raise MalformedError("a position is moves as texts, or a prompt; game.search takes a state")
            return words
        if "\n" in position:
            return [position]
        if '"' in position:
            return [quoted or bare for quoted, bare in QUOTED_OR_BARE.findall(position)]
        spaced = self.rules is not None and any(" " in move for move in self.legal_moves(self.initial_state()))
        return [position.strip()] * bool(position.strip()) if spaced else position.split()

    def is_over(self, state: Any) -> bool:
        """Whether the game has ended.

        >>> game = podium.load("zuniq")
        >>> game.is_over(game.initial_state())
        False
        """
        self._rules_for(state)
        return bool(is_over(state))

    def mover(self, state: Any) -> int:
        """The seat that chooses next. Where seats move at the same time, they choose one after the other.

        >>> game = podium.load("code4life")
        >>> state = game.initial_state()
        >>> game.mover(state), game.mover(game.after(state, "GOTO SAMPLES"))
        (0, 1)
        """
        self._rules_for(state)
        return int(mover(state))

    def legal_moves(self, state: Any) -> list[str]:
        """The legal moves of the mover as texts; none after the end. `game.rules.moves(state)` has them as numbers.

        >>> game = podium.load("zuniq")
        >>> game.legal_moves(game.initial_state())[:3]
        ['A1h', 'A2h', 'A3h']
        """
        rules = self._rules_for(state)
        return [] if is_over(state) else [rules.move_text(state, move) for move in rules.moves(state)]

    def after(self, state: Any, move: str | int) -> Any:
        """A new state: the one after a legal move. The given state stays as it is.

        >>> game = podium.load("zuniq")
        >>> state = game.initial_state()
        >>> game.mover(game.after(state, "E5v")), game.mover(state)
        (1, 0)
        """
        number = self._rules_for(state).legal_move(state, move)
        copy = copy_of(state)
        play(copy, number)
        return copy

    def play(self, state: Any, move: str | int) -> None:
        """Play a move in place. A text must be legal; of a number only its range is checked, for fast loops.

        >>> game = podium.load("zuniq")
        >>> state = game.initial_state()
        >>> game.play(state, "E5v")
        >>> game.play(state, "E5v")
        Traceback (most recent call last):
        podium.errors.IllegalError: E5v is drawn already
        """
        rules = self._rules_for(state)
        play(state, rules.legal_move(state, move) if isinstance(move, str) else rules.number(move))

    def score(self, state: Any, seat: int) -> float:
        """The result of an ended game for a seat: positive for a win, negative for a loss, 0 for a draw.

        It is 0 while the game goes on.

        >>> game = podium.load("zuniq")
        >>> game.score(game.initial_state(), 0)
        0.0
        """
        self._rules_for(state).check_seat(seat)
        return float(final_score(state, seat)) if is_over(state) else 0.0

    def seen(self, state: Any, seat: int) -> Any:
        """The state as far as a seat may know it: what is hidden from the seat is unknown in it, or missing.

        >>> game = podium.load("wondev_woman")
        >>> state = game.initial_state(seed=4)
        >>> bool(game.seen(state, 0) == game.seen(state, 1))
        False
        """
        rules = self._rules_for(state)
        rules.check_seat(seat)
        return rules.seen(state, seat)

    def scene(self, state: Any, seat: int | None = None, **history: Any) -> Scene:
        """A state as plain data, for pictures; with a seat, only what that seat may see of it.

        `history` is what a referee knows besides the state (`Referee.history`), such as the moves so far.

        >>> game = podium.load("zuniq")
        >>> game.scene(game.position(["E5v"]))["drawn"]
        ['E5v']
        """
        if self.rules is not None:
            self.rules.check(state)
        scene = self.pictures.scene(state, **history)
        return self.pictures.seen(scene, seat) if seat is not None and self.pictures.seen else scene

    def render(self, state: Any, seat: int | None = None) -> str:
        """A state as a picture in text; with a seat, as that seat may see it.

        >>> game = podium.load("zuniq")
        >>> print(game.render(game.position(["E5v", "F4h"])).splitlines()[-1])
        White to move; numbers: the size of a closed zone
        """
        return picture_text(self.pictures.picture(self.scene(state, seat)))

    def svg(self, state: Any, seat: int | None = None) -> "Svg":
        """A state as the picture of the pages, a text that shows itself in a notebook; needs `podium[svg]`.

        >>> game = podium.load("zuniq")
        >>> picture = game.svg(game.position(["E5v", "F4h"]))
        >>> picture[:4]
        '<svg'
        """
        from podium.games.svg import draw

        if self.pictures.scene_js is None:
            raise PodiumError(f"{self.title} has no scene.js that draws it; render(state) is its picture in text")
        return draw(self.pictures.scene_js, self.scene(state, seat))

    def search(
        self, state: Any, *, nodes: int = 0, time: float = 0.0, bot: str = "", seat: int | None = None
    ) -> "SearchResult":
        """What the game's champion, or another bot, thinks of a state: best move, value, expected line.

        `nodes` or `time` (ms; 1000 if neither is given) limits it. `bot` is a name with changed parameters, such as
        `champion:rave=off`. It knows what the seat to move may see, and nothing of the game before.

        >>> game = podium.load("zuniq")
        >>> state = game.position(["E5v", "A2h", "B3h", "C4v"])
        >>> result = game.search(state, nodes=2000)
        >>> result.move in game.legal_moves(state), result.nodes, result.line[0] == result.move
        (True, 2000, True)
        """
        from podium.games.bot_search import search_with, warm
        from podium.search.base import budget_of

        if self.is_over(state):
            raise PodiumError(f"this game of {self.title} is over: there is nothing to search")
        kind, changes = self.named(bot or self.default_bot)
        whose = self.mover(state) if seat is None else seat
        rules_of(self).check_seat(whose)
        if not nodes:
            warm(kind)
        budget = budget_of(None, time or (None if nodes else THINKING_TIME), nodes or None)
        return search_with(self, kind, changes, state, whose, budget)

    def _rules_for(self, state: Any) -> Rules:
        """The rules, after a check that they are for this state; PodiumError for a game that has none."""
        rules = rules_of(self)
        rules.check(state)
        return rules

    @property
    def default_bot(self) -> str:
        """The bot that searches, analyzes and reviews for a user who names none: the champion, or the first one.

        PodiumError if the game has none, as games of external referees.
        """
        name = CHAMPION if CHAMPION in self.bots else next(iter(self.bots), "")
        if not name:
            raise PodiumError(f"{self.title} has no bots of its own: name one")
        return name

    @property
    def title(self) -> str:
        """The name of the game for people."""
        return self.contest.title

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.contest.seats

    def scene_of(self, referee: Referee, seat: int | None = None) -> Scene:
        """A referee's position as plain data; with a seat, only what that seat may see of it.

        >>> game = podium.load("zuniq")
        >>> game.scene_of(game.new_referee(seed=1))["mover"]
        0
        """
        return self.scene(referee.state, seat, **referee.history())

    def choices_of(self, referee: Referee, seat: int) -> Sequence[Choice]:
        """The answers that a person in a seat may click; none if the game offers none.

        >>> game = podium.load("zuniq")
        >>> game.choices_of(game.new_referee(seed=1), 0)[0].answer
        'A1h'
        """
        choices = self.pictures.choices
        return choices(referee.state, seat, **referee.history()) if choices else ()

    @property
    def begins_anywhere(self) -> bool:
        """Whether a game can begin in a stored position: its referee gets there by the same answers."""
        return self.external.script_runner is None and self.external.from_transcript is None

    def kind(self, name: str) -> BotKind:
        """The bot of that name: one of the game's, or the one that plays any network (`podium.games.puct_bot`).

        >>> podium.load("zuniq").kind("champio")
        Traceback (most recent call last):
        podium.errors.UnknownNameError: unknown bot of zuniq 'champio'; did you mean champion?
        """
        if name in self.bots:
            return self.bots[name]
        if name == PUCT and self.learning:
            from podium.games.puct_bot import puct_kind  # which takes time to import, and is rarely needed

            return puct_kind(self)
        raise unknown(f"bot of {self.name}", name, self.bots)

    def named(self, spec: str) -> tuple[BotKind, dict[str, Value]]:
        """The bot and the changed parameters in a spec: `name` or `name:parameter=value,...`.

        >>> kind, changes = podium.load("zuniq").named("uct:playouts=5")
        >>> kind.name, changes
        ('uct', {'playouts': 5})
        """
        name, _, text = spec.partition(":")
        kind = self.kind(name)
        return kind, kind.param_spec.parse(text, f"{self.name} {kind.name}")

    def read_settings(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Settings converted to their types; those that are missing or None are left to the seed.

        >>> podium.load("wondev_woman").read_settings({"mapIndex": "2", "symmetric": None})
        {'mapIndex': 2}
        """
        present = ((name, value) for name, value in given.items() if value is not None)
        return read_values(f"setting of {self.name}", self.contest.settings, present)

    def settings_among(self, params: Mapping[str, object]) -> dict[str, Value]:
        """The settings among a recording's params, which also hold what the seed drew.

        >>> podium.load("wondev_woman").settings_among({"mapIndex": "2", "seed": "7"})
        {'mapIndex': 2}
        """
        known = {name for setting in self.contest.settings for name in (setting.name, *setting.aliases)}
        return self.read_settings({name: value for name, value in params.items() if name in known})

    def new_referee(self, seed: int, settings: Mapping[str, Any] | None = None) -> Referee:
        """A referee at the start of a game.

        >>> referee = podium.load("zuniq").new_referee(seed=1)
        >>> [(request.seat, request.lines) for request in referee.requests()]
        [(0, ('Start',))]
        """
        return self.contest.referee(checked_seed(seed), **self.read_settings(settings or {}))


def picture_text(picture: Any) -> str:
    """A picture for the terminal as plain text, without trailing white space."""
    from rich.console import Console

    console = Console(width=PICTURE_WIDTH, force_terminal=False, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(picture)
    return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())
