"""The kinds of damage that brokers' answers tell apart."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.records import malformed


@pytest.mark.parametrize("kind", [v for v in vars(malformed).values() if isinstance(v, type)])
def test_every_kind_is_malformed_bytes(kind: type) -> None:
    assert issubclass(kind, MalformedBytes)


def test_frames_records_and_payloads_are_told_apart() -> None:
    kinds = [malformed.CorruptUnit, malformed.InvalidRecord, malformed.FieldPastEnd, malformed.UndecodablePayload]
    for kind in kinds:
        assert [other for other in kinds if issubclass(kind, other)] == [kind]


def test_a_cut_gzip_stream_may_be_taken_for_either() -> None:
    assert issubclass(malformed.PayloadEndsEarly, malformed.InvalidRecord)
    assert issubclass(malformed.PayloadEndsEarly, malformed.UndecodablePayload)
