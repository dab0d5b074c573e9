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


def test_a_broker_that_runs_is_not_forgotten_here() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    assert unregister(kafka, 1).error_code == -1
    assert unregister(kafka, 7).error_code == 102
