"""What the largest requests cost the broker: each API with each of its arrays grown to 64 KiB, CPU and memory.

The elements all name something that exists, or each names something else; the more expensive way is shown, for the most
expensive APIs only. What each may cost is in `allowances.py`.
"""

import time
import tracemalloc
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import ApiKey
from fakekafka.server.connection import State
from fakekafka.wire.apis import request_class
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import FieldSpec, Request, Struct

from tests.benchmarks.allowances import allowed
from tests.benchmarks.measuring import Row

RELEASES: Final = ("2.3", "3.9", "4.3")
SIZE: Final = 1 << 16
SHOWN: Final = 12
WORDS: Final = {"resource_name": "0", "config_name": "retention.ms", "configuration_keys": "retention.ms"}
NUMBERS: Final = {"num_partitions": 1, "replication_factor": 1, "count": 2, "resource_type": 4, "acks": 1}


class Cost(NamedTuple):
    """What one request cost."""

    cpu_ms: float
    memory_mib: float
    what: str


def largest_requests(quick: bool = False) -> list[Row]:
    rows = []
    for release in RELEASES[1:2] if quick else RELEASES:
        costs = sorted(costs_of(release), reverse=True)
        dearest = max(costs, key=lambda cost: cost.memory_mib)
        rows += [_row(release, cost.what, "ms CPU", cost.cpu_ms, allowed(cost.what)[0]) for cost in costs[:SHOWN]]
        rows.append(_row(release, dearest.what, "MiB", dearest.memory_mib, allowed(dearest.what)[1]))
    return rows


def _row(release: str, what: str, unit: str, cost: float, most: int) -> Row:
    return Row(f"{release}: {what}", unit, cost, goal=f"at most {most} {unit.split()[0]}", reached=cost <= most)


def costs_of(release: str, size: int = SIZE) -> Iterator[Cost]:
    """The costs of every API with every array, by the more expensive way to fill it."""
    kafka = FakeKafka(release).boot()
    accepted = kafka.connect().core.cluster.brokers[0].accepted
    kafka.stop()
    for key, (_, version) in accepted.items():
        cls = request_class(key)
        for path in arrays(cls, version):
            yield max(_cost(release, key, version, path, size, distinct=distinct) for distinct in (False, True))


def arrays(cls: type[Struct], version: int) -> Iterator[tuple[str, ...]]:
    """The arrays of a message, as the names that lead to them."""
    for name, spec in cls.FIELDS.items():
        if version not in spec.versions or spec.kind == "records":
            continue
        if spec.is_array:
            yield (name,)
        if spec.struct is not None:
            yield from ((name, *rest) for rest in arrays(spec.struct, version))


def grown(cls: type[Struct], version: int, path: tuple[str, ...], count: int, *, distinct: bool) -> Any:
    """A message whose array at `path` has `count` elements, and every other array one."""
    return cls(**{
        name: _value(name, spec, version, path[1:] if path[:1] == (name,) else None, count, distinct)
        for name, spec in cls.FIELDS.items()
        if version in spec.versions
    })  # fmt: skip


def _value(
    name: str, spec: FieldSpec, version: int, path: tuple[str, ...] | None, count: int, distinct: bool, n: int = 0
) -> Any:
    if spec.is_array:
        single = spec._replace(is_array=False)
        number = count if path == () else 1
        inside = path or None
        return [_value(name, single, version, inside, count, distinct, i if distinct else 0) for i in range(number)]
    if spec.struct is not None:
        fields = {
            inner: _value(inner, one, version, path[1:] if path and path[0] == inner else None, count, distinct, n)
            for inner, one in spec.struct.FIELDS.items()
            if version in one.versions
        }
        return spec.struct(**fields)
    if spec.kind == "string":
        word = WORDS.get(name, "t" if "topic" in name or name == "name" else "g")
        return f"{word}{n}" if n else word
    if spec.kind == "records":
        return b""
    if spec.kind == "binary":
        return b""
    if spec.kind == "uuid":
        return n.to_bytes(16, "big")
    if spec.kind == "boolean":
        return False
    if spec.kind == "float64":
        return 1.0
    return NUMBERS.get(name, n % 100 if spec.kind in ("int8", "int16") else n)


def _cost(release: str, key: ApiKey, version: int, path: tuple[str, ...], size: int, *, distinct: bool) -> Cost:
    cls = request_class(key)
    one, two = (len(encode_bytes(grown(cls, version, path, n, distinct=False), version)) for n in (1, 2))
    count = max(1, (size - one) // max(1, two - one))
    while len(encode_bytes(body := grown(cls, version, path, count, distinct=distinct), version)) > size:
        count = count * 9 // 10
    frame = request_frame(body, version, 1, "large")
    kafka = FakeKafka(release, clock=ManualClock(), topics={"t": 1}).boot()
    try:
        client = kafka.connect()
        client.send(request_frame(_small(cls, version, path), version, 0, "large"))  # loads modules
        client = kafka.connect() if client.closed or client.connection.state is not State.OPEN else client
        tracemalloc.start()
        client.send(frame)
        peak = tracemalloc.get_traced_memory()[1] / (1 << 20)
        tracemalloc.stop()
        kafka.reset()
        client = kafka.connect()
        began = time.process_time()
        client.send(frame)
        cpu_ms = (time.process_time() - began) * 1000
        return Cost(cpu_ms, peak, f"{key.name} v{version}, {count} {'other ' if distinct else ''}{'.'.join(path)}")
    finally:
        kafka.stop()


def _small(cls: type[Request], version: int, path: tuple[str, ...]) -> Any:
    return grown(cls, version, path, 1, distinct=False)
