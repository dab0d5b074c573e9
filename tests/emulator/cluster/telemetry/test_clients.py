"""The clients that brokers have told what they want: when they may ask and push, and when they are forgotten."""

import pytest
from fakekafka.cluster.telemetry.clients import MOST_CLIENTS, KnownClient, KnownClients
from fakekafka.cluster.telemetry.wanted import Client, Wanted
from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour
from fakekafka.releases.profile import profile
from fakekafka.releases.release import starting
from fakekafka.state.client_software import UNNAMED
from fakekafka.waiting.timers import BrokerTimers, Timers

NOW = 1_600_000_000_000
EVERY_SECOND = Wanted(7, ("a",), 1000)


def rules_of(release: str) -> TelemetryBehaviour:
    return profile(starting(release)).telemetry


def client(number: int = 1) -> KnownClient:
    return KnownClient(Client(number.to_bytes(16, "big"), "shop", UNNAMED, "127.0.0.1", 1, 1), EVERY_SECOND, 0)


@pytest.fixture
def timers() -> Timers:
    return Timers(0)


def test_a_client_may_ask_once_in_an_interval() -> None:
    known = client()
    assert known.asks(NOW, rules_of("3.9"))
    assert not known.asks(NOW + 999, rules_of("3.9"))
    assert known.asks(NOW + 1000, rules_of("3.9"))


def test_a_client_may_push_at_once_after_it_has_asked_then_once_in_an_interval() -> None:
    known = client()
    known.asks(NOW, rules_of("3.9"))
    assert known.pushes(NOW)
    assert not known.pushes(NOW + 999)
    assert known.pushes(NOW + 1000)


def test_a_push_postpones_the_next_question() -> None:
    known = client()
    assert known.pushes(NOW)
    assert not known.asks(NOW + 999, rules_of("3.9"))


@pytest.mark.parametrize(("release", "may"), [("4.0.0", False), ("4.0.1", True)])
@pytest.mark.parametrize("error", [ErrorCode.UNKNOWN_SUBSCRIPTION_ID, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE])
def test_a_client_refused_for_what_a_new_subscription_mends_may_ask_at_once(
    release: str, may: bool, error: ErrorCode
) -> None:
    """Recorded from 4.0.0 to 4.0.1: random_telemetry."""
    known, rules = client(), rules_of(release)
    known.pushes(NOW)
    known.last_error = error
    assert known.asks(NOW, rules) is may
    assert not known.asks(NOW, rules)


@pytest.mark.parametrize(("release", "forgotten"), [("3.7", False), ("3.8", True)])
def test_a_client_that_is_silent_for_a_minute_is_forgotten(timers: Timers, release: str, forgotten: bool) -> None:
    """Recorded from 3.7.2 to 3.8.1: telemetry_questions."""
    clients, known = KnownClients(rules_of(release), BrokerTimers(timers)), client()
    clients.add(known, 1)
    clients.note(known, 1)
    timers.run_due(59_999)
    assert clients.find(known.client.instance_id) is known
    timers.run_due(60_000)
    assert (clients.find(known.client.instance_id) is None) is forgotten


def test_a_client_with_a_long_interval_is_remembered_for_three_of_them(timers: Timers) -> None:
    clients = KnownClients(rules_of("4.0"), BrokerTimers(timers))
    known = KnownClient(client().client, EVERY_SECOND._replace(push_interval_ms=50_000), 0)
    clients.add(known, 1)
    clients.note(known, 1)
    timers.run_due(149_999)
    assert clients.find(known.client.instance_id) is known
    timers.run_due(150_000)
    assert clients.find(known.client.instance_id) is None


@pytest.mark.parametrize(("release", "forgotten"), [("3.9", False), ("4.0", True)])
def test_the_client_that_was_told_last_on_a_connection_ends_with_it(
    timers: Timers, release: str, forgotten: bool
) -> None:
    """Recorded from 3.9.2 to 4.3.1: telemetry_questions, random_telemetry."""
    clients, first, last = KnownClients(rules_of(release), BrokerTimers(timers)), client(1), client(2)
    for known in (first, last):
        clients.add(known, 5)
        clients.note(known, 5)
    clients.end_connection(5)
    assert clients.find(first.client.instance_id) is first
    assert (clients.find(last.client.instance_id) is None) is forgotten


def test_the_client_that_was_idle_longest_makes_room(timers: Timers) -> None:
    clients = KnownClients(rules_of("4.0"), BrokerTimers(timers))
    for number in range(MOST_CLIENTS + 1):
        clients.add(known := client(number), number)
        clients.note(known, number)
        if number == 1:
            first = clients.find(client(0).client.instance_id)
            assert first is not None
            clients.note(first, 0)
    assert len(clients) == MOST_CLIENTS
    assert clients.find(client(0).client.instance_id) is not None
    assert clients.find(client(1).client.instance_id) is None
