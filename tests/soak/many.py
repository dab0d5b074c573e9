"""What many clients cost: `python -m tests.soak.many [--connections 10000] [--members 1000]`.

First, connections that are idle after one answer, in memory and CPU time; then members of one classic group, until each
has its assignment. The broker runs in a separate process. The exit status is 1 if a bound is broken.
"""

import argparse
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse
from fakekafka.wire.apis.sync_group import SyncGroupRequest, SyncGroupRequestAssignment, SyncGroupResponse
from fakekafka.wire.frames import read_response, request_frame
from fakekafka.wire.message import Request, Response

CONNECTION_KB: Final = 20
MEMBERS_S: Final = 60
"""CPU time until all members have an assignment."""
SPARE_FILES: Final = 100
R = TypeVar("R", bound=Response)


class Broker(NamedTuple):
    """A broker that runs."""

    address: tuple[str, int]
    process: int

    def resident_kib(self) -> int:
        """The broker's memory."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text("ascii").split()[1])
        return pages * resource.getpagesize() // 1024

    def cpu_s(self) -> float:
        """The broker's CPU time so far."""
        times = Path(f"/proc/{self.process}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Broker]:
    command = [sys.executable, "-m", "fakekafka", "serve", "--port", "0", "--release", "3.9", "--topic", "t:1000"]
    command += ["--config", "group.initial.rebalance.delay.ms=3000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        host, _, port = process.stdout.readline().split()[0].rpartition(":")
        try:
            yield Broker((host, int(port)), process.pid)
        finally:
            process.terminate()


def connected(broker: Broker, stack: ExitStack, count: int) -> list[socket.socket]:
    """New connections. Past 20,000 the ports of one loopback address would run out, so each thousand has its own."""
    return [
        stack.enter_context(socket.create_connection(broker.address, 60, (f"127.0.0.{2 + n // 1000}", 0)))
        for n in range(count)
    ]


def answered(client: socket.socket) -> bytes:
    """The next answer."""
    return received(client, int.from_bytes(received(client, 4), "big"))


def received(client: socket.socket, size: int) -> bytes:
    """Read the next `size` bytes."""
    data = bytearray()
    while len(data) < size:
        came = client.recv(size - len(data))
        if not came:
            raise ConnectionResetError
        data += came
    return bytes(data)


def ask_all(clients: Sequence[socket.socket], requests: Sequence[Request], version: int, kind: type[R]) -> list[R]:
    """Send everything, then wait for all answers."""
    for client, request in zip(clients, requests, strict=True):
        client.sendall(request_frame(request, version, 1, "many"))
    return [read_response(kind, version, answered(client))[1] for client in clients]


def connections(count: int) -> list[str]:
    """Open connections that ask once, and return what is wrong."""
    with serving() as broker, ExitStack() as stack:
        first = connected(broker, stack, 10)
        for client in first:
            client.sendall(request_frame(ApiVersionsRequest(), 0, 1, "many"))
            answered(client)
        before = broker.resident_kib()
        clients = connected(broker, stack, count)
        for client in clients:
            client.sendall(request_frame(ApiVersionsRequest(), 0, 1, "many"))
            answered(client)
        each = (broker.resident_kib() - before) / count
        cpu = broker.cpu_s()
        time.sleep(5)
        idle = (broker.cpu_s() - cpu) / 5 * 1000
        print(f"{count} connections: {each:.1f} KiB each (at most {CONNECTION_KB}); idle: {idle:.1f} ms CPU a second")
        return [f"{each:.1f} KiB a connection"] if each > CONNECTION_KB else []


def members(count: int) -> list[str]:
    """Have members join one group, and return what is wrong."""
    with serving() as broker, ExitStack() as stack:
        clients = connected(broker, stack, count)
        protocol = JoinGroupRequestProtocol(name="range", metadata=bytes(100))
        join = JoinGroupRequest(
            group_id="g",
            session_timeout_ms=60_000,
            rebalance_timeout_ms=60_000,
            member_id="",
            protocol_type="consumer",
            protocols=[protocol],
        )
        while ask_all(clients[:1], [FindCoordinatorRequest(key="g")], 0, FindCoordinatorResponse)[0].error_code:
            time.sleep(0.1)
        cpu, began = broker.cpu_s(), time.monotonic()
        joined = ask_all(clients, [join] * count, 2, JoinGroupResponse)
        if refused := {answer.error_code for answer in joined} - {0}:
            return [f"members are refused: {refused}"]
        generation = joined[0].generation_id
        everybody = [answer.member_id for answer in joined]
        assignments = [SyncGroupRequestAssignment(member_id=member, assignment=bytes(50)) for member in everybody]
        syncs = [
            SyncGroupRequest(
                group_id="g",
                generation_id=generation,
                member_id=answer.member_id,
                assignments=assignments if answer.member_id == answer.leader else [],
            )
            for answer in joined
        ]
        synced = ask_all(clients, syncs, 0, SyncGroupResponse)
        spent = broker.cpu_s() - cpu
        assigned = sum(answer.assignment == bytes(50) for answer in synced)
        print(
            f"{count} members: {assigned} have an assignment of generation {generation} after"
            f" {time.monotonic() - began:.1f} s, {spent:.2f} s CPU (at most {MEMBERS_S})"
        )
        return [] if assigned == count and spent <= MEMBERS_S else [f"{assigned} assigned, {spent:.1f} s CPU"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both and return the exit status."""
    parser = argparse.ArgumentParser("many", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--members", type=int, default=1000)
    options = parser.parse_args(arguments)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the broker inherits it
    if most < options.connections + SPARE_FILES:
        parser.error(f"the system allows {most} open files: `ulimit -Hn` must be more than {options.connections}")
    problems = connections(options.connections) + members(options.members)
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
