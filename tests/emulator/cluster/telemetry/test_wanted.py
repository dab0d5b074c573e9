"""What subscriptions to clients' metrics want together from one client."""

import pytest
from fakekafka.cluster.telemetry.wanted import EVERYTHING, LONGEST_INTERVAL_MS, Client, wanted
from fakekafka.releases.configs import client_metrics_configs
from fakekafka.releases.profile import profile
from fakekafka.releases.release import starting
from fakekafka.state.client_software import UNNAMED, ClientSoftware

SHOP = Client(bytes(range(16)), "shop", ClientSoftware("librdkafka", "2.5.0"), "127.0.0.1", 40_000, 1)
TABLE = client_metrics_configs(starting("3.9"))
NEW, OLD = profile(starting("3.8")).telemetry, profile(starting("3.7")).telemetry


def metrics(client: Client = SHOP, **patterns: str) -> tuple[str, ...]:
    """The metrics wanted from a client by subscriptions with one pattern each, for a metric of their own name."""
    subscriptions = {name: {"metrics": name, "match": pattern} for name, pattern in patterns.items()}
    return wanted(client, subscriptions, TABLE, NEW).metrics


def test_without_a_subscription_nothing_is_wanted_and_clients_ask_every_five_minutes() -> None:
    found = wanted(SHOP, {}, TABLE, NEW)
    assert (found.metrics, found.push_interval_ms) == ((), LONGEST_INTERVAL_MS)


def test_subscriptions_that_match_add_up_and_the_shortest_interval_counts() -> None:
    one = {"metrics": "a,b", "interval.ms": "1000", "match": "client_id=sh.*"}
    two = {"metrics": "b,c", "interval.ms": "500", "match": "client_source_address=127\\.0\\.0\\.1"}
    other = {"metrics": "d", "interval.ms": "100", "match": "client_id=bakery"}
    found = wanted(SHOP, {"one": one, "two": two, "other": other}, TABLE, NEW)
    assert (found.metrics, found.push_interval_ms) == (("a", "b", "c"), 500)


def test_an_interval_longer_than_the_default_changes_nothing() -> None:
    assert wanted(SHOP, {"one": {"interval.ms": "600000"}}, TABLE, NEW).push_interval_ms == LONGEST_INTERVAL_MS


def test_a_star_subscribes_to_every_metric() -> None:
    assert wanted(SHOP, {"one": {"metrics": f"a,{EVERYTHING}"}}, TABLE, NEW).metrics == (EVERYTHING,)


def test_metrics_come_in_the_order_of_a_java_set() -> None:
    """Recorded at 4.2.1: telemetry_questions."""
    found = wanted(SHOP, {name: {"metrics": name} for name in ("id", "name", "port", "unknown")}, TABLE, NEW)
    assert found.metrics == ("port", "name", "id", "unknown")


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("client_id=shop", True),
        ("client_id=sho", False),
        (" client_id = shop ", True),
        ("client_id=bakery,client_id=shop", True),  # of two patterns for one label, the last counts
        ("client_id=shop,client_id=bakery", False),
        ("client_software_name=librdkafka,client_software_version=2\\..*", True),
        ("client_source_port=40000", True),
        ("client_source_port=127.*", False),
        ("client_instance_id=AAECAwQFBgcICQoLDA0ODw", True),
        ("", True),
    ],
)
def test_a_client_is_matched_by_all_labels_of_a_subscription(pattern: str, matches: bool) -> None:
    assert metrics(it=pattern) == (("it",) if matches else ())


def test_a_client_that_gives_no_names_matches_as_unknown_without_an_id() -> None:
    """Recorded from 3.7.2 to 4.3.1: telemetry_questions."""
    nameless = SHOP._replace(client_id=None, software=UNNAMED)
    assert metrics(nameless, id="client_id=()", name="client_software_name=unknown") == ("name", "id")


def test_in_3_7_the_port_is_taken_to_be_the_address() -> None:
    subscription = {"it": {"metrics": "it", "match": "client_source_port=127.*"}}
    assert wanted(SHOP, subscription, TABLE, OLD).metrics == ("it",)


def test_the_subscription_id_follows_from_what_is_wanted_and_from_the_client() -> None:
    """Recorded at 4.2.1: telemetry_questions, random_telemetry."""
    nothing = wanted(SHOP, {}, TABLE, NEW)
    assert nothing.subscription_id == -725132322
    other = SHOP._replace(instance_id=bytes(15) + b"\1")
    assert wanted(other, {}, TABLE, NEW).subscription_id == -725132321
    assert wanted(SHOP, {"one": {"metrics": "a"}}, TABLE, NEW).subscription_id != nothing.subscription_id


def test_a_pattern_that_would_need_backtracking_matches_nothing() -> None:
    assert metrics(it="client_id=(s)hop\\1") == ()
