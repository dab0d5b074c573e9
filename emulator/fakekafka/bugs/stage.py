"""What a story needs from a broker. `here.Here` is a `FakeKafka`; a recorder may use a real broker instead."""

from collections.abc import Mapping
from typing import Protocol

from fakekafka.ids import DurationMs, TimestampMs, TopicName


class Closed(Exception):
    """The broker closed the connection instead of answering."""


class NoAnswer(Exception):
    """No answer came."""


class WillNotStart(Exception):
    """The broker refuses to start on its files, or with these settings."""


class Stage(Protocol):
    """A broker whose wall clock stands still until the story moves it."""

    @property
    def release(self) -> str:
        """The broker's current release."""

    @property
    def now_ms(self) -> TimestampMs:
        """The broker's wall clock."""

    def exchange(self, frame: bytes, connection: str) -> bytes:
        """Send a request with its size in front. Returns the answer's frame, without its size.

        `connection`: a name; the connection is opened at its first use. Raises `Closed` and `NoAnswer`.
        """

    def waits(self, frame: bytes, connection: str) -> bool:
        """Whether a request is not answered at once; the answer is lost. Raises `Closed`."""

    def create_topic(self, name: TopicName, partitions: int, config: Mapping[str, str]) -> None:
        """Create a topic, in whatever way the release has."""

    def configure_topic(self, name: TopicName, config: Mapping[str, str]) -> None:
        """Set configs of a topic."""

    def advance(self, ms: DurationMs) -> None:
        """Let time pass."""

    def restart(self, release: str | None, config: Mapping[str, object] | None, crash: bool) -> None:
        """Stop the broker, or kill it, and start it on the same files, possibly as another release.

        Raises `WillNotStart`.
        """

    def edit(self, changes: Mapping[str, bytes | None], crash: bool) -> None:
        """Stop the broker, or kill it, write these files of the log directory, or delete those that are None, and start
        it again.

        Raises `WillNotStart`.
        """

    def compact(self, topic: TopicName) -> bool:
        """Run the cleaner over a topic, active segments included. Returns whether it finished."""

    def files(self, beginning: str) -> Mapping[str, bytes]:
        """The current files of the log directory whose paths below it begin with `beginning`, by these paths."""
