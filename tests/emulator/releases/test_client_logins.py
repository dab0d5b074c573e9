"""How clients of each age log in at each release."""

import pytest
from fakekafka.releases.client_logins import GENERATIONS, cautions, login_of, login_words, versions_on
from fakekafka.releases.release import Release


def words(library: str, version: str, release: str) -> str:
    login, parsed = login_of(library, version), Release.parse(release)
    assert login is not None
    return login_words(login, parsed, parsed.default_mode)


def beware(library: str, version: str, release: str) -> list[str]:
    login, parsed = login_of(library, version), Release.parse(release)
    assert login is not None
    return list(cautions(login, parsed, parsed.default_mode))


@pytest.mark.parametrize(
    ("library", "version", "release", "told"),
    [
        ("kafka-python", "2.0.2", "0.10.0", "PLAIN: 0 / bare tokens"),
        ("kafka-python", "2.0.2", "4.3", "PLAIN, SCRAM, OAUTHBEARER: 0 / bare tokens"),
        ("kafka-python", "3.0.12", "1.1", "PLAIN, SCRAM: 1 / 0"),
        ("kafka-python", "3.0.12", "2.3", "PLAIN, SCRAM, OAUTHBEARER: 1 / 1"),
        ("kafka-clients", "0.9.0.1", "3.9", "cannot: it has GSSAPI at most"),
        ("kafka-clients", "3.9.0", "0.9.0", "cannot: no mechanism in common"),
        ("kafka-clients", "3.9.0", "3.9", "PLAIN, SCRAM, OAUTHBEARER: 1 / 2"),
    ],
)
def test_logins_depend_on_library_version_and_release(library: str, version: str, release: str, told: str) -> None:
    assert words(library, version, release) == told


def test_libraries_that_were_not_recorded_are_unknown() -> None:
    assert login_of("sarama", "1.40") is None
    assert login_of("kafka-python", "0.9.5") is None


def test_a_client_with_bare_tokens_is_not_told_why_it_fails_and_is_cut_off_since_2_5() -> None:
    closed, cut = "a failed login is a closed connection to it", "connections.max.reauth.ms cuts it off"
    assert beware("kafka-python", "2.0.2", "2.3") == [closed]
    assert beware("kafka-python", "2.0.2", "2.8") == [closed, cut]


def test_a_client_that_does_not_renew_its_login_is_cut_off_since_2_2() -> None:
    assert beware("confluent-kafka", "1.6.1", "2.1") == []
    assert beware("confluent-kafka", "1.6.1", "2.3") == ["connections.max.reauth.ms cuts it off"]
    assert beware("kafka-clients", "3.9.0", "4.3") == []


def test_a_repeated_nonce_fails_at_4_0() -> None:
    assert "SCRAM fails: it repeats its nonce" in beware("confluent-kafka", "2.3.0", "4.0")
    assert "SCRAM fails: it repeats its nonce" not in beware("confluent-kafka", "2.3.0", "3.9")
    assert "SCRAM fails: it repeats its nonce" not in beware("confluent-kafka", "2.16.1", "4.0")


@pytest.mark.parametrize("release", ["0.9.0", "0.10.0", "0.10.2", "1.0", "2.5", "4.3"])
def test_later_generations_log_in_with_no_older_versions(release: str) -> None:
    parsed = Release.parse(release)
    found = [versions_on(login, parsed, parsed.default_mode) for login in GENERATIONS]
    numbers = [(-1, -1) if one is None else (one[0], -1 if one[1] is None else one[1]) for one in found]
    assert numbers == sorted(numbers)
