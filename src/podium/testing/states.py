"""The states' part of the conformance suite: the calls of a game that take a state in the hand."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from podium.errors import IllegalError, MalformedError, PodiumError
from podium.games.game import Answer, Game, Request
from podium.kernel import JIT
from podium.kernel.random import draw_below, generator
from podium.model.ruleset import rules_of

STATE_SEEDS = range(3 if JIT else 1)
LONGEST_WALK = 5000 if JIT else 12  # plies
EVERY = 5  # of this many positions of a walk, one is looked at closely
SHOWN_STATES = 4
SEARCHED_NODES = 20 if JIT else 2


class States:
    """What holds for every state of a game. A subclass has the `game` under test."""

    @property
    def game(self) -> Game:
        """The game under test."""
        raise NotImplementedError

    def states(self, seed: int) -> Iterator[Any]:
        """The states of a random game, from the first to the last, each a value of its own."""
        game, random = self.game, generator(seed)
        state = game.initial_state(seed)
        for _ in range(LONGEST_WALK):
            yield state
            if game.is_over(state):
                return
            moves = rules_of(game).moves(state)
            state = game.after(state, moves[draw_below(random, len(moves))])

    def few_states(self, count: int = SHOWN_STATES) -> list[Any]:
        """Some states of a random game, the first and the last among them."""
        played = list(self.states(1))
        return [played[index * (len(played) - 1) // (count - 1)] for index in range(count)]

    @pytest.mark.parametrize("seed", STATE_SEEDS)
    def test_every_legal_move_has_a_text_that_is_read_as_that_move(self, seed: int) -> None:
        """Text and number of a move stand for each other."""
        game, rules = self.game, rules_of(self.game)
        for state in list(self.states(seed))[::EVERY]:
            if game.is_over(state):
                assert game.legal_moves(state) == []
                continue
            texts, numbers = game.legal_moves(state), rules.moves(state)
            assert len(set(texts)) == len(texts), "two legal moves have the same text"
            assert [rules.read_move(state, text) for text in texts] == numbers

    @pytest.mark.parametrize("seed", STATE_SEEDS)
    def test_states_are_values(self, seed: int) -> None:
        """`after` is `play` on a copy, whether the move is a text or a number."""
        game = self.game
        for state in list(self.states(seed))[:-1:EVERY]:
            before = state.tobytes()
            text, number = game.legal_moves(state)[-1], rules_of(game).moves(state)[-1]
            copy = state.copy()
            game.play(copy, text)
            assert game.after(state, text).tobytes() == game.after(state, number).tobytes() == copy.tobytes()
            assert state.tobytes() == before

    @pytest.mark.parametrize("text", ["", "rubbish \x00 \N{SNOWMAN}", "9" * 5000])
    def test_what_is_no_move_is_refused(self, text: str) -> None:
        """With an error that a caller can catch; the state stays as it was."""
        state = self.game.initial_state()
        before = state.tobytes()
        with pytest.raises((MalformedError, IllegalError)):
            self.game.play(state, text)
        assert state.tobytes() == before

    def test_a_position_is_its_moves(self) -> None:
        """The texts of a game lead to its states; what is no move is named by its place."""
        game, texts = self.game, list[str]()
        states = list(self.states(2))[:9]
        for state, then in pairwise(states):
            texts += [t for t in game.legal_moves(state) if game.after(state, t).tobytes() == then.tobytes()][:1]
        assert game.position(texts, seed=2).tobytes() == states[-1].tobytes()
        with pytest.raises(PodiumError, match=f"move {len(texts) + 1}"):
            game.position([*texts, "rubbish"], seed=2)

    def test_scores_come_at_the_end(self) -> None:
        """Somebody wins only if somebody loses, and nobody before the end."""
        *played, last = self.states(3)
        game = self.game
        assert [game.score(played[0], seat) for seat in range(game.seats)] == [0.0] * game.seats
        if game.is_over(last) and game.seats > 1:
            scores = [game.score(last, seat) for seat in range(game.seats)]
            assert min(scores) <= 0 <= max(scores)

    def test_a_state_can_be_shown_without_a_referee(self) -> None:
        """As plain data and as text; as a whole, and as each seat may see it."""
        for state in self.few_states():
            for seat in (None, *range(self.game.seats)):
                scene = self.game.scene(state, seat)
                assert json.loads(json.dumps(scene)) == scene
                assert self.game.render(state, seat).strip()

    def test_a_state_can_be_drawn(self) -> None:
        """The script of the pages makes an SVG file of every state, also of what a seat knows of it."""
        if self.game.pictures.scene_js is None or not find_spec("quickjs"):
            pytest.skip("the game has no scene.js, or there is no JavaScript engine")
        for state in self.few_states():
            known = [self.game.seen(state, seat) for seat in range(self.game.seats)]
            for shown in (state, *known):
                picture = self.game.svg(shown)
                assert ElementTree.fromstring(picture).tag.endswith("svg")
                assert "var(--" not in picture and "undefined" not in picture and "NaN" not in picture

    def test_a_seat_sees_no_more_than_it_may(self) -> None:
        """What is seen of what was seen is the same; without hidden information it is the state itself."""
        game, hides = self.game, False
        for state in self.few_states():
            before = state.tobytes()
            for seat in range(game.seats):
                known = game.seen(state, seat)
                assert state.tobytes() == before
                assert game.seen(known, seat).tobytes() == known.tobytes()
                hides = hides or known.tobytes() != before
        assert hides == rules_of(game).hidden

    def test_a_view_can_join_in_any_state(self) -> None:
        """A seat that joins in a state can play what it could play if it had read all prompts."""
        game = self.game
        if game.view is None:
            pytest.skip("the game offers no view")
        views, random = [game.view() for _ in range(game.seats)], generator(4)
        referee, numbers_of = game.new_referee(4), rules_of(game).moves

        def answer(request: Request) -> Answer:
            view = views[request.seat]
            view.read(request.lines)
            joined = type(view).of(game.seen(referee.state, request.seat), request.seat)
            moves = numbers_of(view.state)
            assert sorted(numbers_of(joined.state)) == sorted(moves)
            line: str = view.answer_of(moves[draw_below(random, len(moves))])
            view.answered(line)
            return Answer(line)

        for _ in range(LONGEST_WALK):
            if not (requests := referee.requests()):
                break
            referee.answer([answer(request) for request in requests])

    def test_the_first_bot_searches_a_state(self) -> None:
        """Its move is a legal one, as text, in every state that is not over."""
        for state in self.few_states()[:-1]:
            move: Any = self.game.search(state, nodes=SEARCHED_NODES).move
            assert move in self.game.legal_moves(state)
