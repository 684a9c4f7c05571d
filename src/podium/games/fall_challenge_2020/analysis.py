"""What a bot thinks of a position, given as a prompt's text or as a seed and the answers that followed.

    podium analyze fall_challenge_2020 prompt.txt                     a file with one prompt; `-`: standard input
    podium analyze fall_challenge_2020 prompt.txt turn=20 brews=2,3   with what a prompt does not tell
    podium analyze fall_challenge_2020 seed=1 "LEARN 23/CAST 82" WAIT/WAIT seat=1

A seed's turns are written as the two players' answers with a slash between them; `seat` is the seat that thinks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError, UnfitSearchError, unknown
from podium.games.fall_challenge_2020.bots.champion import Champion
from podium.games.fall_challenge_2020.bots.decoupled_bots import Decoupled
from podium.games.fall_challenge_2020.protocol import FallPrompt, read_prompt, readable
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.scene import scene
from podium.games.fall_challenge_2020.state import GOAL, MOST_TURNS, SEATS
from podium.games.fall_challenge_2020.view import View
from podium.games.game import Analysis, Answer, BotKind, Budget, Scene, Thoughts
from podium.games.parsing import is_prompt, prompt_argument, read_int, read_seed
from podium.model.params import Value

WORDS = ("seed", "seat", "turn", "brews")
NOTE = "the options have a beam each, and are valued at the depth that all of these have finished"


def position(words: Sequence[str]) -> Any:
    """The state that a prompt shows, in which the player who is asked is seat 0; None for moves."""
    settings, rest = _split(words)
    if not is_prompt(rest):
        return None
    view = View()
    _read(view, settings, rest)
    return view.state


def _split(position: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The words with a value, and the others."""
    words = dict(word.split("=", 1) for word in position if "=" in word)
    for word in words:
        if word not in WORDS:
            raise unknown("word of a position", word, WORDS)
    return words, [word for word in position if "=" not in word]


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Bring a bot into the position and let it think."""
    words, rest = _split(position)
    bot = kind.bot(changes)
    if not isinstance(bot, Champion | Decoupled):
        raise UnfitSearchError(f"{kind.name} does not search; analyze with champion, writeup, solo or duct")
    if "seed" in words:
        return _from_seed(words, rest, bot, budget)
    return _from_prompt(words, rest, bot, budget)


def _from_seed(words: Mapping[str, str], turns: Sequence[str], bot: Champion | Decoupled, budget: Budget) -> Analysis:
    referee = FallReferee(read_seed(words["seed"]))
    seat = read_int(words.get("seat", "0"), "seat", 0, SEATS - 1)
    for turn, text in enumerate(turns, 1):
        answers = [answer.strip() for answer in text.split("/")]
        if len(answers) != SEATS:
            raise PodiumError(f"turn {turn} is written as two answers with a slash between them, not {text!r}")
        if referee.outcome:
            raise PodiumError(f"the game is over before turn {turn}: {referee.outcome.detail}")
        bot.observe(referee.requests()[seat].lines, answers[seat])
        referee.answer([Answer(answer) for answer in answers])
    if referee.outcome:
        return Analysis(scene(referee.state, **referee.history()), Thoughts(note=referee.outcome.detail))
    bot.view.read(referee.requests()[seat].lines)
    return _analysis(scene(referee.state, **referee.history()), bot, budget)


def _from_prompt(
    words: Mapping[str, str], prompt: Sequence[str], bot: Champion | Decoupled, budget: Budget
) -> Analysis:
    if not prompt:
        raise PodiumError("a position is a prompt (text, file or -), or seed=N and the turns played")
    told = _read(bot.view, words, prompt)
    return _analysis(scene(bot.state, told.books), bot, budget)


def _read(view: View, words: Mapping[str, str], prompt: Sequence[str]) -> FallPrompt:
    """Read a prompt into a view, with what it does not tell."""
    lines = [line for line in prompt_argument(prompt).splitlines() if line.strip()]
    told = read_prompt(lines)
    turn = read_int(words.get("turn", "0"), "turn", 0, MOST_TURNS - 1)
    if "brews" in words:
        brews = [read_int(part, "brews", 0, GOAL - 1) for part in words["brews"].split(",")]
        if len(brews) != SEATS:
            raise PodiumError(f"brews are two numbers such as 2,3 (mine first), not {words['brews']!r}")
        view.remember(turn, brews, told.scores)
    else:
        view.remember(turn, [0] * SEATS, [0] * SEATS)
    view.read(lines)
    return told


def _analysis(scene: Scene, bot: Champion | Decoupled, budget: Budget) -> Analysis:
    """Let the bot choose, then compare all first moves; its forecast goes into the scene, turn by turn."""
    choosing, comparing = (budget, budget) if isinstance(bot, Decoupled) else budget.slices(2)
    bot.choose(choosing)
    thoughts = bot.thoughts
    assert thoughts is not None
    thoughts.matrix = bot.matrix()
    if isinstance(bot, Decoupled):  # its one search has compared the moves
        return Analysis(scene, thoughts)
    thoughts.options = bot.alternatives(comparing)
    thoughts.note = "; ".join(filter(None, (thoughts.note, NOTE)))
    scene["plan"] = [
        {
            "mine": readable(mine),
            "theirs": readable(theirs),
            "inventories": state.inventory.tolist(),
            "scores": state.score.tolist(),
        }
        for mine, theirs, state in bot.forecast()
    ]
    return Analysis(scene, thoughts)
