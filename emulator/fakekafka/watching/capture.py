"""The journal as a packet capture: a pcap file that Wireshark's dissector of Kafka reads.

Each connection is a separate TCP stream, made up around the frames that the journal kept: a handshake, then requests
and answers in segments. Brokers get the addresses 10.0.0.1, 10.0.0.2, … and port 9092, which Wireshark takes for Kafka
by default; the client of connection n is 10.1.x.y.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from fakekafka.ids import BrokerId, TimestampMs
from fakekafka.pieces import BreaksOff, buffers
from fakekafka.server.journal import Entry
from fakekafka.wire.frames import response_frame

KAFKA_PORT: Final = 9092
FIRST_CLIENT_PORT: Final = 20_000
CLIENT_PORTS: Final = 40_000
RAW_IP: Final = 101
"""The link type of packets that begin with their IP header."""
SNAP_LENGTH: Final = 1 << 18
MOST_IN_SEGMENT: Final = 60_000
FILE_HEADER: Final = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, SNAP_LENGTH, RAW_IP)
SYN, ACK, PSH = 0x02, 0x10, 0x08
TCP: Final = 6


class Event(NamedTuple):
    """Bytes on a connection."""

    at_ms: TimestampMs
    order: int
    connection: int
    broker: BrokerId
    by_client: bool
    data: bytes


class Stream:
    """One TCP connection: what each side has sent so far."""

    def __init__(self, connection: int, broker: BrokerId) -> None:
        client = bytes([10, 1, connection // 250 % 250, connection % 250 + 1])
        server = bytes([10, 0, 0, broker % 250 + 1])
        self.ends = (client, FIRST_CLIENT_PORT + connection % CLIENT_PORTS), (server, KAFKA_PORT)
        self.sent = [0, 0]

    def handshake(self) -> Iterator[bytes]:
        """The first three packets."""
        yield self._packet(0, SYN, b"", acknowledges=False)
        self.sent[0] += 1
        yield self._packet(1, SYN | ACK, b"")
        self.sent[1] += 1
        yield self._packet(0, ACK, b"")

    def send(self, by_client: bool, data: bytes) -> Iterator[bytes]:
        """The packets that carry some bytes."""
        side = 0 if by_client else 1
        for start in range(0, len(data), MOST_IN_SEGMENT):
            part = data[start : start + MOST_IN_SEGMENT]
            yield self._packet(side, PSH | ACK, part)
            self.sent[side] += len(part)

    def _packet(self, side: int, flags: int, data: bytes, acknowledges: bool = True) -> bytes:
        (source, source_port), (target, target_port) = self.ends[side], self.ends[1 - side]
        sequence = self.sent[side] & 0xFFFFFFFF
        seen = self.sent[1 - side] & 0xFFFFFFFF if acknowledges else 0
        segment = struct.pack(">HHIIBBHHH", source_port, target_port, sequence, seen, 5 << 4, flags, 0xFFFF, 0, 0)
        pseudo = source + target + struct.pack(">BBH", 0, TCP, len(segment) + len(data))
        check = checksum(pseudo + segment + data)
        segment = segment[:16] + struct.pack(">H", check) + segment[18:] + data
        header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0x4000, 64, TCP, 0) + source + target
        return header[:10] + struct.pack(">H", checksum(header)) + header[12:] + segment


def checksum(data: bytes) -> int:
    """The checksum of IP and TCP (RFC 1071)."""
    padded = data if len(data) % 2 == 0 else data + b"\0"
    total: int = sum(struct.unpack(f">{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def capture(entries: Sequence[Entry]) -> bytes:
    """The whole file."""
    streams: dict[int, Stream] = {}
    out = [FILE_HEADER]
    for event in sorted(_events(entries)):
        stream = streams.get(event.connection)
        if stream is None:
            streams[event.connection] = stream = Stream(event.connection, event.broker)
            out += _recorded(event.at_ms, stream.handshake())
        out += _recorded(event.at_ms, stream.send(event.by_client, event.data))
    return b"".join(out)


def _events(entries: Sequence[Entry]) -> Iterator[Event]:
    """What went over the connections. Times of a connection never go back: a broker answers in order, but a time of
    answer is the sum of two clocks' milliseconds, and a wall clock can be set back.
    """
    latest: dict[tuple[int, bool], TimestampMs] = {}
    for n, entry in enumerate(entries):
        for order, at_ms, data in ((2 * n, entry.at_ms, entry.frame), (2 * n + 1, entry.answered_ms, _answer(entry))):
            if at_ms is not None and data:
                side = entry.connection, order % 2 == 0
                latest[side] = max(at_ms, latest.get(side, at_ms))
                yield Event(latest[side], order, entry.connection, entry.broker, side[1], data)


def _answer(entry: Entry) -> bytes:
    """The frame of the answer; empty if there is none, or it cannot be read any more."""
    if entry.response is None:
        return b""
    pieces = response_frame(entry.response, entry.call.answer_version, entry.call.correlation_id)
    try:
        return b"".join(bytes(each) for each in buffers(pieces))
    except (BreaksOff, OSError):
        return b""


def _recorded(at_ms: TimestampMs, packets: Iterable[bytes]) -> Iterator[bytes]:
    """Packets with the headers that the file gives them."""
    for packet in packets:
        yield struct.pack("<IIII", at_ms // 1000, at_ms % 1000 * 1000, len(packet), len(packet)) + packet
