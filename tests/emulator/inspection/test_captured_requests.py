"""Requests out of packet captures."""

import random
import struct
from pathlib import Path

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.inspection.captured_requests import captured_requests
from fakekafka.inspection.pcap_segments import FILE_HEADER_BYTES
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import request_frame

from tests.support.faults import NOW, asked_on_two_connections, produce

PACKET_HEADER = 16
RAW_IPV4 = 228
ETHERNET = 1


@pytest.fixture
def kafka() -> FakeKafka:
    return asked_on_two_connections()


@pytest.fixture
def capture(kafka: FakeKafka, tmp_path: Path) -> bytes:
    kafka.requests.to_pcap(tmp_path / "c.pcap")
    return (tmp_path / "c.pcap").read_bytes()


def packets(data: bytes) -> list[bytes]:
    found, at = [], FILE_HEADER_BYTES
    while at < len(data):
        (kept,) = struct.unpack_from("<I", data, at + 8)
        found.append(data[at : at + PACKET_HEADER + kept])
        at += PACKET_HEADER + kept
    return found


def asked(data: bytes) -> list[tuple[str, int, str | None, bool]]:
    return [(line.api, line.version, line.client_id, line.response is not None) for line in captured_requests(data)]


WHOLE = [
    ("ApiVersions", 2, "producer", True),
    ("Metadata", 8, "producer", True),
    ("Fetch", 11, "consumer", True),
    ("Produce", 7, "producer", True),
]


def test_a_capture_has_what_the_journal_has(kafka: FakeKafka, capture: bytes, tmp_path: Path) -> None:
    kafka.requests.to_jsonl(tmp_path / "j.jsonl")
    found = captured_requests(capture)
    assert asked(capture) == WHOLE
    assert [line.at_ms for line in found] == [NOW, NOW, NOW, NOW + 5]
    assert [line.took_ms for line in found] == [0, 0, 5, 0]
    assert found[2].request["topics"][0]["topic"] == "orders"


def test_packets_may_be_captured_twice_and_out_of_order(capture: bytes) -> None:
    handshakes = [packet for packet in packets(capture) if len(packet) == PACKET_HEADER + 40]
    rest = packets(capture) * 2
    random.Random(1).shuffle(rest)
    assert sorted(asked(capture[:FILE_HEADER_BYTES] + b"".join(handshakes + rest))) == sorted(WHOLE)


def test_connections_that_are_older_than_the_capture_are_read_from_the_next_frame_on(capture: bytes) -> None:
    later = [packet for packet in packets(capture) if len(packet) > PACKET_HEADER + 40]
    half = later[0][: PACKET_HEADER + 40] + later[0][-3:]  # the end of an incomplete request
    size = struct.pack("<II", len(half) - PACKET_HEADER, len(half) - PACKET_HEADER)
    half = half[:8] + size + half[16:18] + struct.pack(">H", len(half) - PACKET_HEADER) + half[20:]
    sequence = struct.unpack_from(">I", half, 40)[0] + len(later[0]) - len(half)
    half = half[:40] + struct.pack(">I", sequence) + half[44:]
    assert asked(capture[:FILE_HEADER_BYTES] + half + b"".join(later[1:])) == WHOLE[1:]


def test_a_gap_ends_the_reading_of_a_connection(capture: bytes) -> None:
    all_of_them = packets(capture)
    data = [n for n, packet in enumerate(all_of_them) if len(packet) > PACKET_HEADER + 40]
    del all_of_them[data[2]]  # the second request of the first connection
    assert asked(capture[:FILE_HEADER_BYTES] + b"".join(all_of_them)) == [WHOLE[0], WHOLE[2]]


def test_answers_to_requests_of_one_correlation_id_are_told_apart_by_their_order(tmp_path: Path) -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}).boot()
    client = kafka.connect()
    for request, version in (
        (ApiVersionsRequest(), 0),
        (produce(("orders", 0), acks=0), 7),
        (MetadataRequest(topics=None), 8),
        (produce(("orders", 0)), 7),
    ):
        client.send(request_frame(request, version, 1, "always one"))
    kafka.requests.to_pcap(tmp_path / "c.pcap")
    found = captured_requests((tmp_path / "c.pcap").read_bytes())
    assert [(line.api, None if line.response is None else sorted(line.response)[0]) for line in found] == [
        ("ApiVersions", "api_keys"),
        ("Produce", None),
        ("Metadata", "brokers"),
        ("Produce", "responses"),
    ]


def test_a_missing_answer_is_reported(capture: bytes) -> None:
    *before, _ = packets(capture)
    (line,) = [one for one in captured_requests(capture[:FILE_HEADER_BYTES] + b"".join(before)) if one.response is None]
    assert line.error == "no answer yet"


def test_ethernet_and_the_other_byte_order_are_read(capture: bytes) -> None:
    header = struct.pack(">IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, ETHERNET)
    rewritten = []
    for packet in packets(capture):
        seconds, fraction, kept, _ = struct.unpack_from("<IIII", packet)
        head = struct.pack(">IIII", seconds, fraction * 1000, kept + 14, kept + 14)
        rewritten.append(head + b"\0" * 12 + b"\x08\0" + packet[PACKET_HEADER:])
    assert captured_requests(header + b"".join(rewritten)) == captured_requests(capture)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "neither a pcap nor a pcapng file"),
        (b"\x0a\x0d\x0d\x0a" + b"\0" * 40, "no request of Kafka"),
        (struct.pack("<IHHiIIIIIII", 0xA1B2C3D4, 2, 4, 0, 0, 1, 147, 0, 0, 0, 0), "link type 147"),
        (struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1, RAW_IPV4), "no request of Kafka"),
    ],
)
def test_a_file_without_requests_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        captured_requests(data)


def test_damaged_captures_are_read_or_refused(capture: bytes) -> None:
    chance, whole = random.Random(7), captured_requests(capture)
    for _ in range(150):
        damaged = bytearray(capture)
        for _ in range(3):
            damaged[chance.randrange(FILE_HEADER_BYTES, len(damaged))] = chance.randrange(256)
        try:
            found = captured_requests(bytes(damaged[: chance.randrange(len(damaged))]))
        except UsageError:
            continue
        assert len(found) <= len(whole)
