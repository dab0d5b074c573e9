"""Topics' configs that a release cannot read keep it from starting."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart

FORMAT = "message.format.version"


@pytest.mark.parametrize(
    ("release", "older", "version"), [("1.1.1", "0.10.2.2", "1.1"), ("0.11.0.3", "0.10.0.1", "0.11.0")]
)
def test_an_older_release_does_not_start_with_a_message_format_that_it_does_not_know(
    release: str, older: str, version: str
) -> None:
    """Asked of 0.10.0.1, 0.10.1.1 and 0.10.2.2, after newer releases had run on the directory."""
    kafka = FakeKafka(release).boot()
    kafka.create_topic("orders", config={FORMAT: version})
    kafka.stop()
    with pytest.raises(BrokerWillNotStart, match=f"Version `{version}` is not a valid version"):
        kafka.restart(release=older)
    kafka.restart(release=release)


def test_a_patch_release_names_the_message_format_of_its_line() -> None:
    kafka = FakeKafka("1.1.1").boot()
    kafka.create_topic("orders", config={FORMAT: "0.10.2.1"})
    kafka.stop()
    kafka.restart(release="0.10.2.2")
    assert kafka.release == "0.10.2.2"
