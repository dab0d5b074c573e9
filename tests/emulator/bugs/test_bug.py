"""What a bug says about itself."""

from fakekafka.bugs import Side, bug
from fakekafka.releases.release import Release


def test_the_text_of_a_side_names_all_its_settings() -> None:
    assert str(Side("2.3.1")) == "2.3.1"
    assert str(Side("2.3.1", "repaired", {"a.b": 1}, "Fetch 3")) == "2.3.1, quirks repaired, a.b=1, Fetch 3"
    assert str(Side("2.3.1", begins="1.1.1")) == "1.1.1 -> 2.3.1"
    assert str(Side("4.0.0", api_versions={"Produce": (3, 12)})) == "4.0.0, Produce (3, 12)"


def test_a_bug_knows_its_releases_and_clients() -> None:
    found = bug("KAFKA-6739")
    assert Release.parse("1.1.0") in found.runs
    assert any(one.has("pykafka") for one in found.hit)
    assert "kafka-python <1.4.0" in found.text
