"""What client libraries speak to brokers of each age."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey
from fakekafka.releases.client_versions import GENERATIONS, LIBRARIES, Client, Spoken, find_client
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release, starting

EVERYBODY = [find_client(f"{name}=={version}") for name, releases in LIBRARIES.items() for version in releases]


@pytest.mark.parametrize("client", [*EVERYBODY, *GENERATIONS], ids=lambda client: client.name)
def test_a_client_speaks_what_the_broker_of_that_age_has(client: Client) -> None:
    dates = [starting(since) for since in client.spoken]
    assert dates == sorted(dates)
    for date, spoken in zip(dates, client.spoken.values()):
        accepted = profile(date, date.modes[0]).accepted
        for key, version in ((ApiKey.PRODUCE, spoken.produce), (ApiKey.FETCH, spoken.fetch)):
            assert accepted[key].low <= version <= accepted[key].high, (date, key)


@pytest.mark.parametrize(("text", "release", "expected"), [
    ("kafka-python==1.4.7", "0.10.2", Spoken(2, 3, 1)),
    ("kafka-python==1.4.7", "4.3", Spoken(3, 4, 2)),
    ("confluent-kafka==2.16.1", "0.9.0", None),
    ("confluent-kafka==2.16.1", "2.3", Spoken(7, 10, 2)),
    ("confluent-kafka==2.16.1", "4.3", Spoken(10, 16, 2)),
    ("pykafka==2.8.0", "2.3", Spoken(0, 2, 1)),
    ("kafkajs==2.2.4", "0.11.0", Spoken(3, 5, 2)),
    ("@platformatic/kafka==2.12.1", "0.10.2", None),
    ("@platformatic/kafka==2.12.1", "4.3", Spoken(11, 17, 2)),
])  # fmt: skip
def test_versions_depend_on_the_broker(text: str, release: str, expected: Spoken | None) -> None:
    """Recorded from the clients."""
    assert find_client(text).towards(Release.parse(release)) == expected


def test_an_unlisted_release_speaks_as_the_one_before_it() -> None:
    assert find_client("kafka-python==2.1.0").name == "kafka-python 2.1.0 (as 2.0.2)"
    assert find_client("kafka-python==1.10.0").spoken == find_client("kafka-python==1.4.7").spoken


@pytest.mark.parametrize(("text", "words"), [
    ("kafka-python", "write NAME==VERSION"),
    ("nobody==1.0", "known are kafka-python, confluent-kafka"),
    ("kafka-python==0.1", "it is not known before 0.9.5"),
    ("kafka-python==new", "is not a version"),
])  # fmt: skip
def test_an_unknown_client_is_refused_with_the_known_ones(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_client(text)


@pytest.mark.parametrize(("fetch", "newest"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (18, 2)])
def test_the_version_of_fetch_says_what_a_client_reads(fetch: int, newest: int) -> None:
    assert Spoken(0, fetch, 0).reads == newest
