"""Requests that name one thing a thousand times, which has much to tell: it is looked at once.

The bounds are functions passed for each further naming; to describe it each time takes hundreds.
"""

from collections.abc import Callable

import pytest
from fakekafka import FakeKafka
from fakekafka.compiled import is_compiled
from fakekafka.wire.apis.consumer_group_describe import ConsumerGroupDescribeRequest
from fakekafka.wire.apis.describe_groups import DescribeGroupsRequest
from fakekafka.wire.apis.describe_producers import DescribeProducersRequest, TopicRequest
from fakekafka.wire.apis.describe_transactions import DescribeTransactionsRequest
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestGroup
from fakekafka.wire.apis.share_group_describe import ShareGroupDescribeRequest
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.support.functions_passed import functions_passed
from tests.support.group_clients import Member, grouped, settled, simple
from tests.support.seeded import booted, in_transaction, store
from tests.support.transaction_clients import TransactionalProducer, transactional

PARTITIONS = 100
NAMINGS = 1000
MOST_FOR_EACH = 12


def passed(kafka: FakeKafka, version: int, naming: Callable[[int], Request]) -> tuple[int, int]:
    """The functions that a request passes which names the thing once, and those for each further naming."""
    client = kafka.connect()
    once, often = (request_frame(naming(times), version, 1, "c") for times in (1, NAMINGS))
    client.send(once)
    assert not kafka.failures
    for_one = functions_passed(lambda: client.send(once))
    return for_one, (functions_passed(lambda: client.send(often)) - for_one) // (NAMINGS - 1)


@pytest.mark.parametrize("release", ["3.9", "4.3"])
def test_all_offsets_of_a_group(release: str) -> None:
    kafka = grouped(release, partitions=PARTITIONS)
    simple(kafka).commit(*range(PARTITIONS), metadata="m")
    one = OffsetFetchRequestGroup(group_id="g", topics=None)
    once, more = passed(kafka, 8, lambda times: OffsetFetchRequest(groups=[one] * times))
    assert once > PARTITIONS
    assert more <= MOST_FOR_EACH


def test_the_members_of_a_classic_group() -> None:
    kafka = grouped("4.3")
    members = [Member(kafka, protocols=[("range", b"topics")]) for _ in range(20)]
    settled(*members)
    once, more = passed(kafka, 5, lambda times: DescribeGroupsRequest(groups=["g"] * times))
    assert once > (10 if is_compiled() else 20) * MOST_FOR_EACH  # calls inside the compiled core are not counted
    assert more <= MOST_FOR_EACH


@pytest.mark.parametrize("kind", [ConsumerGroupDescribeRequest, ShareGroupDescribeRequest])
def test_groups_that_do_not_exist(kind: type[Request]) -> None:
    _, more = passed(grouped("4.3"), 1, lambda times: kind(group_ids=["g"] * times))
    assert more <= MOST_FOR_EACH


def test_the_partitions_of_a_transaction() -> None:
    kafka = transactional("3.9")
    producer = TransactionalProducer(kafka).initialised()
    producer.add(*[("t", n) for n in range(2)])
    _, more = passed(kafka, 0, lambda times: DescribeTransactionsRequest(transactional_ids=["x"] * times))
    assert more <= MOST_FOR_EACH


def test_the_producers_of_a_partition() -> None:
    kafka = booted("3.9")
    store(kafka, *[in_transaction(n, producer=n) for n in range(PARTITIONS)])

    def naming(times: int) -> Request:
        return DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0] * times)])

    once, more = passed(kafka, 0, naming)
    assert once > PARTITIONS
    assert more <= MOST_FOR_EACH
