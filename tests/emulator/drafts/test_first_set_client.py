"""A client of KIP-98's first draft, over sockets."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.drafts.first_set_client import fetch, produce
from fakekafka.errors import MalformedBytes
from fakekafka.records.compression import GZIP
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet

DRAFT = ["KIP-98-draft"]


def messages(*values: bytes | None) -> DraftSet:
    return DraftSet(tuple(DraftMessage(n, 1_000 + n, b"k%d" % n, value) for n, value in enumerate(values)), GZIP)


@pytest.mark.statement("S1-7", "S1-9", "S1-12", "S1-22")
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "3.9", "4.3"])
def test_sets_are_sent_and_fetched_as_the_draft_has_them(release: str) -> None:
    with FakeKafka(release, drafts=DRAFT, brokers=2, topics={"t": 2}) as kafka:
        servers = kafka.bootstrap_servers
        for partition in range(2):
            assert [produce(servers, "t", messages(b"a", None), partition) for _ in range(2)] == [0, 2]
            found = fetch(servers, "t", partition=partition)
            assert [[(m.offset, m.timestamp, m.key, m.value) for m in each.messages] for each in found] == [
                [(first, 1_000, b"k0", b"a"), (first + 1, 1_001, b"k1", None)] for first in (0, 2)
            ]
            assert {each.attributes for each in found} == {GZIP}
            assert fetch(servers, "t", 3, partition) == found[1:]


def test_the_client_of_the_draft_reports_errors() -> None:
    with FakeKafka("3.9", drafts=DRAFT, topics={"t": 1}, config={"auto.create.topics.enable": False}) as kafka:
        with pytest.raises(UsageError, match="u: UNKNOWN_TOPIC_OR_PARTITION"):
            produce(kafka.bootstrap_servers, "u", messages(b"a"))
        with pytest.raises(UsageError, match="nobody leads t-7"):
            fetch(kafka.bootstrap_servers, "t", partition=7)
        with pytest.raises(UsageError, match="t: OFFSET_OUT_OF_RANGE"):
            fetch(kafka.bootstrap_servers, "t", 5)
    with pytest.raises(UsageError, match=r"no answer from 127\.0\.0\.1:1"):
        fetch("127.0.0.1:1", "t")


def test_a_cluster_without_the_draft_has_another_format() -> None:
    with FakeKafka("3.9", topics={"t": 1}) as kafka:
        with pytest.raises(UsageError, match="t: CORRUPT_MESSAGE"):
            produce(kafka.bootstrap_servers, "t", messages(b"a"))
        kafka.send("t", b"a")
        with pytest.raises(MalformedBytes):
            fetch(kafka.bootstrap_servers, "t")
