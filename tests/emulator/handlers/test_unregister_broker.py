"""UnregisterBroker: who is forgotten. Asked of 3.3.2 to 4.1.1."""

from fakekafka import FakeKafka
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse

from tests.emulator.brokers import answer


def unregister(kafka: FakeKafka, broker_id: int) -> UnregisterBrokerResponse:
    return answer(kafka, UnregisterBrokerRequest(broker_id=broker_id), 0, UnregisterBrokerResponse)


def test_a_broker_that_has_stopped_is_forgotten_once() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    kafka.kill_broker(1)
    first, second = unregister(kafka, 1), unregister(kafka, 1)
    assert (first.error_code, first.error_message) == (0, "")
    assert second.error_code == 102


def test_it_is_registered_again_when_it_starts() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    kafka.stop_broker(1)
    unregister(kafka, 1)
    kafka.start_broker(1)
    kafka.stop_broker(1)
    assert unregister(kafka, 1).error_code == 0


def test_who_never_was_registered_is_unknown() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    assert unregister(kafka, 7).error_code == 102


def test_a_broker_that_runs_leads_nothing_any_more() -> None:
    kafka = FakeKafka("3.9", brokers=2, topics={"t": 2}).boot()
    leaders = {state.leader for state in kafka._running.cluster.topics["t"].partitions}
    found = unregister(kafka, 1)
    assert (found.error_code, found.error_message) == (0, "")
    assert leaders == {0, 1}
    assert 1 not in {state.leader for state in kafka._running.cluster.topics["t"].partitions}
    assert kafka.brokers() == {0: "3.9.2"}
    assert unregister(kafka, 1).error_code == 102
    kafka.start_broker(1)
    assert {state.leader for state in kafka._running.cluster.topics["t"].partitions} == {0, 1}


def test_a_broker_may_be_asked_to_have_itself_forgotten() -> None:
    kafka = FakeKafka("4.1", topics={"t": 1}).boot()
    assert unregister(kafka, 0).error_code == 0
    assert kafka.brokers() == {}
    kafka.restart()
    assert kafka.brokers() != {}
