"""What the name of a directory says, and which names end the broker."""

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.log_directory import LogDirectoryBehaviour
from fakekafka.releases.release import Release
from fakekafka.storage.directory_names import Named, read_name

MARKED = "0123456789abcdef0123456789abcdef"
OF_THE_FORM = "is not in the form of topic-partition"


def rules(release: str) -> LogDirectoryBehaviour:
    named = Release.parse(release)
    return resolve(LogDirectoryBehaviour, named, named.default_mode)


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0", "2.3", "4.0"])
def test_a_partition_is_a_topic_and_a_number(release: str) -> None:
    assert read_name("my-orders-3", "/d/my-orders-3", rules(release)) == Named("my-orders", 3, "")


@pytest.mark.parametrize(("release", "mark"), [("0.10.2.2", "-delete"), ("2.3", "-delete"), ("2.3", "-future")])
def test_a_mark_says_what_is_happening_to_a_partition(release: str, mark: str) -> None:
    name = f"orders-3.{MARKED}{mark}"
    assert read_name(name, f"/d/{name}", rules(release)) == Named("orders", 3, mark)


@pytest.mark.parametrize(
    ("release", "name", "words"),
    [
        ("0.8.2", "orders", "String index out of range: -1"),
        ("0.8.2", "orders-", 'For input string: ""'),
        ("0.8.2", "orders-x", 'For input string: "x"'),
        ("0.9.0", "orders", "it should not exist in Kafka's log directory"),
        ("0.9.0", "-3", OF_THE_FORM),
        ("0.9.0", "orders-", OF_THE_FORM),
        ("0.9.0", "orders-x", 'For input string: "x"'),
        ("2.3", "orders", "if marked for deletion"),
        ("2.3", "orders-x", OF_THE_FORM),
        ("2.3", "-3", OF_THE_FORM),
        ("2.3", f"orders.{MARKED}-delete", OF_THE_FORM),
    ],
)
def test_another_name_ends_the_broker_with_the_words_of_its_release(release: str, name: str, words: str) -> None:
    with pytest.raises(BrokerWillNotStart) as refused:
        read_name(name, f"/d/{name}", rules(release))
    assert words in str(refused.value)


def test_0_8_accepts_a_partition_without_a_topic() -> None:
    assert read_name("-3", "/d/-3", rules("0.8.2")) == Named("", 3, "")
