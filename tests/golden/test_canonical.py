"""Which differences between answers count."""

from collections.abc import Sequence
from typing import Any

import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.release import Mode, Release
from fakekafka.wire.apis.delete_topics import DeletableTopicResult, DeleteTopicsResponse
from fakekafka.wire.apis.describe_cluster import DescribeClusterBroker, DescribeClusterResponse
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)
from fakekafka.wire.apis.describe_producers import DescribeProducersResponse, TopicResponse
from fakekafka.wire.apis.fetch import FetchableTopicResponse, FetchResponse, PartitionData
from fakekafka.wire.apis.incremental_alter_configs import AlterConfigsResourceResponse, IncrementalAlterConfigsResponse
from fakekafka.wire.apis.init_producer_id import InitProducerIdResponse
from fakekafka.wire.apis.join_group import JoinGroupResponse, JoinGroupResponseMember
from fakekafka.wire.apis.metadata import MetadataResponse, MetadataResponseBroker, MetadataResponseTopic
from fakekafka.wire.apis.produce import PartitionProduceResponse, ProduceResponse, TopicProduceResponse
from fakekafka.wire.message import Response

from tests.golden.canonical import canonical, says_it_all
from tests.golden.form import Labels

UUIDS = ["00000000-0000-0000-0000-00000000000" + n for n in "123"]


def same(one: Response, other: Response, version: int, **how: Any) -> bool:
    return canonical(one, version, Labels(**how)) == canonical(other, version, Labels(**how))


def metadata(**broker: Any) -> MetadataResponse:
    return MetadataResponse(brokers=[MetadataResponseBroker(**{"node_id": 0, "host": "a", "port": 1, **broker})])


def test_addresses_do_not_count_but_their_presence_does() -> None:
    assert same(metadata(), metadata(host="b", port=2), 1)
    assert not same(metadata(), metadata(host=""), 1)
    assert not same(metadata(), metadata(node_id=1), 1)


def test_throttle_times_do_not_count() -> None:
    assert same(MetadataResponse(throttle_time_ms=5), MetadataResponse(), 3)


def test_elements_with_an_identity_come_in_any_order() -> None:
    topics = [TopicResponse(name=name) for name in "abc"]
    assert same(DescribeProducersResponse(topics=topics), DescribeProducersResponse(topics=topics[::-1]), 0)
    other = [*topics[:2], TopicResponse(name="d")]
    assert not same(DescribeProducersResponse(topics=topics), DescribeProducersResponse(topics=other), 0)


def test_the_order_of_brokers_counts() -> None:
    brokers = [DescribeClusterBroker(broker_id=n, host="a", port=1, rack=None) for n in range(3)]
    assert not same(DescribeClusterResponse(brokers=brokers), DescribeClusterResponse(brokers=brokers[::-1]), 0)


@pytest.mark.parametrize(
    ("release", "mode", "is_equal"), [("0.11.0.3", "zk", True), ("2.3.1", "zk", False), ("3.9.1", "kraft", True)]
)
def test_the_order_of_deleted_topics_counts_unless_it_differs_from_run_to_run(
    release: str, mode: Mode, is_equal: bool
) -> None:
    one, other = (
        DeleteTopicsResponse(responses=[DeletableTopicResult(name=name) for name in names]) for names in ("ab", "ba")
    )
    labels = Labels(), Labels()
    for each in labels:
        each.release, each.mode = Release.parse(release), mode
    assert (canonical(one, 1, labels[0]) == canonical(other, 1, labels[1])) == is_equal


def altered(names: str) -> IncrementalAlterConfigsResponse:
    return IncrementalAlterConfigsResponse(
        responses=[AlterConfigsResourceResponse(resource_type=2, resource_name=name) for name in names]
    )


@pytest.mark.parametrize(
    ("names", "release", "is_equal"), [("ab", "2.8.2", False), ("abcde", "2.8.2", True), ("abcde", "3.2.3", False)]
)
def test_the_order_of_altered_configs_is_chance_only_in_a_long_list(names: str, release: str, is_equal: bool) -> None:
    labels = Labels(), Labels()
    for each in labels:
        each.release, each.mode = Release.parse(release), "zk"
    forms = [canonical(altered(some), 1, label) for some, label in zip((names, names[::-1]), labels)]
    assert (forms[0] == forms[1]) == is_equal


@pytest.mark.parametrize(
    ("errors", "is_equal"), [((0, 3, 3, 29, 29), True), ((0, 0, 3, 29, 29), False), ((0, 3, 3), False)]
)
def test_topics_without_an_answer_may_be_in_any_order_if_many_were_asked_for(
    errors: Sequence[int], is_equal: bool
) -> None:
    rows = [MetadataResponseTopic(error_code=error, name=f"t{n}") for n, error in enumerate(errors)]
    other = [rows[0], rows[2], rows[1], *rows[3:]]
    labels = Labels(), Labels()
    for each in labels:
        each.release, each.mode = Release.parse("2.5.1"), "zk"
    forms = [canonical(MetadataResponse(topics=some), 1, label) for some, label in zip((rows, other), labels)]
    assert (forms[0] == forms[1]) == is_equal


def test_an_element_that_comes_twice_differs_from_one_that_comes_once() -> None:
    topic = MetadataResponseTopic(name="a")
    assert not same(MetadataResponse(topics=[topic, topic]), MetadataResponse(topics=[topic]), 1)


def fetched(*names: str) -> FetchResponse:
    return FetchResponse(responses=[FetchableTopicResponse(topic=name, partitions=[PartitionData()]) for name in names])


def test_the_order_of_a_fetch_counts() -> None:
    assert not same(fetched("a", "b"), fetched("b", "a"), 2)
    assert not same(fetched("a", "b"), fetched("b", "a"), 3)


def test_the_order_of_produced_topics_counts_until_it_follows_from_their_ids() -> None:
    one, other = (
        ProduceResponse(responses=[TopicProduceResponse(name=name, partition_responses=[]) for name in names])
        for names in ("ab", "ba")
    )
    for release, is_equal in (("4.0.0", False), ("4.1.0", True)):
        labels = Labels(), Labels()
        for each in labels:
            each.release = Release.parse(release)
        assert (canonical(one, 9, labels[0]) == canonical(other, 9, labels[1])) == is_equal


def members(leader: int, *listed: int) -> JoinGroupResponse:
    ids = [f"client-{UUIDS[n]}" for n in range(3)]
    rows = [JoinGroupResponseMember(member_id=ids[n], metadata=b"%d" % place) for place, n in enumerate(listed)]
    return JoinGroupResponse(leader=ids[leader], member_id=ids[leader], members=rows)


def test_member_ids_are_equal_when_they_stand_in_equal_places() -> None:
    assert same(members(0, 0, 1), members(2, 2, 0), 0)
    assert not same(members(0, 0, 1), members(0, 1, 2), 0)


def test_a_list_of_unknown_ids_is_labelled_in_an_order_that_does_not_depend_on_them() -> None:
    one, other = Labels(), Labels()
    assert canonical(members(0, 0, 1, 2), 0, one) == canonical(members(2, 2, 1, 0), 0, other)


def test_producer_id_0_is_like_any_other() -> None:
    assert same(InitProducerIdResponse(producer_id=0), InitProducerIdResponse(producer_id=4), 0)
    assert not same(InitProducerIdResponse(producer_id=0), InitProducerIdResponse(producer_id=-1), 0)


def produced(**fields: Any) -> ProduceResponse:
    return ProduceResponse(responses=[TopicProduceResponse(partition_responses=[PartitionProduceResponse(**fields)])])


def test_texts_count_only_in_a_strict_comparison() -> None:
    one, other = produced(error_message="a"), produced(error_message="b")
    assert same(one, other, 8)
    assert not same(one, other, 8, strict_text=True)
    assert not same(one, produced(error_message=None), 8)


def test_a_request_as_java_prints_it_is_equal_on_every_connection() -> None:
    one = produced(error_message="Request Request(processor=1, session=Session@295d94c6) is not authorized.")
    other = produced(error_message="Request Request(processor=0, session=Session@3fb6bc9f) is not authorized.")
    assert same(one, other, 8, strict_text=True)
    assert not same(one, produced(error_message="Request denied."), 8, strict_text=True)


def test_times_count_where_the_clock_stood_still() -> None:
    one, other = produced(log_append_time_ms=5), produced(log_append_time_ms=6)
    assert not same(one, other, 2)
    assert same(one, other, 2, frozen=False)
    assert not same(one, produced(log_append_time_ms=-1), 2, frozen=False)


def configured(name: str, value: str) -> DescribeConfigsResponse:
    result = DescribeConfigsResult(configs=[DescribeConfigsResourceResult(name=name, value=value)])
    return DescribeConfigsResponse(results=[result])


def test_configs_of_the_machine_do_not_count() -> None:
    assert same(configured("log.dirs", "/a"), configured("log.dirs", "/b"), 0)
    assert not same(configured("log.retention.ms", "1"), configured("log.retention.ms", "2"), 0)


def test_fields_of_other_versions_do_not_count() -> None:
    assert same(produced(log_start_offset=3), produced(log_start_offset=4), 4)
    assert not same(produced(log_start_offset=3), produced(log_start_offset=4), 5)


def test_answers_with_ids_in_them_need_a_second_look() -> None:
    assert says_it_all(ApiKey.METADATA, 1)
    assert not says_it_all(ApiKey.METADATA, 2)  # it holds the cluster id
    assert not says_it_all(ApiKey.FETCH, 0)
    assert says_it_all(ApiKey.API_VERSIONS, 3)
