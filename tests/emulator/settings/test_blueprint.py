"""From what a user asks for to a blueprint."""

import pytest
from fakekafka import BrokerWillNotStart, UsageError
from fakekafka.ids import ApiKey
from fakekafka.releases.configs.combinations import first_problem
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, Mode, Release
from fakekafka.settings.blueprint import Blueprint, config_text
from fakekafka.state.configs import BrokerConfig


def blueprint(release: str = "2.3", brokers: int = 1, **config: object) -> Blueprint:
    properties = {name.replace("_", "."): value for name, value in config.items()}
    return Blueprint.of(release, properties, brokers, None, {})


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (3, "3"), (["a", "b"], "a,b"), (("x",), "x"), ("y", "y")]
)
def test_a_value_becomes_the_text_of_a_properties_file(value: object, text: str) -> None:
    assert config_text(value) == text


def test_a_blueprint_advertises_what_the_release_does() -> None:
    found = blueprint("0.10.2")
    assert found.ranges[ApiKey.PRODUCE] == (0, 2)
    assert ApiKey.INIT_PRODUCER_ID not in found.ranges
    assert str(found.release) == "0.10.2.2"


def test_caps_hold_for_what_is_advertised_and_what_is_accepted() -> None:
    found = Blueprint.of("2.3", {}, 1, None, {"Produce": 2, "Fetch": (1, 3)})
    for ranges in (found.ranges, found.accepted):
        assert ranges[ApiKey.PRODUCE] == (0, 2)
        assert ranges[ApiKey.FETCH] == (1, 3)


def test_a_zookeeper_broker_hides_transactions_below_protocol_0_11() -> None:
    old, new = (
        blueprint(inter_broker_protocol_version=version, log_message_format_version="0.10.2").ranges
        for version in ("0.10.2", "0.11.0")
    )
    assert ApiKey.END_TXN not in old
    assert ApiKey.END_TXN in new


def test_properties_decide_the_mode_where_a_release_has_both() -> None:
    assert blueprint("3.5").profile.mode == "kraft"
    assert blueprint("3.5", zookeeper_connect="localhost:2181").profile.mode == "zk"
    assert blueprint("2.8").profile.mode == "zk"
    assert blueprint("2.8", process_roles="broker,controller").profile.mode == "kraft"


def test_a_change_keeps_everything_else() -> None:
    found = Blueprint.of("2.3", {"num.partitions": 4}, 2, None, {"Produce": 2})
    newer = found.changed("2.4", None)
    assert (str(newer.release), newer.config, newer.brokers, newer.caps) == ("2.4.1", found.config, 2, found.caps)
    assert found.changed(None, {"num.partitions": 5}).config == {"num.partitions": "5"}


def test_a_config_that_a_real_broker_refuses_is_refused_at_once() -> None:
    with pytest.raises(BrokerWillNotStart):
        blueprint("2.3", log_message_format_version="2.4")


@pytest.mark.parametrize("mode", ["zk", "kraft"])
@pytest.mark.parametrize("line", LAST_PATCH)
def test_defaults_alone_never_clash(line: str, mode: Mode) -> None:
    try:
        found = profile(Release.parse(line), mode)
    except UsageError:
        pytest.skip(f"{line} has no mode {mode}")
    values = BrokerConfig(found, {}, 1, frozenset())
    assert first_problem(values.value, found.release, mode, found.log.formats_compared) is None
