"""The upgrade through the phases of KIP-31, and what clients notice of it."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.records import v0, v1
from fakekafka.records.compression import GZIP, NONE
from fakekafka.records.record import Record
from fakekafka.records.scan import units_of_any_magic
from fakekafka.releases.message_formats import format_of
from fakekafka.releases.profile import profile
from fakekafka.releases.protocol_versions import known_names
from fakekafka.releases.release import Release
from fakekafka.releases.replication_versions import fetch_version
from fakekafka.upgrade.steps import Step, Upgrade
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

from tests.support.brokers import answer
from tests.support.producing import one
from tests.support.seeded import NOW

OLD_RECORD = Record(0, -1, -1, b"k", b"old")
NEW_RECORD = Record(0, NOW, 0, b"k", b"new")


def cluster(release: str = "0.9.0") -> FakeKafka:
    return FakeKafka(release, topics={"t": 1}, clock=ManualClock(NOW)).boot()


def fetch(kafka: FakeKafka, version: int) -> bytes:
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    sent = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    (topic,) = answer(kafka, sent, version, FetchResponse).responses
    assert topic.partitions[0].error_code == 0
    return bytes(topic.partitions[0].records or b"")


def formats(data: bytes) -> list[int]:
    return [unit.magic for unit in units_of_any_magic(data)]


def costs(kafka: FakeKafka) -> dict[tuple[str, int], bool]:
    """Whether everything was zero-copy since the last start, by API and version."""
    found: dict[tuple[str, int], bool] = {}
    for line in kafka.conversions():
        found[line.api, line.version] = found.get((line.api, line.version), True) and line.zero_copy
    return found


@pytest.mark.statement("S0-32", "S0-54")
def test_interim_versions_are_called_ivn_and_the_first_one_has_the_new_format() -> None:
    """People who run an unreleased version thus need not go back first. The document calls it 0.9.0-1."""
    assert "0.9.0-1" not in known_names(Release.parse("0.10.0"))
    assert {"0.10.0-IV0", "0.10.0-IV1"} <= set(known_names(Release.parse("0.10.0")))
    assert [format_of(name) for name in ("0.9.0", "0.10.0-IV0", "0.10.0-IV1", "0.10.0")] == [0, 1, 1, 1]
    assert [fetch_version(name, None) for name in ("0.9.0", "0.10.0-IV0")] == [1, 2]


@pytest.mark.statement("S0-41", "S0-42")
def test_the_documented_way_ends_with_the_format_when_clients_are_ready() -> None:
    kafka = cluster()
    steps: Upgrade = kafka.upgrade(to="0.10.0")
    kinds = [step.after.kind for step in steps]
    assert kinds == ["code", "protocol", "clients", "format"]
    for n, step in enumerate(steps):
        step.apply()
        sent = v0.build([OLD_RECORD]) if n < 3 else v1.build([NEW_RECORD])
        assert one(kafka, sent, 1 if n < 3 else 2).error_code == 0
        fetch(kafka, 2)
        assert all(costs(kafka).values()), step
    assert [record.magic for record in kafka.records("t")] == [0, 0, 0, 1]


@pytest.mark.statement("S0-51")
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_new_code_with_the_old_format_gives_consumers_the_bytes_that_old_code_gave(codec: int) -> None:
    kafka = cluster()
    assert one(kafka, v0.build([OLD_RECORD, OLD_RECORD._replace(offset=1)], codec=codec), 1).error_code == 0
    before = fetch(kafka, 1)
    code, protocol, *_ = kafka.upgrade(to="0.10.0")
    for step in (code, protocol):
        step.apply()
        assert fetch(kafka, 1) == before
        assert costs(kafka)["Fetch", 1]
    assert one(kafka, v1.build([NEW_RECORD]), 2).error_code == 0  # sent by a producer that is already new
    assert fetch(kafka, 1)[: len(before)] == before
    assert formats(fetch(kafka, 1)[len(before) :]) == [0]
    assert costs(kafka)["Fetch", 1]


@pytest.mark.statement("S0-52", "S0-48", "S0-53")
def test_consumers_that_do_not_know_the_new_format_get_the_old_one_and_no_error() -> None:
    """The document wants conversion in every case in phase 2; up to 2.8, a slice of nothing but format 0 is not
    converted.
    """
    for release, old_slices_are_free in (("0.10.0", True), ("2.8", True), ("3.0", False)):
        kafka = FakeKafka(release, clock=ManualClock(NOW), config=_old_protocol(release)).boot()
        kafka.create_topic("t", 1, {"message.format.version": "0.9.0"})
        assert one(kafka, v0.build([OLD_RECORD]), 1).error_code == 0
        kafka.configure_topic("t", {"message.format.version": "0.10.0"})
        assert formats(fetch(kafka, 1)) == [0]
        assert costs(kafka)["Fetch", 1] is old_slices_are_free
        assert one(kafka, v1.build([NEW_RECORD]), 2).error_code == 0
        assert set(formats(fetch(kafka, 1))) == {0}
        assert formats(fetch(kafka, 2)) == [0, 1]
        assert (costs(kafka)["Fetch", 1], costs(kafka)["Fetch", 2]) == (False, True)


def _old_protocol(release: str) -> dict[str, object]:
    return {"inter.broker.protocol.version": "2.8"} if release.startswith("3") else {}


@pytest.mark.statement("S0-49")
def test_a_consumer_that_does_not_look_at_the_magic_byte_needs_the_conversion() -> None:
    """Without the conversion it would see the timestamp where it expects a key."""
    kafka = cluster("0.10.0")
    assert one(kafka, v1.build([NEW_RECORD]), 2).error_code == 0
    unlooked = fetch(kafka, 2)
    assert unlooked[18:22] != len(b"k").to_bytes(4, "big")
    assert fetch(kafka, 1)[18:22] == len(b"k").to_bytes(4, "big")


@pytest.mark.statement("S0-59")
def test_every_fetch_of_an_old_reader_is_a_conversion_of_what_is_led() -> None:
    """This is why a canary should lead few partitions."""
    kafka = cluster("0.10.0")
    assert one(kafka, v1.build([NEW_RECORD]), 2).error_code == 0
    for _ in range(5):
        fetch(kafka, 1)
    (line,) = (line for line in kafka.conversions() if line.api == "Fetch")
    assert (line.version, line.sets, line.records, line.direction) == (1, 5, 5, "down")


def test_the_phases_of_the_document_are_those_of_the_recipe() -> None:
    """The names above mean something only if the recipe's phases have the document's formats."""
    formats_by_step = [step.after.magic for step in cluster().upgrade(to="0.10.0")]
    assert formats_by_step == [0, 0, 0, 1]
    assert profile(Release.parse("0.9.0")).log.message_format == "oldest"
    assert all(isinstance(step, Step) for step in cluster().upgrade(to="0.10.0"))
