"""What a request of 64 KiB may cost: 64 ms of CPU time and 16 MiB, or more if its API is in `EXCEPTIONS`."""

from typing import Final, NamedTuple

AT_MOST_MS, AT_MOST_MIB = 64, 16


class Allowance(NamedTuple):
    """A higher limit than usual, and the reason for it."""

    cpu_ms: int
    mib: int
    why: str


ANSWERS: Final = "each of 32,000 elements gets an answer of its own, as from a real broker"
APPENDS: Final = "each partition that is named gets a batch, or a refusal, of its own"
CHECKS: Final = "each element is checked by the controller, and has an error and its words in the answer"
EXCEPTIONS: Final = {
    "FIND_COORDINATOR": Allowance(200, 40, ANSWERS),
    "DESCRIBE_GROUPS": Allowance(200, 40, ANSWERS),
    "CONSUMER_GROUP_DESCRIBE": Allowance(200, 40, ANSWERS),
    "SHARE_GROUP_DESCRIBE": Allowance(200, 40, ANSWERS),
    "STREAMS_GROUP_DESCRIBE": Allowance(250, 40, ANSWERS),
    "DESCRIBE_SHARE_GROUP_OFFSETS": Allowance(120, 20, ANSWERS),
    "READ_SHARE_GROUP_STATE": Allowance(120, 16, ANSWERS),
    "READ_SHARE_GROUP_STATE_SUMMARY": Allowance(120, 16, ANSWERS),
    "DELETE_SHARE_GROUP_STATE": Allowance(150, 16, ANSWERS),
    "DELETE_SHARE_GROUP_OFFSETS": Allowance(100, 16, ANSWERS),
    "DESCRIBE_TRANSACTIONS": Allowance(200, 40, ANSWERS),
    "DESCRIBE_PRODUCERS": Allowance(150, 20, ANSWERS),
    "DESCRIBE_QUORUM": Allowance(150, 20, ANSWERS),
    "DELETE_GROUPS": Allowance(150, 20, ANSWERS),
    "DESCRIBE_USER_SCRAM_CREDENTIALS": Allowance(100, 20, ANSWERS),
    "DESCRIBE_TOPIC_PARTITIONS": Allowance(100, 16, ANSWERS),
    "ADD_PARTITIONS_TO_TXN": Allowance(100, 16, ANSWERS),
    "DELETE_TOPICS": Allowance(200, 20, ANSWERS),
    "UPDATE_FEATURES": Allowance(250, 30, CHECKS),
    "WRITE_TXN_MARKERS": Allowance(300, 16, APPENDS),
    "PRODUCE": Allowance(200, 20, APPENDS),
    "DELETE_RECORDS": Allowance(100, 16, APPENDS),
    "CREATE_TOPICS": Allowance(150, 16, CHECKS),
    "CREATE_PARTITIONS": Allowance(150, 16, CHECKS),
    "ALTER_CONFIGS": Allowance(250, 20, CHECKS),
    "INCREMENTAL_ALTER_CONFIGS": Allowance(250, 20, CHECKS),
    "DESCRIBE_CONFIGS": Allowance(150, 16, CHECKS),
    "ALTER_PARTITION_REASSIGNMENTS": Allowance(150, 16, CHECKS),
    "ELECT_LEADERS": Allowance(150, 16, CHECKS),
    "ALTER_REPLICA_LOG_DIRS": Allowance(100, 16, CHECKS),
    "ALTER_USER_SCRAM_CREDENTIALS": Allowance(150, 16, CHECKS),
    "ALTER_CLIENT_QUOTAS": Allowance(100, 16, CHECKS),
    "CREATE_DELEGATION_TOKEN": Allowance(100, 16, CHECKS),
}


def allowed(what: str) -> tuple[int, int]:
    """The milliseconds and MiB that a request may cost; `what` begins with the name of its API."""
    found = EXCEPTIONS.get(what.split()[0])
    return (AT_MOST_MS, AT_MOST_MIB) if found is None else (found.cpu_ms, found.mib)
