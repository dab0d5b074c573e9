"""What is said about share groups by a broker that does not coordinate them."""

from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_share_group_offsets import AlterShareGroupOffsetsRequest, AlterShareGroupOffsetsResponse
from fakekafka.wire.apis.delete_share_group_offsets import (
    DeleteShareGroupOffsetsRequest,
    DeleteShareGroupOffsetsResponse,
)
from fakekafka.wire.apis.share_group_describe import ShareGroupDescribeRequest, ShareGroupDescribeResponse

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of
from tests.support.share_group_clients import shared

REFUSED = (16, "This is not the correct coordinator.")


def elsewhere() -> FakeKafka:
    kafka = shared("4.3")
    coordinator_of(kafka).unload(0)
    return kafka


def test_deleting_offsets_is_refused_in_words() -> None:
    heard = answer(
        elsewhere(), DeleteShareGroupOffsetsRequest(group_id="g", topics=[]), 0, DeleteShareGroupOffsetsResponse
    )
    assert (heard.error_code, heard.error_message) == REFUSED


def test_altering_offsets_is_refused_in_words() -> None:
    heard = answer(
        elsewhere(), AlterShareGroupOffsetsRequest(group_id="g", topics=[]), 0, AlterShareGroupOffsetsResponse
    )
    assert (heard.error_code, heard.error_message) == REFUSED


def test_describing_a_group_is_refused_in_words() -> None:
    (group,) = answer(elsewhere(), ShareGroupDescribeRequest(group_ids=["g"]), 1, ShareGroupDescribeResponse).groups
    assert (group.error_code, group.error_message) == REFUSED
