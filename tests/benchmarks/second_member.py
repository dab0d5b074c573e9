"""How long a second member's join takes, with a client's usual settings and with `client_config(quick=True)`.

From making the second consumer until both have their share. The first one learns about it with its next heartbeat,
every three seconds or ten times a second, and this is where the time goes.
"""

import time
from typing import Final

from fakekafka import FakeKafka

from tests.benchmarks.measuring import Row, alone
from tests.support.polled import POLLS, has_partitions, members

TOPIC: Final = "orders"
GROUP: Final = "shop"
AT_MOST_MS: Final = 500


def second_member(quick: bool = False) -> list[Row]:
    rounds = 3 if quick else 10
    return [
        row
        for client in POLLS
        for row in (
            alone(f"second member with {client}", "ms", [join_ms(client, False) for _ in range(min(rounds, 3))]),
            alone("  quick=True", "ms", [join_ms(client, True) for _ in range(rounds)], AT_MOST_MS),
        )
    ]


def join_ms(client: str, quick: bool) -> float:
    """The join of one second member."""
    with FakeKafka(topics={TOPIC: 2}) as kafka, members(kafka, client, GROUP, quick=quick) as group:
        group.join("first")
        assert has_partitions(kafka, GROUP, ["orders-0", "orders-1"])
        kafka.settle(GROUP, members=1, timeout=30)
        started = time.perf_counter()
        group.join("second")
        settled = kafka.settle(GROUP, members=2, timeout=30)
        while sorted(len(member.partitions) for member in settled.members) != [1, 1]:  # aiokafka begins with none
            settled = kafka.settle(GROUP, members=2, timeout=30)
        return (time.perf_counter() - started) * 1000
