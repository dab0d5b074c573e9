"""Records of the offsets topic without the values that differ in each run."""

from collections.abc import Sequence

from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.records.v2 import HEADER_BYTES, build
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.internal.consumer_offsets import GroupMetadataValue, MemberMetadata, OffsetCommitValue

from tests.golden.form import Labels
from tests.golden.group_values import comparable

ONE = "c-00000000-0000-0000-0000-000000000001"
TWO = "c-ffffffff-0000-0000-0000-000000000002"


def form(key: bytes, value: bytes, labels: Labels) -> bytes:
    data = build([Record(0, 0, 0, key, value)])
    (batch,) = batches(data)
    return comparable(bytes(batch.data[HEADER_BYTES:]), batch, labels)


def group(members: Sequence[str], version: int = 3) -> bytes:
    found = [MemberMetadata(member_id=m, client_id="c", client_host="/h", session_timeout=1) for m in members]
    value = GroupMetadataValue(protocol_type="consumer", generation=2, protocol="range", leader=ONE, members=found)
    return version.to_bytes(2, "big") + encode_bytes(value, version)


def labels_of(*members: str) -> Labels:
    labels = Labels()
    labels.begin("1")
    for member in members:
        labels.member(member)
    return labels


def test_members_come_in_the_order_of_their_labels() -> None:
    one_two = form(b"\0\2\0\1g", group([ONE, TWO]), labels_of(ONE, TWO))
    assert form(b"\0\2\0\1g", group([TWO, ONE]), labels_of(ONE, TWO)) == one_two
    assert b"c-M1 " in one_two
    assert form(b"\0\2\0\1g", group([ONE, TWO]), labels_of(TWO, ONE)) != one_two


def test_values_other_than_groups_stay_unchanged() -> None:
    value = group([TWO, ONE])
    for key in (b"", b"\0\1\0\1g", b"\0\2"):
        assert form(key, value, Labels()).count(value) == (key != b"\0\2")
    assert TWO.encode() in form(b"\0\2\0\1g", b"\0\7" + value[2:], Labels())
    assert TWO.encode() in form(b"\0\2\0\1g", value[:-20] + TWO.encode(), Labels())  # cut off


def test_topic_ids_in_commits_are_labelled() -> None:
    value = OffsetCommitValue(offset=1, metadata="m", commit_timestamp=5, topic_id=b"\1" * 16)
    data = (4).to_bytes(2, "big") + encode_bytes(value, 4)
    labels = Labels()
    labels.begin("9")
    found = form(b"\0\1\0\1g\0\1t\0\0\0\0", data, labels)
    assert b"\1" * 16 not in found
    assert b"T9".ljust(16) in found
    assert form(b"\0\2\0\1g", data, Labels()).count(b"\1" * 16) == 1  # no commit
