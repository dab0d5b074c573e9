"""Kafka's own Java client reads, processes and writes exactly once, against `fakekafka serve`.

The fate of each transaction is decided here, and the broker is inspected before and after. Run by `tox -e java`: Maven
has to get the client from its registry first.
"""

from itertools import cycle
from typing import Final

import pytest
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse

from tests.java.programs import compiled, needs_java, running, served, tell, words
from tests.support.brokers import ask
from tests.support.committed_readers import ends, fetched

COUNT: Final = 20
WITHOUT_MEMBERS: Final = ("0.11.0",)
"""Releases whose brokers know no members in TxnOffsetCommit."""
DECISIONS: Final = ("abort", "commit", "crash", "commit", "replace", "commit")


pytestmark = needs_java


@pytest.fixture(scope="module")
def class_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By version of the client: its jars, and the program compiled with them."""
    versions = ("3.9.1", "4.3.1")
    return {version: compiled(tmp_path_factory.mktemp("java"), version, "ExactlyOnce") for version in versions}


def visible(servers: str) -> list[str]:
    """What readers of committed data see in "out"."""
    return sorted(value.decode() for index in (0, 1) for value in fetched(servers, ("out", index)))


def offsets(servers: str) -> list[int]:
    """What the group has committed; -1 if nothing."""
    asked = OffsetFetchRequestTopic(name="in", partition_indexes=[0, 1])
    got = ask(servers, OffsetFetchRequest(group_id="g", topics=[asked]), 1, OffsetFetchResponse)
    return [part.committed_offset for part in got.topics[0].partitions]


@pytest.mark.parametrize(
    ("client", "release"),
    [("3.9.1", "0.11.0"), ("3.9.1", "2.8"), ("3.9.1", "4.3"), ("4.3.1", "2.8"), ("4.3.1", "4.0"), ("4.3.1", "4.3")],
)
def test_nothing_is_lost_doubled_or_shown_too_early(client: str, release: str, class_paths: dict[str, str]) -> None:
    program = ("java", "-Xmx128m", "-cp", class_paths[client], "ExactlyOnce")
    as_member = "false" if release in WITHOUT_MEMBERS else "true"
    with (
        served(release, ["in:2", "out:2"]) as servers,
        running(*program, servers, str(COUNT), as_member) as application,
    ):
        done: list[str] = []
        decisions = cycle(DECISIONS)
        while len(done) < COUNT:
            what, *written = words(application)
            assert what == "written"
            before = offsets(servers)
            assert visible(servers) == done, "shown too early"
            decision = next(decisions)
            tell(application, decision)
            assert words(application) == ["done"]
            if decision == "commit":
                done = sorted([*done, *written])
            else:
                assert offsets(servers) == before
            assert visible(servers) == done
        assert done == sorted(f"V{n}" for n in range(COUNT))
        assert offsets(servers) == [ends(servers, ("in", index)) - 1 for index in (0, 1)], "all but the last marker"
