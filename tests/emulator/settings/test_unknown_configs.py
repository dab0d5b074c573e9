import pytest
from fakekafka import FakeKafka, UsageError

ASKED: list[tuple[str, dict[str, str]]] = [
    ("4.1.1", {"log.message.format.version": "3.0"}),
    ("4.1.1", {"log.message.format.version": "nonsense"}),
    ("4.1.1", {"inter.broker.protocol.version": "3.9"}),
    ("4.1.1", {"zookeeper.connect": "localhost:2181"}),
    ("4.1.1", {"log.message.timestamp.difference.max.ms": "x"}),
    ("4.0.0", {"log.message.format.version": "2.0", "inter.broker.protocol.version": "2.0", "zookeeper.connect": "x"}),
    ("3.9.1", {"port": "9092x", "host.name": "h"}),
    ("3.0.2", {"host.name": "h", "advertised.port": "x"}),
    ("2.3.1", {"fetch.max.bytes": "x", "process.roles": "broker"}),
    ("0.10.2.2", {"transaction.state.log.min.isr": "x"}),
    ("0.9.0.1", {"log.message.format.version": "0.10.0"}),
    ("0.8.2.2", {"inter.broker.protocol.version": "nonsense"}),
]
"""Properties that these real brokers were given. They started, and ignored them."""


@pytest.mark.parametrize(("release", "config"), ASKED)
def test_a_config_that_only_other_releases_have_is_ignored_with_a_warning(release: str, config: dict[str, str]) -> None:
    with pytest.warns(UserWarning, match="ignores the config") as said:
        kafka = FakeKafka(release, config=config)
    assert [str(one.message).split("'")[1] for one in said] == list(config)
    assert all(one.filename == __file__ for one in said)
    assert [d.what for d in kafka.explain()[: len(config)]] == [f"config {name}" for name in config]
    with kafka.boot() as kafka:
        assert kafka.release == release


@pytest.mark.parametrize("release", ["0.8.2.2", "0.10.2.2", "2.3.1", "2.8.2", "3.6.2", "3.9.1", "4.1.1"])
def test_a_config_of_no_release_is_taken_for_a_typo_unless_unknown_configs_are_ignored(release: str) -> None:
    """Real brokers of these releases started with no.such.property=1."""
    with pytest.raises(UsageError, match=r"no config 'no\.such\.property'"):
        FakeKafka(release, config={"no.such.property": "1"})
    with pytest.warns(UserWarning, match=r"'no\.such\.property': it is of no release"):
        FakeKafka(release, config={"no.such.property": "1"}, unknown_configs="ignored").boot().stop()


def test_an_ignored_config_has_its_effect_in_a_release_that_has_it() -> None:
    with pytest.warns(UserWarning, match=r"2\.3\.1 ignores the config 'fetch\.max\.bytes': it came in 2\.5"):
        kafka = FakeKafka("2.3", config={"fetch.max.bytes": 4096}).boot()
    kafka.restart("2.8")
    assert kafka._running.cluster.brokers[0].config.int("fetch.max.bytes") == 4096
    kafka.stop()


def test_properties_of_plugins_and_listeners_have_their_effect_where_unknown_ones_are_ignored() -> None:
    properties = {"super.users": "User:a", "listener.name.plaintext.max.connections": "7"}
    with pytest.warns(UserWarning, match=r"ignores the config 'no\.such\.property'") as said:
        kafka = FakeKafka(config={**properties, "no.such.property": "1"}, unknown_configs="ignored").boot()
    assert len(said) == 1
    assert dict(kafka._running.cluster.brokers[0].config.static).items() >= properties.items()
    kafka.stop()


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(UsageError, match="use one of refused, ignored"):
        FakeKafka(unknown_configs="kept")  # type: ignore[arg-type]
