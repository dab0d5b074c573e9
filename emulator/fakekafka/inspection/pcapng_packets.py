"""Packet captures in pcapng, the format that Wireshark and tshark write unless they are told otherwise.

A file is a sequence of blocks: type, size, body, size again. A section header gives the byte order of what follows, and
ends the list of interfaces so far; an interface has a link type, and maybe its own unit of time; packets name their
interface.

Source: the pcapng format (draft-ietf-opsawg-pcapng).
"""

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from fakekafka.ids import TimestampMs

SECTION: Final = b"\x0a\x0d\x0d\x0a"
LITTLE_ENDIAN: Final = b"\x4d\x3c\x2b\x1a"
INTERFACE, PACKET = 1, 6
FRAME_BYTES: Final = 12
"""The type and both sizes of a block."""
PACKET_HEADER: Final = "IIIII"
"""Interface, upper and lower half of the time, bytes kept, bytes on the wire."""
RESOLUTION: Final = 9
"""The option of an interface that gives its unit of time."""
MICROSECONDS: Final = 6


class Packet(NamedTuple):
    """A packet, from its link's header on."""

    at_ms: TimestampMs
    link: int
    """The type of the link on which it was captured."""
    data: bytes


class Interface(NamedTuple):
    """Where packets were captured."""

    link: int
    units_per_s: int


def packets(data: bytes) -> Iterator[Packet]:
    """The packets of a pcapng file, up to where it was cut off; packets without a time are left out."""
    at, order, interfaces = 0, "<", list[Interface]()
    while at + FRAME_BYTES <= len(data):
        if data[at : at + 4] == SECTION:
            order, interfaces = "<" if data[at + 8 : at + 12] == LITTLE_ENDIAN else ">", []
        kind, size = struct.unpack_from(order + "II", data, at)
        if size < FRAME_BYTES or at + size > len(data):
            return
        body = data[at + 8 : at + size - 4]
        with suppress(struct.error, IndexError):  # a damaged block
            if kind == INTERFACE:
                interfaces.append(_interface(body, order))
            elif kind == PACKET:
                yield _packet(body, order, interfaces)
        at += size


def _interface(body: bytes, order: str) -> Interface:
    (link,) = struct.unpack_from(order + "H", body)
    return Interface(link, _units_per_s(_resolution(body, order)))


def _resolution(body: bytes, order: str) -> int:
    at = 8
    while at + 4 <= len(body):
        code, size = struct.unpack_from(order + "HH", body, at)
        if code == RESOLUTION:
            return body[at + 4]
        at += 4 + _padded(size)
    return MICROSECONDS


def _units_per_s(resolution: int) -> int:
    """The units of time in a second: a power of 2 if the highest bit is set, otherwise a power of 10."""
    return int(2 ** (resolution & 0x7F)) if resolution & 0x80 else int(10**resolution)


def _packet(body: bytes, order: str, interfaces: list[Interface]) -> Packet:
    number, upper, lower, kept, _ = struct.unpack_from(order + PACKET_HEADER, body)
    interface, start = interfaces[number], struct.calcsize(PACKET_HEADER)
    time = (upper << 32 | lower) * 1000 // interface.units_per_s
    return Packet(time, interface.link, body[start : start + kept])


def _padded(size: int) -> int:
    """The size of an option with its padding: options begin at multiples of four bytes."""
    return size + -size % 4
