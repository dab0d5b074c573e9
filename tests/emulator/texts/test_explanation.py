"""What a broker says about its differences from a real one."""

import pytest
from fakekafka import FakeKafka
from fakekafka.handlers import SERVED
from fakekafka.ids import ApiKey
from fakekafka.releases.release import LAST_PATCH
from fakekafka.state.configs import own_defaults


def told(kafka: FakeKafka) -> dict[str, str]:
    return {difference.what: difference.here for difference in kafka.explain()}


@pytest.mark.parametrize("release", LAST_PATCH)
def test_every_default_of_ours_is_explained_unless_the_user_sets_it(release: str) -> None:
    configs = FakeKafka(release)._runtime.blueprint.profile.broker_configs
    ours = {own.name: own.value for own in own_defaults(1) if own.name in configs}
    ours = {name: value for name, value in ours.items() if configs[name].default != value}
    assert ours.items() <= told(FakeKafka(release)).items()
    assert not ours.keys() & told(FakeKafka(release, config=dict.fromkeys(ours, "1"))).keys()
    assert not ours.keys() & told(FakeKafka(release, config=dict.fromkeys(ours))).keys()


@pytest.mark.parametrize("release", LAST_PATCH)
def test_every_api_that_is_accepted_but_not_served_is_explained(release: str) -> None:
    kafka = FakeKafka(release)
    unserved = {f"API {key.name} ({int(key)})" for key in kafka._runtime.blueprint.accepted if key not in SERVED}
    assert {what for what in told(kafka) if what.startswith("API ")} == unserved


def test_a_difference_is_one_line() -> None:
    lines = [str(difference) for difference in FakeKafka("2.3").explain()]
    assert "log.dirs: /memory/broker-N here, a directory in a real broker: no log_dir was given" in "\n".join(lines)
    assert all("\n" not in line for line in lines)


def test_differences_that_do_not_apply_are_not_explained(tmp_path: object) -> None:
    assert "the metadata log" not in told(FakeKafka("2.3"))
    assert "the metadata log" in told(FakeKafka("4.3"))
    assert "log.dirs" not in told(FakeKafka("2.3", log_dir=str(tmp_path)))
    assert "SASL GSSAPI" not in told(FakeKafka("0.9.0"))
    assert ApiKey.SASL_HANDSHAKE in FakeKafka("2.6")._runtime.blueprint.ranges
    assert "SASL GSSAPI" in told(FakeKafka("2.6"))


def test_quirks_that_are_switched_to_what_the_release_did_not_ship_are_named() -> None:
    def quirks(release: str, switches: str) -> list[tuple[str, str, str]]:
        found = FakeKafka(release, quirks=switches).explain()
        return [(d.what, d.real, d.here) for d in found if d.what.startswith("quirk ")]

    assert quirks("1.0.1", "KAFKA-6739") == []
    assert quirks("1.0.1", "-KAFKA-6739") == [("quirk KAFKA-6739", "shipped", "off")]
    assert quirks("2.3", "KAFKA-6739") == [("quirk KAFKA-6739", "not shipped", "on")]
