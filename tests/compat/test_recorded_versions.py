import pytest
from fakekafka import Release
from fakekafka.ids import ApiKey
from fakekafka_compat.recorded_versions import HIGHEST, versions_towards

RECORDED = {
    ("kafka-python==2.3.3", "0.10.2"): "1 2 2 2 0 1 0 - -",
    ("kafka-python==2.3.3", "2.0"): "3 6 4 4 2 3 2 - 1",
    ("kafka-python==3.0.12", "2.4"): "5 9 8 6 3 6 4 - 2",
    ("kafka-python==3.0.12", "3.1"): "7 12 8 8 4 7 5 - 4",
    ("confluent-kafka==1.9.2", "1.0"): "2 4 3 3 1 2 1 - 0",
    ("confluent-kafka==2.16.1", "2.1"): "4 7 6 5 2 3 2 - 1",
    ("confluent-kafka==2.16.1", "3.9"): "7 12 9 9 2 5 3 3 4",
    ("aiokafka==0.14.0", "2.4"): "3 5 3 3 1 5 3 0 0",
    ("kafka-clients==3.9.0", "0.11.0"): "2 4 3 3 1 2 1 - 0",
    ("kafka-clients==4.3.0", "3.3"): "7 12 - - 4 9 5 - 4",
}
"""Rows of recordings, in the table's order of APIs; "-" where two versions are on the wire, or none."""
APIS = ("LIST_OFFSETS", "METADATA", "OFFSET_COMMIT", "OFFSET_FETCH", "FIND_COORDINATOR", "JOIN_GROUP", "SYNC_GROUP",
        "API_VERSIONS", "INIT_PRODUCER_ID")  # fmt: skip


@pytest.mark.parametrize(("client", "release"), RECORDED)
def test_the_rule_gives_what_was_recorded(client: str, release: str) -> None:
    found = versions_towards(client, Release.parse(release))
    row = " ".join(str(found.get(ApiKey[api], "-")) for api in APIS)
    assert row == RECORDED[client, release]


def test_a_version_that_a_client_does_not_have_is_left_out() -> None:
    found = versions_towards("aiokafka==0.14.0", Release.parse("2.2"))  # 2.2 has JoinGroup 4 and SyncGroup 2
    assert (found[ApiKey.JOIN_GROUP], found[ApiKey.SYNC_GROUP]) == (2, 1)


def test_unrecorded_clients_have_no_versions() -> None:
    assert versions_towards("kafka-python==1.4.7", Release.parse("2.3")) == {}
    assert all(len(versions) == len(APIS) for versions in HIGHEST.values())
