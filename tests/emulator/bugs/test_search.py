"""Finding bugs."""

import pytest
from fakekafka.bugs import all_bugs
from fakekafka.bugs.search import search
from fakekafka.errors import UsageError


def found(**given: str) -> set[str]:
    return {bug.id for bug in search(all_bugs(), **given)}


def test_bugs_are_found_by_the_words_of_a_symptom() -> None:
    assert "KAFKA-5443" in found(symptom="High CPU")
    assert found(symptom="got 1a; expected 82") == {"KAFKA-3160"}
    assert found(symptom="nobody says this") == set()


def test_bugs_are_found_by_release() -> None:
    assert "KAFKA-6739" in found(release="1.0.1")
    assert "KAFKA-6739" not in found(release="1.0")


def test_bugs_are_found_by_client() -> None:
    assert "KAFKA-5443" in found(client="kafka-python==1.4.4")
    assert "KAFKA-5443" not in found(client="kafka-python==1.4.5")
    assert "ZSTD-OLD-FETCH" in found(client="confluent-kafka==1.4.2")


def test_bugs_are_found_by_kind() -> None:
    assert "MIXED-MAGIC" in found(kind="scenario")
    assert "KAFKA-6739" not in found(kind="scenario")
    with pytest.raises(UsageError, match="unknown kind 'trap'; the kinds are bug, era, scenario, fault"):
        found(kind="trap")


def test_bugs_must_match_every_given_condition() -> None:
    assert found(release="1.0.1", kind="bug", symptom="tracing headers") == {"KAFKA-6739"}
