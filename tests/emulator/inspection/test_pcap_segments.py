"""Unusual packets."""

import struct

import pytest
from fakekafka.inspection.pcap_segments import Segment, is_capture, segments

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 101)
TCP_HEADER = struct.pack(">HHIIBBHHH", 1234, 9092, 7, 0, 5 << 4, 0x10, 0, 0, 0)


def ipv4(payload: bytes, protocol: int = 6, fragment: int = 0, size: int | None = None) -> bytes:
    whole = 20 + len(payload) if size is None else size
    return struct.pack(">BBHHHBBH", 0x45, 0, whole, 0, fragment, 64, protocol, 0) + b"\1\1\1\1\2\2\2\2" + payload


def ipv6(payload: bytes) -> bytes:
    return struct.pack(">IHBB", 6 << 28, len(payload), 6, 64) + b"\1" * 16 + b"\2" * 16 + payload


def read(*packets: bytes) -> list[Segment]:
    records = (struct.pack("<IIII", 1, 2000, len(packet), len(packet)) + packet for packet in packets)
    return list(segments(HEADER + b"".join(records)))


@pytest.mark.parametrize("packet", [ipv4(TCP_HEADER + b"data"), ipv6(TCP_HEADER + b"data")])
def test_both_versions_of_ip_are_read(packet: bytes) -> None:
    (found,) = read(packet)
    assert (found.at_ms, found.sequence, found.data) == (1002, 7, b"data")
    assert (found.source[1], found.target[1]) == (1234, 9092)


def test_ethernet_padding_is_not_data() -> None:
    assert read(ipv4(TCP_HEADER) + b"\0" * 6)[0].data == b""


def test_a_packet_that_the_network_card_splits_has_no_size() -> None:
    assert read(ipv4(TCP_HEADER + b"data", size=0))[0].data == b"data"


@pytest.mark.parametrize(
    "packet", [b"", b"\x45", ipv4(TCP_HEADER, protocol=17), ipv4(TCP_HEADER, fragment=0x2000), ipv4(b"\0" * 5)]
)
def test_other_packets_and_pieces_are_left_out(packet: bytes) -> None:
    assert read(packet) == []


@pytest.mark.parametrize(
    ("start", "is_one"), [(HEADER, True), (b"\x0a\x0d\x0d\x0a", True), (b"", False), (b"{}", False)]
)
def test_captures_are_recognised_by_their_first_bytes(start: bytes, is_one: bool) -> None:
    assert is_capture(start) == is_one
