"""pcapng files: one that tshark wrote, and others made here."""

import lzma
import random
import struct
from pathlib import Path

import pytest
from fakekafka.bugs.signs.of_journals import diagnose_journal
from fakekafka.errors import UsageError
from fakekafka.inspection.captured_requests import captured_requests
from fakekafka.inspection.pcapng_packets import INTERFACE, PACKET, SECTION, Packet, packets

CAPTURE = lzma.decompress((Path(__file__).parent / "pykafka-2.8.0-kafka_6739.pcapng.xz").read_bytes())
"""What tshark wrote while pykafka 2.8.0 read what the story of KAFKA-6739 had left behind on 1.0.1."""


def block(order: str, kind: int, body: bytes) -> bytes:
    size = len(body) + 12
    return struct.pack(order + "II", kind, size) + body + struct.pack(order + "I", size)


def section(order: str) -> bytes:
    body = struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)
    size = struct.pack(order + "I", len(body) + 12)
    return SECTION + size + body + size


def interface(order: str, link: int, resolution: int | None = None) -> bytes:
    options = b"" if resolution is None else struct.pack(order + "HHB3xHH", 9, 1, resolution, 0, 0)
    return block(order, INTERFACE, struct.pack(order + "HHI", link, 0, 0) + options)


def packet(order: str, number: int, time: int, data: bytes) -> bytes:
    head = struct.pack(order + "IIIII", number, time >> 32, time & 0xFFFFFFFF, len(data), len(data))
    return block(order, PACKET, head + data + bytes(-len(data) % 4))


def test_a_capture_by_tshark_is_diagnosed() -> None:
    found = captured_requests(CAPTURE)
    assert {line.api for line in found} >= {"Metadata", "Fetch"}
    assert {one.bug for one in diagnose_journal(found)} == {"KAFKA-6739"}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("resolution", "units_per_ms"), [(None, 1000), (9, 1_000_000), (3, 1), (0x80 | 10, 1.024)])
def test_time_is_in_the_unit_of_the_interface(order: str, resolution: int | None, units_per_ms: float) -> None:
    data = section(order) + interface(order, 1) + interface(order, 101, resolution)
    data += packet(order, 1, int(1_600_000_000_000 * units_per_ms), b"abcde")
    assert list(packets(data)) == [Packet(1_600_000_000_000, 101, b"abcde")]


def test_each_section_has_its_own_interfaces() -> None:
    data = section("<") + interface("<", 1) + section(">") + interface(">", 101) + packet(">", 0, 2000, b"abcd")
    assert list(packets(data)) == [Packet(2, 101, b"abcd")]


def test_other_blocks_and_packets_of_unknown_interfaces_are_left_out() -> None:
    data = section("<") + block("<", 5, b"\0" * 8) + interface("<", 1) + packet("<", 7, 0, b"") + packet("<", 0, 0, b"")
    assert list(packets(data)) == [Packet(0, 1, b"")]


def test_damaged_files_are_read_or_refused() -> None:
    chance = random.Random(7)
    for _ in range(60):
        damaged = bytearray(CAPTURE[: chance.randrange(len(CAPTURE))])
        for _ in range(3 if damaged else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            captured_requests(bytes(damaged))
        except UsageError:
            continue
