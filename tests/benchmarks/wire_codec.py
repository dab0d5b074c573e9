"""How fast the codec is, against a plain one: run `python -m tests.benchmarks.wire_codec`.

The peer is what one would write first: from the same `FIELDS`, one closure per field, to and from dictionaries. It
checks nothing. Both read the same bytes and write the same bytes (asserted), in turns within one run. A ratio above 1
means that the package's codec is faster.
"""

import struct
import time
from collections.abc import Callable
from functools import cache
from itertools import repeat
from statistics import median
from typing import Any, NamedTuple

from fakekafka.pieces import joined
from fakekafka.wire.apis import fetch, heartbeat, metadata, produce
from fakekafka.wire.codec import decode, encode
from fakekafka.wire.layout import FORMATS
from fakekafka.wire.message import FieldSpec, Message, Struct

ROUNDS = 300
SECONDS_A_ROUND = 0.0005
BATCH = bytes(16384)
ONE_BYTE = [bytes([n]) for n in range(0x80)]

# ---- the peer

Plain = dict[str, Any]
PeerReader = Callable[[Any, int], tuple[Any, int]]
PeerWriter = Callable[[Any, Callable[[Any], object]], None]


def peer_decode(message: type[Message], version: int, buffer: bytearray) -> tuple[Plain, int]:
    return peer_reader(message, version)(buffer, 0)  # type: ignore[arg-type]  # mypy: is a class hashable?


def peer_encode(message: type[Message], version: int, value: Plain) -> list[Any]:
    pieces: list[Any] = []
    peer_writer(message, version)(value, pieces.append)  # type: ignore[arg-type]
    return pieces


@cache
def peer_reader(message: type[Message], version: int) -> PeerReader:
    return read_struct(message, version, version in message.FLEXIBLE)


@cache
def peer_writer(message: type[Message], version: int) -> PeerWriter:
    return write_struct(message, version, version in message.FLEXIBLE)


def read_struct(cls: type[Struct], version: int, flexible: bool) -> PeerReader:
    fields = [(n, read_field(s, version, flexible)) for n, s in cls.FIELDS.items() if s.in_place(version)]
    tags = {s.tag: (n, read_field(s, version, flexible)) for n, s in cls.FIELDS.items() if version in s.tagged}

    def read(buffer: Any, at: int) -> tuple[Any, int]:
        value = {}
        for name, read_one in fields:
            value[name], at = read_one(buffer, at)
        if flexible:
            count, at = read_uvarint(buffer, at)
            for _ in range(count):
                tag, at = read_uvarint(buffer, at)
                size, at = read_uvarint(buffer, at)
                if tag in tags:
                    name, read_one = tags[tag]
                    value[name], _ = read_one(buffer, at)
                at += size
        return value, at

    return read


def read_field(spec: FieldSpec, version: int, flexible: bool) -> PeerReader:
    if spec.is_array:
        element = spec._replace(is_array=False)
        return read_array(read_length(flexible, ">i"), read_field(element, version, flexible))
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            return read_struct(spec.struct, version, flexible)
        case "string":
            return read_string(read_length(flexible, ">h"))
        case "records":
            return read_records(read_length(flexible, ">i"))
        case "binary":
            return read_binary(read_length(flexible, ">i"))
        case kind:
            return read_fixed(">" + FORMATS[kind])


def read_fixed(format_: str) -> PeerReader:
    fixed = struct.Struct(format_)
    unpack, size = fixed.unpack_from, fixed.size
    return lambda buffer, at: (unpack(buffer, at)[0], at + size)


def read_uvarint(buffer: Any, at: int) -> tuple[int, int]:
    byte = buffer[at]
    at += 1
    if byte < 0x80:
        return byte, at
    value = byte & 0x7F
    shift = 7
    while True:
        byte = buffer[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def read_length(flexible: bool, format_: str) -> PeerReader:
    def read(buffer: Any, at: int) -> tuple[int, int]:
        length, at = read_uvarint(buffer, at)
        return length - 1, at

    return read if flexible else read_fixed(format_)


def read_string(length_of: PeerReader) -> PeerReader:
    def read(buffer: Any, at: int) -> tuple[Any, int]:
        length, at = length_of(buffer, at)
        if length < 0:
            return None, at
        return str(buffer[at : at + length], "utf-8"), at + length

    return read


def read_binary(length_of: PeerReader) -> PeerReader:
    def read(buffer: Any, at: int) -> tuple[Any, int]:
        length, at = length_of(buffer, at)
        return (None, at) if length < 0 else (bytes(buffer[at : at + length]), at + length)

    return read


def read_records(length_of: PeerReader) -> PeerReader:
    def read(buffer: Any, at: int) -> tuple[Any, int]:
        length, at = length_of(buffer, at)
        return (None, at) if length < 0 else (memoryview(buffer)[at : at + length], at + length)

    return read


def read_array(length_of: PeerReader, read_one: PeerReader) -> PeerReader:
    def read(buffer: Any, at: int) -> tuple[Any, int]:
        count, at = length_of(buffer, at)
        if count < 0:
            return None, at
        values = []
        for _ in range(count):
            value, at = read_one(buffer, at)
            values.append(value)
        return values, at

    return read


def write_struct(cls: type[Struct], version: int, flexible: bool) -> PeerWriter:
    fields = [(n, write_field(s, version, flexible)) for n, s in cls.FIELDS.items() if s.in_place(version)]
    tags = [
        (s.tag or 0, n, plain(s.default), write_field(s, version, flexible))
        for n, s in cls.FIELDS.items()
        if version in s.tagged
    ]

    def write(value: Any, append: Callable[[Any], object]) -> None:
        for name, write_one in fields:
            write_one(value[name], append)
        if flexible:
            present = [(tag, name, write_one) for tag, name, default, write_one in tags if value[name] != default]
            append(uvarint(len(present)))
            for tag, name, write_one in present:
                pieces: list[Any] = []
                write_one(value[name], pieces.append)
                payload = b"".join(pieces)
                append(uvarint(tag) + uvarint(len(payload)) + payload)

    return write


def write_field(spec: FieldSpec, version: int, flexible: bool) -> PeerWriter:
    if spec.is_array:
        element = spec._replace(is_array=False)
        return write_array(write_length(flexible, ">i"), write_field(element, version, flexible))
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            return write_struct(spec.struct, version, flexible)
        case "string":
            return write_string(write_length(flexible, ">h"))
        case "binary" | "records":
            return write_bytes(write_length(flexible, ">i"))
        case kind:
            pack = struct.Struct(">" + FORMATS[kind]).pack
            return lambda value, append: append(pack(value))  # type: ignore[return-value]


def uvarint(value: int) -> bytes:
    if value < 0x80:
        return ONE_BYTE[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def write_length(flexible: bool, format_: str) -> Callable[[int], bytes]:
    return (lambda n: uvarint(n + 1)) if flexible else struct.Struct(format_).pack


def write_string(length_of: Callable[[int], bytes]) -> PeerWriter:
    def write(value: Any, append: Callable[[Any], object]) -> None:
        if value is None:
            append(length_of(-1))
            return
        data = value.encode()
        append(length_of(len(data)))
        append(data)

    return write


def write_bytes(length_of: Callable[[int], bytes]) -> PeerWriter:
    def write(value: Any, append: Callable[[Any], object]) -> None:
        if value is None:
            append(length_of(-1))
            return
        append(length_of(len(value)))
        append(value)

    return write


def write_array(length_of: Callable[[int], bytes], write_one: PeerWriter) -> PeerWriter:
    def write(value: Any, append: Callable[[Any], object]) -> None:
        if value is None:
            append(length_of(-1))
            return
        append(length_of(len(value)))
        for element in value:
            write_one(element, append)

    return write


def plain(value: Any) -> Any:
    """A message as the peer represents it: dictionaries and lists."""
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.FIELDS}
    return [plain(x) for x in value] if isinstance(value, (list, tuple)) else value


# ---- what is measured


class Row(NamedTuple):
    name: str
    ours_us: float
    peer_us: float
    ratio: float
    """How many times faster ours is than the peer."""


def samples() -> dict[str, tuple[Message, int]]:
    """The messages to measure, with their versions, by name."""
    found: dict[str, tuple[Message, int]] = {
        "Produce v9 request": (produce_request(), 9),
        "Produce v9 response": (produce_response(), 9),
        "Heartbeat v4 request": (heartbeat.HeartbeatRequest(group_id="group", generation_id=3, member_id="m-1"), 4),
        "Metadata v12 response, 100": (metadata_response(100), 12),
    }
    for version in (11, 12):
        for partitions in (1, 100):
            found[f"Fetch v{version} request, {partitions}"] = fetch_request(partitions), version
            found[f"Fetch v{version} response, {partitions}"] = fetch_response(partitions), version
    return found


def produce_request() -> produce.ProduceRequest:
    partition = produce.PartitionProduceData(index=3, records=BATCH)
    topic = produce.TopicProduceData(name="orders", partition_data=[partition])
    return produce.ProduceRequest(acks=-1, timeout_ms=30000, topic_data=[topic])


def produce_response() -> produce.ProduceResponse:
    partition = produce.PartitionProduceResponse(index=3, base_offset=4711, log_start_offset=0)
    return produce.ProduceResponse(
        responses=[produce.TopicProduceResponse(name="orders", partition_responses=[partition])]
    )


def fetch_request(partitions: int) -> fetch.FetchRequest:
    asked = [fetch.FetchPartition(partition=n, fetch_offset=17, partition_max_bytes=1 << 20) for n in range(partitions)]
    return fetch.FetchRequest(max_wait_ms=500, min_bytes=1, topics=[fetch.FetchTopic(topic="orders", partitions=asked)])


def fetch_response(partitions: int) -> fetch.FetchResponse:
    found = [fetch.PartitionData(partition_index=n, high_watermark=4711, records=BATCH) for n in range(partitions)]
    return fetch.FetchResponse(responses=[fetch.FetchableTopicResponse(topic="orders", partitions=found)])


def metadata_response(partitions: int) -> metadata.MetadataResponse:
    broker = metadata.MetadataResponseBroker(node_id=0, host="127.0.0.1", port=9092)
    found = [
        metadata.MetadataResponsePartition(partition_index=n, replica_nodes=[0], isr_nodes=[0])
        for n in range(partitions)
    ]
    topic = metadata.MetadataResponseTopic(name="orders", partitions=found)
    return metadata.MetadataResponse(brokers=[broker], cluster_id="cluster", controller_id=0, topics=[topic])


def run(rounds: int = ROUNDS) -> list[Row]:
    """Two rows for each sample: decoding and encoding."""
    return [row for name, (message, version) in samples().items() for row in measure(name, message, version, rounds)]


def measure(name: str, message: Message, version: int, rounds: int) -> list[Row]:
    cls = type(message)
    buffer = bytearray(joined(encode(message, version)))
    as_dict = plain(message)
    assert b"".join(peer_encode(cls, version, as_dict)) == buffer, "both write the same"
    assert decode(cls, version, buffer)[1] == peer_decode(cls, version, buffer)[1] == len(buffer), "both read the same"
    decoding = race(lambda: decode(cls, version, buffer), lambda: peer_decode(cls, version, buffer), rounds)
    encoding = race(lambda: encode(message, version), lambda: peer_encode(cls, version, as_dict), rounds)
    return [Row(f"{name} decode", *decoding), Row(f"{name} encode", *encoding)]


def race(ours: Callable[[], object], peer: Callable[[], object], rounds: int) -> tuple[float, float, float]:
    """Microseconds per call of ours and of the peer, in the best round, and the median of the ratios.

    Rounds are short and each gives a ratio, so that changes in the machine's speed disturb few of them.
    """
    calls = max(2, round(SECONDS_A_ROUND / max(timed(ours, 10), 1e-7)))
    times = [(timed(ours, calls), timed(peer, calls)) for _ in range(rounds)]
    return min(o for o, _ in times) * 1e6, min(p for _, p in times) * 1e6, median(p / o for o, p in times)


def timed(function: Callable[[], object], calls: int) -> float:
    """Seconds per call."""
    started = time.perf_counter()
    for _ in repeat(None, calls):
        function()
    return (time.perf_counter() - started) / calls


def main() -> None:
    for row in run():
        print(f"{row.name:36} {row.ours_us:8.2f} us   peer {row.peer_us:8.2f} us   ratio {row.ratio:5.2f}")


if __name__ == "__main__":
    main()
