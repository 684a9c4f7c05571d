"""What referees at the other end of a channel have in common, whatever they speak."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.game import Outcome, Referee, Request
from podium.referees.annals import Annals
from podium.referees.channel import Channel
from podium.referees.messages import ForeignError, ToldError


class RemoteReferee(Referee):
    """One game under a referee in a program of its own, one player asked at a time.

    It releases its channel when the game is over, well or not. Once the referee has failed, every further question is
    answered with the same reason.
    """

    def __init__(self, channel: Channel, players: int, seed: int | None) -> None:
        self.state: Any = None  # the program's own
        self.turn = 0
        self.outcome: Outcome | None = None
        self.annals = Annals()
        self.players = players
        self.seed = seed
        self._channel = channel
        self._request: Request | None = None
        self._failure = ""

    @abstractmethod
    def _advance(self) -> None:
        """Read on to the next question or to the end: sets the request or the outcome. ForeignError if it fails."""

    def requests(self) -> Sequence[Request]:
        """The player of the present step."""
        if self._failure:
            raise ForeignError(self._failure)
        if self.outcome is None and self._request is None:
            try:
                self._advance()
            except ForeignError as error:
                raise self._void(error) from None
        return () if self._request is None else (self._request,)

    def _taken(self) -> Request:
        """The request that is being answered."""
        request, self._request = self._request, None
        assert request is not None
        self.turn += 1
        return request

    def _void(self, error: ForeignError) -> ForeignError:
        complaint = "" if isinstance(error, ToldError) else self._channel.complaint()
        self._failure = f"{error}{'; ' if complaint else ''}{complaint}"
        self._channel.release(well=False)
        return ForeignError(self._failure)

    def close(self) -> None:
        """Leave the game, wherever it is."""
        if self.outcome is None:
            self._failure = self._failure or "the game was left"
            self._channel.release(well=False)

    def archive(self) -> Mapping[str, Any]:
        """What the referee said."""
        return self.annals.data()
