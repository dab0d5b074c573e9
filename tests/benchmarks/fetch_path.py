"""What a fetch costs the broker: run `python -m tests.benchmarks.fetch_path`.

CPU time of the handler alone, without codec and sockets, for one partition and for each further one. The best of many
rounds counts. What conversions cost is in `converting.py`.
"""

import time
from collections.abc import Callable

from fakekafka import FakeKafka, ManualClock
from fakekafka.handlers.call import Call
from fakekafka.handlers.fetch import handle
from fakekafka.ids import ApiKey, Offset
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

from tests.support.seeded import NOW, batch, broker_of, store

PARTITIONS = 100
VERSION = 12
ROUNDS = 25
END: Offset = 8


class Header:
    key, version, correlation_id, client_id = ApiKey.FETCH, VERSION, 0, None


def best(run: Callable[[], object], times: int) -> float:
    """Microseconds of CPU for one run."""
    found = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            run()
        found.append((time.process_time() - start) / times * 1e6)
    return min(found)


def request(partitions: int, offset: Offset, max_wait_ms: int) -> FetchRequest:
    asked = [
        FetchPartition(partition=n, fetch_offset=offset, partition_max_bytes=1 << 20, current_leader_epoch=0)
        for n in range(partitions)
    ]
    topics = [FetchTopic(topic="t", partitions=asked)]
    return FetchRequest(max_wait_ms=max_wait_ms, min_bytes=1, topics=topics)


def handling() -> None:
    """Print the handler's costs, by what it finds."""
    kafka = FakeKafka("3.9", clock=ManualClock(NOW), topics={"t": PARTITIONS}).boot()
    for index in range(PARTITIONS):
        store(kafka, *(batch(n) for n in range(0, END, 2)), index=index)
    call = Call(broker_of(kafka), Header(), "", 1, NOW)
    for what, offset, max_wait_ms in (("records", 0, 500), ("nothing, answered", END, 0), ("nothing, waits", END, 500)):
        one, many = request(1, offset, max_wait_ms), request(PARTITIONS, offset, max_wait_ms)
        first = best(lambda one=one: handle(one, call), 300)  # type: ignore[misc]
        rest = best(lambda many=many: handle(many, call), 10) - first  # type: ignore[misc]
        print(f"{what:20} {first:6.1f} us, each further partition {rest / (PARTITIONS - 1):5.2f} us")
    session(call)


def session(call: Call) -> None:
    """Print the cost of incremental requests in a session in which nothing happens."""
    full = request(PARTITIONS, END, 0)
    full.session_epoch = 0
    answer = handle(full, call)
    assert isinstance(answer, FetchResponse)
    asked = FetchRequest(max_wait_ms=0, min_bytes=1, session_id=answer.session_id, session_epoch=0, topics=[])

    def poll() -> None:
        asked.session_epoch += 1
        handle(asked, call)

    print(f"{'quiet session':20} {best(poll, 10) / PARTITIONS:6.2f} us for each partition")


if __name__ == "__main__":
    handling()
