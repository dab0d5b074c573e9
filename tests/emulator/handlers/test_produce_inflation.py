"""How much the batches of one Produce request may decompress to together. No release has such a bound."""

from collections.abc import Iterator
from typing import Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.records import compression, v1, v2
from fakekafka.records.compression import GZIP
from fakekafka.records.record import Record

from tests.support.producing import errors, produce, request
from tests.support.seeded import NOW

VALUE: Final = 100_000
ENOUGH_FOR_TWO: Final = 230_000
PARTITIONS: Final = 4


def small_bomb() -> bytes:
    """A batch of some hundred bytes that decompresses to `VALUE`."""
    return v2.build([Record(0, NOW, 0, None, bytes(VALUE))], codec=GZIP)


def old_bomb() -> bytes:
    return v1.build([Record(0, NOW, 0, None, bytes(VALUE))], codec=GZIP)


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "ALLOWED_TOGETHER", ENOUGH_FOR_TWO)
    monkeypatch.setattr(compression, "MOST_TIMES", 1)


def kafka_of(release: str) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(NOW), topics={"t": PARTITIONS}).boot()


@pytest.mark.parametrize(("release", "version"), [("2.3", 7), ("4.3", 9)])
def test_batches_for_several_partitions_share_one_allowance(limited: None, release: str, version: int) -> None:
    with kafka_of(release) as kafka:
        sent = request({("t", n): small_bomb() for n in range(PARTITIONS)})
        refused = ErrorCode.UNKNOWN_SERVER_ERROR  # as for any stream that cannot be read
        found = errors(produce(kafka, sent, version))
        assert sorted(found.values()) == [refused, refused, 0, 0], "which two depends on the release's order"
        assert [len(kafka.records("t", partition=n)) for n in range(PARTITIONS)] == [
            int(found["t", n] == 0) for n in range(PARTITIONS)
        ]


@pytest.mark.parametrize("release", ["0.10.2", "2.3"])
def test_wrappers_in_one_set_share_one_allowance_too(limited: None, release: str) -> None:
    with kafka_of(release) as kafka:
        assert list(errors(produce(kafka, request({("t", 0): old_bomb()}), 2)).values()) == [0]
        assert list(errors(produce(kafka, request({("t", 0): old_bomb() * 4}), 2)).values()) != [0]
        assert len(kafka.records("t", partition=0)) == 1


def test_each_request_has_its_own_allowance(limited: None) -> None:
    with kafka_of("3.9") as kafka:
        for n in range(PARTITIONS):
            sent = request({("t", n): small_bomb(), ("t", (n + 1) % PARTITIONS): small_bomb()})
            assert list(errors(produce(kafka, sent, 9)).values()) == [0, 0]


def test_large_requests_may_grow_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "ALLOWED_TOGETHER", 0)
    monkeypatch.setattr(compression, "MOST_TIMES", 2 * VALUE // len(small_bomb()))
    with kafka_of("3.9") as kafka:
        sent = request({("t", n): small_bomb() for n in range(PARTITIONS)})
        assert list(errors(produce(kafka, sent, 9)).values()) == [0] * PARTITIONS


def test_a_request_of_many_bombs_inflates_a_gigabyte_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted on a smaller scale: payloads that would decompress to forty times the allowance."""
    inflated = []
    real = compression.pieces_together

    def counted(codec: int, data: bytes) -> Iterator[bytes]:
        for piece in real(codec, data):
            inflated.append(len(piece))
            yield piece

    monkeypatch.setattr(v2, "pieces_together", counted)
    monkeypatch.setattr(compression, "ALLOWED_TOGETHER", 10 << 20)
    monkeypatch.setattr(compression, "OUTPUT_STEP", 1 << 16)
    bomb = v2.build([Record(0, NOW, 0, None, bytes(4 << 20))], codec=GZIP)
    with FakeKafka("3.9", clock=ManualClock(NOW), topics={"t": 100}).boot() as kafka:
        produce(kafka, request({("t", n): bomb for n in range(100)}), 9)
    assert 8 << 20 <= sum(inflated) <= (10 << 20) + 100 * (16 * len(bomb) + (1 << 16))
