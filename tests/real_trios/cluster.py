"""Three real brokers that can also be paused, each in a separate rack."""

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from fakekafka import Release
from fakekafka.releases.release import Mode

from tests.real_patches.cluster import CONTROLLER, RealCluster

BROKERS: Final = (0, 1, 2)
QUORUM_LOG: Final = "__cluster_metadata-0"
"""A log that grows all the time."""
QUIET_S: Final = 1.5
"""How long no log may have grown: by then, followers have learnt the high watermark and written it to disk."""
SETTLED_WITHIN_S: Final = 60.0


class Trio(RealCluster):
    """Brokers 0 to 2, none of which is running yet. Broker `n` is in rack "r<n>"."""

    def __init__(self, stack: ExitStack, release: Release, mode: Mode, config: Mapping[str, str], folder: Path) -> None:
        super().__init__(stack, release, mode, len(BROKERS), config, folder)
        self._paused: set[int] = set()

    def pause(self, node_id: int) -> None:
        """Have a broker stand still. It must be resumed before its session ends."""
        self._paused.add(node_id)
        self._running[node_id].send_signal(signal.SIGSTOP)

    def resume(self, node_id: int) -> None:
        self._paused.discard(node_id)
        self._running[node_id].send_signal(signal.SIGCONT)

    def settle(self) -> None:
        """Wait until no log grows."""
        before, since = self._sizes(), time.monotonic()
        end = since + SETTLED_WITHIN_S
        while time.monotonic() < since + QUIET_S:
            assert time.monotonic() < end, "the logs never come to rest"
            time.sleep(QUIET_S / 10)
            if (now := self._sizes()) != before:
                before, since = now, time.monotonic()

    def _sizes(self) -> dict[Path, int]:
        logs = (path for node_id in BROKERS for path in self.logs_of(node_id).glob("*/*.log"))
        return {path: path.stat().st_size for path in logs if path.parent.name != QUORUM_LOG}

    def _as_broker(self, node_id: int) -> dict[str, str]:
        return super()._as_broker(node_id) | {"broker.rack": f"r{node_id}"}

    def _as_controller(self) -> dict[str, str]:
        return {**self._config, **super()._as_controller()}

    @property
    def nodes(self) -> tuple[int, ...]:
        """The ids of the brokers that run."""
        return tuple(node_id for node_id in self._running if node_id != CONTROLLER)

    @property
    def awake(self) -> tuple[int, ...]:
        """The ids of the brokers that answer."""
        return tuple(node_id for node_id in self.nodes if node_id not in self._paused)


@contextmanager
def trio(release: Release, mode: Mode, config: Mapping[str, str], folder: Path) -> Iterator[Trio]:
    """Three brokers that run; they end with the block."""
    with ExitStack() as stack:
        brokers = Trio(stack, release, mode, config, folder)
        for node_id in BROKERS:
            brokers.start(node_id)
        yield brokers
