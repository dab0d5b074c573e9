"""What a replay needs from the broker that it talks to: `emulator_peer.py` and `playback.py` provide it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from fakekafka.ids import PartitionIndex, TopicName

from tests.golden.channel import Client
from tests.golden.held_clock import HeldClock
from tests.golden.security_lines import SetAcls, SetQuota, SetScramUser
from tests.golden.transcript import Config


class Peer(Protocol):
    """A broker that can be replayed against."""

    clock: HeldClock
    log_dir: Path | None
    """Where the broker's files are; None if it has none."""

    @property
    def failures(self) -> Sequence[BaseException]:
        """Exceptions that escaped inside the broker so far: defects."""

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        """A connection to a listener (None: the plain one), from an address (None: the loopback's own)."""

    def administer(self, line: SetAcls | SetScramUser | SetQuota) -> None:
        """Apply what an operator wrote to ZooKeeper."""

    def stop(self, *, kill: bool) -> None:
        """Shut down cleanly, or die."""

    def start(self, release: str | None, config: Config | None) -> None:
        """Start again, after `stop`; None keeps the settings."""

    def create_topic(self, name: TopicName, partitions: int, config: dict[str, str]) -> None: ...

    def configure_topic(self, name: TopicName, config: dict[str, str]) -> None:
        """Replace all configs of the topic."""

    def delete_topic(self, name: TopicName) -> None: ...

    def elect_leader(self, topic: TopicName, partition: PartitionIndex) -> None: ...
