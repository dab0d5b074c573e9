"""The demonstration's cells: real clients work with three very different releases, and the judge finds faults."""

from collections.abc import Sequence

import pytest
from fakekafka.client_configs import Client

from demo import cells
from demo.cells import CLIENTS, CODECS, Cell, Result, commit_faults, limit, log_faults, records_faults, records_for, run
from demo.clients import Acked, Got, PartitionOffset, Sent, Settings, driver

OLD, NEW = Cell("0.9.0", "confluent-kafka", "lz4"), Cell("4.0", "kafka-python", "snappy")
SENT = records_for(NEW, 3)
PLACES = [PartitionOffset(0, 0), PartitionOffset(1, 0), PartitionOffset(0, 1)]
ACKED: Acked = list(PLACES)
GOT: Got = list(zip(PLACES, SENT))
GOOD = Result(NEW, 3, 3, {"Produce": [9], "Fetch": [12], "OffsetCommit": [8]}, (2,))


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("release", "codec", "magic", "versions"),
    [("0.9.0", "snappy", 0, {1}), ("0.10.2", "lz4", 1, {2}), ("4.0", "zstd", 2, {9, 10})],
)
def test_a_client_finds_the_release_that_it_expects(
    client: Client, release: str, codec: str, magic: int, versions: set[int]
) -> None:
    result = run(Cell(release, client, codec), 100)
    assert not result.faults
    assert result.refusal is None
    assert (result.acked, result.read, result.magic) == (100, 100, (magic,))
    assert set(result.versions["Produce"]) <= versions


def test_a_client_that_leaves_a_codec_out_does_not_count_as_having_used_it() -> None:
    result = run(Cell("1.1", "confluent-kafka", "zstd"), 10)
    assert not result.faults
    assert result.refusal == "sent without compression: the release does not have the codec"


class Failing:
    """A client that says why it does nothing."""

    def produce(self, settings: Settings, topic: str, codec: str, records: Sequence[Sent]) -> Acked:
        raise ValueError("not with me")

    def consume(self, settings: Settings, topic: str, group: str, count: int) -> Got:
        raise AssertionError("nothing is consumed where producing fails")


def test_the_error_of_a_client_that_should_have_none_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "driver", lambda client: Failing())
    result = run(OLD, 1)
    assert result.faults == ("ValueError: not with me",)
    assert result.refusal is None


def test_the_error_of_a_client_is_quoted_where_a_real_broker_would_cause_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cells, "driver", lambda client: Failing())
    result = run(Cell("1.1", "kafka-python", "zstd"), 1)
    assert not result.faults
    assert result.refusal == "ValueError: not with me (the release does not have the codec)"


def test_a_client_that_sends_too_few_records_is_a_wrong_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful:
        inner = driver("confluent-kafka")

        def produce(self, settings: Settings, topic: str, codec: str, records: Sequence[Sent]) -> Acked:
            return [None, *self.inner.produce(settings, topic, codec, records[1:])]

        def consume(self, settings: Settings, topic: str, group: str, count: int) -> Got:
            return self.inner.consume(settings, topic, group, count - 1)

    monkeypatch.setattr(cells, "driver", lambda client: Forgetful())
    assert run(OLD, 5).faults == ("1 of 5 not acknowledged",)


def test_every_cell_of_the_demonstration_is_possible() -> None:
    assert len(CODECS) == 10
    for release, codecs in CODECS.items():
        for client, codec in zip(CLIENTS, codecs):
            assert limit(Cell(release, client, codec)) is None


def test_formats_1_and_2_are_shown_with_every_codec_that_they_have() -> None:
    shown: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    for release, codecs in CODECS.items():
        shown[cells.default_magic(release)].update(codecs)
    assert shown[1] == {"none", "gzip", "snappy", "lz4"}
    assert shown[2] == {"none", "gzip", "snappy", "lz4", "zstd"}


def test_headers_are_sent_where_the_format_has_them() -> None:
    assert not records_for(OLD, 1)[0].headers
    assert records_for(NEW, 1)[0].headers


# ---- the judge


def test_a_sound_cell_has_no_faults() -> None:
    assert not list(records_faults(SENT, ACKED, GOT))
    assert not list(log_faults(NEW, GOOD, {"snappy", "none"}))
    assert not list(commit_faults(ACKED, {0: 2, 1: 1}))


@pytest.mark.parametrize(
    ("acked", "got", "fault"),
    [
        ([None, *PLACES[1:]], GOT[1:], "1 of 3 not acknowledged"),
        (ACKED, GOT[:2], "1 acknowledged but not read"),
        (ACKED, [*GOT, GOT[2]], "1 read twice"),
        (ACKED, [GOT[2], GOT[1], GOT[0]], "partition 0 read out of order"),
        (ACKED, [*GOT[:2], (PLACES[2], SENT[2]._replace(key=b"other"))], "1 read otherwise than sent"),
        (ACKED, [*GOT[:2], (PLACES[2], SENT[2]._replace(value=b"other"))], "1 read otherwise than sent"),
        (ACKED, [*GOT[:2], (PLACES[2], SENT[2]._replace(headers=()))], "1 read otherwise than sent"),
    ],
)
def test_lost_and_repeated_records_are_judged(acked: Acked, got: Got, fault: str) -> None:
    assert list(records_faults(SENT, acked, got)) == [fault]


def used(**versions: list[int]) -> Result:
    return GOOD._replace(versions={**GOOD.versions, **versions})


@pytest.mark.parametrize(
    ("result", "codecs", "fault"),
    [
        (GOOD._replace(magic=(1,)), {"snappy"}, "magic (1,) in the log, not 2"),
        (GOOD._replace(magic=(1, 2)), {"snappy"}, "magic (1, 2) in the log, not 2"),
        (GOOD, {"none"}, "codec none in the log"),
        (GOOD, {"snappy", "gzip"}, "codec gzip, snappy in the log"),
        (used(Produce=[13]), {"snappy"}, "Produce [13]: the release has 0 to 12"),
        (used(Fetch=[3, 12]), {"snappy"}, "Fetch [3, 12]: the release has 4 to 17"),
        (used(OffsetCommit=[]), {"snappy"}, "no OffsetCommit request"),
    ],
)
def test_log_and_versions_are_judged(result: Result, codecs: set[str], fault: str) -> None:
    assert list(log_faults(NEW, result, codecs)) == [fault]


def test_a_group_that_has_not_committed_the_ends_is_a_fault() -> None:
    assert list(commit_faults(ACKED, {0: 2})) == ["committed {0: 2}, not {0: 2, 1: 1}"]
