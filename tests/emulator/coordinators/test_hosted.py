"""A broker's coordinators: created when first asked for, and informed about changes that concern them."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE

from tests.support.seeded import broker_of


def test_no_coordinator_is_created_for_a_topic_of_the_user() -> None:
    broker = broker_of(FakeKafka("4.1", topics={"t": 3}).boot())
    coordinators = coordinators_of(broker)
    coordinators.on_topic_deleted("t")
    coordinators.end_connection(1)
    coordinators.clear()
    assert vars(coordinators) == {"_broker": broker, "_groups": None, "_share": None, "_transactions": None}


def test_each_coordinator_is_created_once() -> None:
    coordinators = coordinators_of(broker_of(FakeKafka("4.1").boot()))
    assert coordinators.groups is coordinators.groups
    assert coordinators.share is coordinators.share
    assert coordinators.transactions is coordinators.transactions


@pytest.mark.parametrize(("topic", "attribute"), [(CONSUMER_OFFSETS, "groups"), (TRANSACTION_STATE, "transactions")])
def test_the_leader_of_an_internal_topic_coordinates_its_groups_and_ids(topic: str, attribute: str) -> None:
    kafka = FakeKafka("4.1").boot()
    kafka.create_topic(topic, partitions=2)
    assert set(getattr(coordinators_of(broker_of(kafka)), attribute).led) == {0, 1}
