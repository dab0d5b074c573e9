"""How long a client waits for its answer while another one keeps the broker as busy as it can.

Broker, load and the client that asks are three processes. A new client connects and asks, again and again; the longest
and the median of these times count. "Nobody else" is the machine's part. The broker's longest turn is given in CPU
time, so that a busy machine does not change it.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final

from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.frames import request_frame

from tests.benchmarks.loads import LOADS, TOPIC, Address, fill
from tests.benchmarks.measuring import Row

PARTITIONS: Final = 2000
AT_MOST_MS: Final = 50
ASK: Final = request_frame(ApiVersionsRequest(), 0, 1, "other")


def others_latency(quick: bool = False) -> list[Row]:
    rows = []
    for name, load in LOADS.items():
        times, turns = asked_beside(name, load.release, 20 if quick else 100)
        longest = max(times)
        rows += [
            Row(f"beside {load.what}, median", "ms", median(times)),
            Row("  the longest", "ms", longest, goal=f"at most {AT_MOST_MS} ms", reached=longest <= AT_MOST_MS),
            Row("  the broker's longest turn, CPU, loading modules included", "ms", turns["turn"]),
            Row("  its longest pass over turns, CPU", "ms", turns["pass"]),
        ]
    return rows


def asked_beside(load: str, release: str, rounds: int) -> tuple[list[float], dict[str, float]]:
    """How long each of the new clients waited, in milliseconds, and the longest turn and pass."""
    topic = f"{TOPIC}:{PARTITIONS}"
    command = [sys.executable, "-m", "tests.benchmarks.turn_times", "--port", "0", "--release", release]
    with subprocess.Popen(
        [*command, "--topic", topic], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as broker:
        assert broker.stdout is not None
        assert broker.stderr is not None
        host, _, port = broker.stdout.readline().split()[0].rpartition(":")
        address = host, int(port)
        asked_ms(address)  # so that the handler is loaded
        if load != "nobody":
            fill(address)
        with loaded(load, address):
            times = [asked_ms(address) for _ in range(rounds)]
        broker.terminate()
        turns: dict[str, float] = json.loads(broker.stderr.read().splitlines()[-1])
    return times, turns


@contextmanager
def loaded(load: str, address: Address) -> Iterator[None]:
    """Put a load on the broker, from a separate process."""
    command = [sys.executable, "-m", "tests.benchmarks.loads", load, address[0], str(address[1])]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def asked_ms(address: Address) -> float:
    """How long a new client waits for its first answer, connecting included."""
    started = time.perf_counter()
    with socket.create_connection(address, timeout=60) as client:
        client.sendall(ASK)
        assert client.recv(4)
    return (time.perf_counter() - started) * 1000
