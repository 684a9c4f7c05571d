"""The base of all referees at the other end of a channel, whatever protocol they speak."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.game import Outcome, Referee, Request
from podium.referees.channel import Channel
from podium.referees.messages import ExternalRefereeError, ReportedFailureError
from podium.referees.transcript import Transcript


class RemoteReferee(Referee):
    """One game under a referee in a separate program, which asks one player at a time.

    It releases its channel when the game is over or has failed. After a failure every further call of `requests`
    raises the same ExternalRefereeError.
    """

    def __init__(self, channel: Channel, players: int, seed: int | None) -> None:
        self.state: Any = None  # known to the program alone
        self.turn = 0
        self.outcome: Outcome | None = None
        self.transcript = Transcript()
        self.players = players
        self.seed = seed
        self._channel = channel
        self._request: Request | None = None
        self._failure = ""

    @abstractmethod
    def _advance(self) -> None:
        """Read up to the next question or the end: sets the request or the outcome, or raises ExternalRefereeError."""

    def requests(self) -> Sequence[Request]:
        """The player of the present step."""
        if self._failure:
            raise ExternalRefereeError(self._failure)
        if self.outcome is None and self._request is None:
            try:
                self._advance()
            except ExternalRefereeError as error:
                raise self._failed(error) from None
        return () if self._request is None else (self._request,)

    def _taken(self) -> Request:
        """Take the present request off, because it is being answered."""
        request, self._request = self._request, None
        assert request is not None
        self.turn += 1
        return request

    def _failed(self, error: ExternalRefereeError) -> ExternalRefereeError:
        complaint = "" if isinstance(error, ReportedFailureError) else self._channel.complaint()
        self._failure = f"{error}{'; ' if complaint else ''}{complaint}"
        self._channel.release(reusable=False)
        return ExternalRefereeError(self._failure)

    def close(self) -> None:
        """Abandon the game if it is not over; closing it again does nothing."""
        if self.outcome is None:
            self._failure = self._failure or "the game was abandoned"
            self._channel.release(reusable=False)

    def archive(self) -> Mapping[str, Any]:
        """The transcript of the game as plain data."""
        return self.transcript.data()
