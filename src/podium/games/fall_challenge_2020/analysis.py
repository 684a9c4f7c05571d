"""What a bot thinks of a position, given as a prompt's text or as a seed and the answers that followed.

    podium analyze fall_challenge_2020 prompt.txt                     a file with one prompt; `-`: standard input
    podium analyze fall_challenge_2020 prompt.txt turn=20 brews=2,3   with what a prompt does not tell
    podium analyze fall_challenge_2020 seed=1 "LEARN 23/CAST 82" WAIT/WAIT seat=1

A seed's turns are written as the two players' answers with a slash between them; `seat` chooses who thinks.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from podium.errors import PodiumError, unknown
from podium.games.fall_challenge_2020.bots.champion import BeamPlayer
from podium.games.fall_challenge_2020.bots.player import Player
from podium.games.fall_challenge_2020.protocol import read_prompt, readable
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.scene import scene, scene_of
from podium.games.fall_challenge_2020.state import GOAL, MOST_TURNS, SEATS
from podium.games.game import Analysis, Answer, BotKind, Budget, Scene, Thoughts
from podium.kernel.minds import Value

WORDS = ("seed", "seat", "turn", "brews")


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Bring a bot into the position and let it think."""
    words = dict(word.split("=", 1) for word in position if "=" in word)
    for word in words:
        if word not in WORDS:
            raise unknown("word of a position", word, WORDS)
    rest = [word for word in position if "=" not in word]
    bot = kind.bot(changes)
    if not isinstance(bot, Player):
        raise PodiumError(f"{kind.name} cannot analyse")
    if "seed" in words:
        return _from_seed(words, rest, bot, budget)
    return _from_prompt(words, rest, bot, budget)


def _from_seed(words: Mapping[str, str], turns: Sequence[str], bot: Player, budget: Budget) -> Analysis:
    referee = FallReferee(_number(words["seed"], "seed", -(2**63), 2**63 - 1))
    seat = _number(words.get("seat", "0"), "seat", 0, SEATS - 1)
    for number, text in enumerate(turns, 1):
        answers = text.split("/")
        if len(answers) != SEATS:
            raise PodiumError(f"turn {number} is written as two answers with a slash between them, not {text!r}")
        if referee.outcome:
            raise PodiumError(f"the game is over before turn {number}: {referee.outcome.sentence}")
        bot.read(referee.requests()[seat].lines)
        referee.answer([Answer(answer.strip()) for answer in answers])
    if referee.outcome:
        return Analysis(scene(referee), Thoughts(note=referee.outcome.sentence))
    bot.read(referee.requests()[seat].lines)
    return _analysis(scene(referee), bot, budget)


def _from_prompt(words: Mapping[str, str], files: Sequence[str], bot: Player, budget: Budget) -> Analysis:
    if len(files) != 1:
        raise PodiumError(
            "a position is a file with a prompt (or - for standard input), or seed=N and the turns played"
        )
    try:
        text = sys.stdin.read() if files[0] == "-" else Path(files[0]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PodiumError(f"cannot read a prompt from {files[0]}: {error}") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if "brews" in words:
        brews = [_number(part, "brews", 0, GOAL - 1) for part in words["brews"].split(",")]
        if len(brews) != SEATS:
            raise PodiumError(f"brews are two numbers such as 2,3 (mine first), not {words['brews']!r}")
        bot.remember(_number(words.get("turn", "0"), "turn", 0, MOST_TURNS - 1), brews, read_prompt(lines).scores)
    elif "turn" in words:
        bot.remember(_number(words["turn"], "turn", 0, MOST_TURNS - 1), [0, 0], [0, 0])
    bot.read(lines)
    books = read_prompt(lines).books
    return _analysis(scene_of(bot.state, books, ["", ""]), bot, budget)


def _analysis(scene: Scene, bot: Player, budget: Budget) -> Analysis:
    """Let the bot think; a beam's forecast goes into the scene, turn by turn."""
    move = bot.choose(budget)
    thoughts = bot.thoughts or Thoughts(note=f"plays {readable(move)}")
    if isinstance(bot, BeamPlayer):
        thoughts.options = bot.options()
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


def _number(text: str, name: str, low: int, high: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise PodiumError(f"{name} needs a whole number, not {text!r}") from None
    if not low <= number <= high:
        raise PodiumError(f"{name} must be from {low} to {high}, not {number}")
    return number
