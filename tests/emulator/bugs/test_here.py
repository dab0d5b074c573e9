"""The stage that plays stories in this process."""

import pytest
from fakekafka.bugs import Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.stage import WillNotStart


@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.1"])
def test_a_stage_sets_only_configs_that_its_release_has(release: str) -> None:
    """A warning would fail this."""
    assert Here(Side(release)).kafka.release.startswith(release)


def test_the_story_of_an_upgrade_begins_with_the_older_release() -> None:
    stage = Here(Side("2.3.1", begins="1.1.1"))
    assert (stage.release, stage.kafka.release) == ("1.1.1", "1.1.1")
    stage.restart("2.3.1", None, crash=False)
    assert (stage.release, stage.kafka.release) == ("2.3.1", "2.3.1")


def test_files_are_listed_while_the_broker_runs() -> None:
    stage = Here(Side("2.3.1"))
    stage.create_topic("t", 1, {})
    assert "t-0/00000000000000000000.log" in stage.files("t-0/")


def test_a_refusal_to_start_is_reported() -> None:
    stage = Here(Side("2.3.1"))
    with pytest.raises(WillNotStart, match=r"log\.message\.format\.version"):
        stage.restart(None, {"log.message.format.version": "2.3", "inter.broker.protocol.version": "0.10.2"}, False)
