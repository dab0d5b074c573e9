"""Packet captures as TCP segments: pcap files, which tcpdump and `kafka.requests.to_pcap` write, and pcapng files.

    file header     magic 0xA1B2C3D4 (microseconds) or 0xA1B23C4D (nanoseconds), in either byte order; version, zone,
                    accuracy, longest packet, link type
    each packet     seconds, fraction, bytes kept, bytes on the wire; then the packet, from the link's header on

Source: the pcap format (draft-ietf-opsawg-pcap), RFC 791, RFC 8200, RFC 9293.
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.ids import TimestampMs
from fakekafka.inspection.pcapng_packets import SECTION, Packet, packets

End: TypeAlias = tuple[bytes, int]
"""An IP address and a port."""

MAGICS: Final = {0xA1B2C3D4: 1_000, 0xA1B23C4D: 1_000_000}
"""How many units of the time's fraction make a millisecond, by the file's first four bytes."""
FILE_HEADER_BYTES: Final = 24
PACKET_HEADER_BYTES: Final = 16
LINK_HEADER_BYTES: Final = {0: 4, 1: 14, 12: 0, 101: 0, 108: 4, 113: 16, 228: 0, 229: 0, 276: 20}
"""The bytes before the IP header, by link type: loopback, Ethernet, raw IP, Linux's "any"."""
ETHERNET: Final = 1
VLAN: Final = b"\x81\x00"
TCP: Final = 6
FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10


class Segment(NamedTuple):
    """One TCP segment."""

    at_ms: TimestampMs
    source: End
    target: End
    sequence: int
    flags: int
    data: bytes


def is_capture(start: bytes) -> bool:
    """Whether a file that starts with these bytes is a packet capture."""
    first = start[:4].ljust(4, b"\0")
    return first == SECTION or any(struct.unpack(order + "I", first)[0] in MAGICS for order in "<>")


def segments(data: bytes) -> Iterator[Segment]:
    """The TCP segments of a capture; other packets, and pieces of packets, are left out. Raises `UsageError` for files
    of another format.
    """
    for packet in packets(data) if data.startswith(SECTION) else _packets(data):
        if packet.link not in LINK_HEADER_BYTES:
            raise UsageError(f"packets of link type {packet.link} are not read")
        segment = _segment(packet.at_ms, _ip_packet(packet.data, packet.link))
        if segment is not None:
            yield segment


def _packets(data: bytes) -> Iterator[Packet]:
    """The packets of a pcap file. Raises `UsageError` if it is not a pcap file."""
    order = next((o for o in "<>" if struct.unpack_from(o + "I", data.ljust(4, b"\0"))[0] in MAGICS), None)
    if order is None or len(data) < FILE_HEADER_BYTES:
        raise UsageError("neither a pcap nor a pcapng file")
    unit = MAGICS[struct.unpack_from(order + "I", data)[0]]
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    at = FILE_HEADER_BYTES
    while at + PACKET_HEADER_BYTES <= len(data):
        seconds, fraction, kept, _ = struct.unpack_from(order + "IIII", data, at)
        at += PACKET_HEADER_BYTES
        yield Packet(seconds * 1000 + fraction // unit, link, data[at : at + kept])
        at += kept


def _ip_packet(packet: bytes, link: int) -> bytes:
    start = LINK_HEADER_BYTES[link]
    if link == ETHERNET and packet[12:14] == VLAN:
        start += 4
    return packet[start:]


def _segment(at_ms: TimestampMs, packet: bytes) -> Segment | None:
    try:
        if packet[0] >> 4 == 4:
            start, end, protocol = (packet[0] & 15) * 4, struct.unpack_from(">H", packet, 2)[0], packet[9]
            addresses = packet[12:16], packet[16:20]
            is_piece = bool(struct.unpack_from(">H", packet, 6)[0] & 0x3FFF)
        else:
            start, end, protocol = 40, 40 + struct.unpack_from(">H", packet, 4)[0], packet[6]
            addresses = packet[8:24], packet[24:40]
            is_piece = packet[0] >> 4 != 6
        if protocol != TCP or is_piece:
            return None
        source, target, sequence, _, offset, flags = struct.unpack_from(">HHIIBB", packet, start)
    except (IndexError, struct.error):  # cut by the capture's own limit
        return None
    end = end if end > start else len(packet)  # 0 where the network card cuts packets
    data = packet[start + (offset >> 4) * 4 : end]
    return Segment(at_ms, (addresses[0], source), (addresses[1], target), sequence, flags, data)
