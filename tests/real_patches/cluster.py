"""Several real brokers of any release, with their own ZooKeeper or KRaft controller."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from fakekafka import Release
from fakekafka.releases.release import Mode

from tests.real_patches.broker import HOST, broker_command, format_storage, free_port, process, wait, zookeeper

CONTROLLER: Final = 100
"""The id of the controller. It does not serve clients, and stays up when brokers die."""
LISTENERS: Final = "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"
STOPS_WITHIN_S: Final = 60


class RealCluster:
    """Brokers 0 to `brokers` - 1, none of which is running yet. `at`: where ZooKeeper or the controller listens."""

    def __init__(
        self, stack: ExitStack, release: Release, mode: Mode, brokers: int, config: Mapping[str, str], folder: Path
    ) -> None:
        self._stack = stack
        self.release = release
        self._mode = mode
        self._config = config
        self._folder = folder
        self._at = free_port()
        self._ports = {node_id: free_port() for node_id in range(brokers)}
        self.addresses = {node_id: f"{HOST}:{port}" for node_id, port in self._ports.items()}
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        if mode == "zk":
            stack.enter_context(zookeeper(self._at, folder / "zookeeper"))
        else:
            self._start(CONTROLLER, self._as_controller(), self._at)

    def logs_of(self, node_id: int) -> Path:
        """The log directory of a broker."""
        return self._folder / str(node_id) / "logs"

    def start(self, node_id: int, release: Release | None = None, *, waits: bool = True) -> None:
        """Start a broker, as another release if one is given. `waits`: until it serves."""
        own = {"log.dirs": str(self.logs_of(node_id)), **self._config, **self._as_broker(node_id)}
        self._start(node_id, own, self._ports[node_id], release, waits=waits)

    def stop(self, node_id: int) -> None:
        """Stop a broker cleanly."""
        begun = self._running.pop(node_id)
        begun.terminate()
        begun.wait(STOPS_WITHIN_S)

    def kill(self, node_id: int) -> None:
        """Kill a broker without a clean stop."""
        begun = self._running.pop(node_id)
        begun.kill()
        begun.wait(STOPS_WITHIN_S)

    def _start(
        self, node_id: int, own: Mapping[str, str], port: int, release: Release | None = None, *, waits: bool = True
    ) -> None:
        folder, release = self._folder / str(node_id), self.release if release is None else release
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        properties = folder / "server.properties"
        properties.write_text("".join(f"{name}={value}\n" for name, value in own.items()), "utf-8")
        if is_new and self._mode == "kraft":
            format_storage(release, properties)
        log = folder / "server.log"
        self._running[node_id] = self._stack.enter_context(process(broker_command(release, properties), log))
        if waits:
            wait(self._running[node_id], log, port)

    def _as_broker(self, node_id: int) -> dict[str, str]:
        own = f"PLAINTEXT://{self.addresses[node_id]}"
        shared = {"listeners": own, "advertised.listeners": own}
        if self._mode == "zk":
            return shared | {"zookeeper.connect": f"{HOST}:{self._at}", "broker.id": str(node_id)}
        return shared | self._in_kraft_mode(node_id, "broker") | {"inter.broker.listener.name": "PLAINTEXT"}

    def _as_controller(self) -> dict[str, str]:
        logs = {"log.dirs": str(self.logs_of(CONTROLLER)), "listeners": f"CONTROLLER://{HOST}:{self._at}"}
        return logs | self._in_kraft_mode(CONTROLLER, "controller")

    def _in_kraft_mode(self, node_id: int, role: str) -> dict[str, str]:
        return {
            "process.roles": role,
            "node.id": str(node_id),
            "controller.quorum.voters": f"{CONTROLLER}@{HOST}:{self._at}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": LISTENERS,
        }


@contextmanager
def cluster(
    release: Release, mode: Mode, brokers: int, config: Mapping[str, str], folder: Path
) -> Iterator[RealCluster]:
    """A cluster whose brokers are still to be started; everything that runs ends with the block."""
    with ExitStack() as stack:
        yield RealCluster(stack, release, mode, brokers, config, folder)
