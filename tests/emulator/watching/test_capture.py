"""The journal as a packet capture: `watching/capture.py`. Its structure, and what Wireshark makes of it."""

import shutil
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.watching.capture import FILE_HEADER, MOST_IN_SEGMENT, checksum

from tests.support.faults import NOW, Client, asked_on_two_connections, fetch


class Packet(NamedTuple):
    at_ms: int
    source: tuple[str, int]
    target: tuple[str, int]
    sequence: int
    acknowledged: int
    flags: int
    data: bytes


@pytest.fixture
def kafka() -> FakeKafka:
    return asked_on_two_connections()


def packets(path: Path) -> list[Packet]:
    data = path.read_bytes()
    assert data.startswith(FILE_HEADER)
    found, at = [], len(FILE_HEADER)
    while at < len(data):
        seconds, microseconds, size, whole = struct.unpack_from("<IIII", data, at)
        assert size == whole
        found.append(packet(seconds * 1000 + microseconds // 1000, data[at + 16 : at + 16 + size]))
        at += 16 + size
    return found


def packet(at_ms: int, ip: bytes) -> Packet:
    assert ip[0] == 0x45
    assert checksum(ip[:20]) == 0
    assert int.from_bytes(ip[2:4], "big") == len(ip)
    source, target, segment = ip[12:16], ip[16:20], ip[20:]
    assert checksum(source + target + struct.pack(">BBH", 0, 6, len(segment)) + segment) == 0
    source_port, target_port, sequence, acknowledged, _, flags = struct.unpack_from(">HHIIBB", segment)
    ends = [(".".join(map(str, address)), port) for address, port in ((source, source_port), (target, target_port))]
    return Packet(at_ms, ends[0], ends[1], sequence, acknowledged, flags, segment[20:])


def test_each_connection_is_a_stream_that_begins_with_a_handshake(kafka: FakeKafka, tmp_path: Path) -> None:
    kafka.requests.to_pcap(tmp_path / "journal.pcap")
    found = packets(tmp_path / "journal.pcap")
    clients = {each.source for each in found} - {("10.0.0.1", 9092)}
    assert len(clients) == 2
    for client in clients:
        stream = [each for each in found if client in (each.source, each.target)]
        assert [each.flags for each in stream[:3]] == [0x02, 0x12, 0x10]
        sent = {client: 0, ("10.0.0.1", 9092): 0}
        for each in stream:
            assert each.sequence == sent[each.source]
            sent[each.source] += len(each.data) + (each.flags & 0x02 > 0)
            assert each.acknowledged == (sent[each.target] if each.flags & 0x10 else 0)


def test_the_streams_carry_the_frames_in_the_order_of_time(kafka: FakeKafka, tmp_path: Path) -> None:
    kafka.requests.to_pcap(tmp_path / "journal.pcap")
    asked = [each for each in packets(tmp_path / "journal.pcap") if each.data and each.source[1] != 9092]
    assert [each.data for each in asked] == [entry.frame for entry in kafka.requests]
    answered = [each for each in packets(tmp_path / "journal.pcap") if each.data and each.source[1] == 9092]
    assert [each.at_ms - NOW for each in answered] == [0, 0, 5, 5]
    assert all(len(each.data) == 4 + int.from_bytes(each.data[:4], "big") for each in answered)


def test_answers_stay_in_order_when_two_clocks_differ_by_a_millisecond(kafka: FakeKafka, tmp_path: Path) -> None:
    slower = kafka.requests[0]
    slower.took_ms = 1  # the elapsed time turned to the next millisecond, the wall clock has not yet
    kafka.requests.to_pcap(tmp_path / "journal.pcap")
    answered = [each for each in packets(tmp_path / "journal.pcap") if each.data and each.source[1] == 9092]
    of_the_producer = [each.data for each in answered if each.target == answered[0].target]
    assert [int.from_bytes(data[4:8], "big") for data in of_the_producer] == [1, 2, 3]
    assert [each.at_ms - NOW for each in answered] == [1, 1, 5, 5]


def test_a_frame_larger_than_a_packet_is_cut_into_segments(tmp_path: Path) -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.send("orders", b"x" * 3 * MOST_IN_SEGMENT)
    Client(kafka).send(fetch(("orders", 0)), 11)
    kafka.requests.to_pcap(tmp_path / "journal.pcap")
    answer = [each.data for each in packets(tmp_path / "journal.pcap") if each.data][1:]
    assert len(answer) == 4
    assert len(b"".join(answer)) == 4 + int.from_bytes(answer[0][:4], "big")


@pytest.mark.skipif(shutil.which("tshark") is None, reason="needs tshark")
def test_wireshark_reads_requests_and_answers_as_kafka(kafka: FakeKafka, tmp_path: Path) -> None:
    kafka.requests.to_pcap(tmp_path / "journal.pcap")
    command = ["tshark", "-r", str(tmp_path / "journal.pcap"), "-o", "tcp.check_checksum:TRUE", "-Y", "kafka"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    for api in ("ApiVersions v2", "Metadata v8", "Produce v7", "Fetch v11"):
        assert f"Kafka {api} Request" in shown
        assert f"Kafka {api} Response" in shown
    assert "Malformed" not in shown
