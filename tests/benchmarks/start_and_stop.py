"""Starting a broker that clients can connect to, and stopping it.

The mock lives in a client, so a client without a mock is made and destroyed too, and its time subtracted.
"""

from statistics import median

from confluent_kafka import Producer
from fakekafka import FakeKafka

from tests.benchmarks.measuring import Row, alone, compared, in_turns, milliseconds
from tests.benchmarks.sides import QUIET, mock_owner


def start_and_stop(quick: bool = False) -> list[Row]:
    rounds = 20 if quick else 200
    for side in (_ours, _mock, _client):
        side()  # once, for late imports
    ours, mock, client = in_turns(
        rounds, lambda: milliseconds(_ours), lambda: milliseconds(_mock), lambda: milliseconds(_client)
    )
    own = [max(m - median(client), 0.01) for m in mock]
    return [
        compared("start and stop", "ms", ours, mock, at_most=1.2),
        Row("  without the client around the mock", "ms", median(ours), median(own), median(ours) / median(own)),
        alone("  FakeKafka(…) alone", "ms", [milliseconds(FakeKafka) for _ in range(rounds)]),
    ]


def _ours() -> None:
    FakeKafka().start().stop()


def _mock() -> None:
    mock_owner()


def _client() -> None:
    Producer({"bootstrap.servers": "127.0.0.1:9", **QUIET})
