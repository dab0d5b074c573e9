"""KAFKA-7296: a producer fails because the group's coordinator is loading."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7296",
    title="a producer fails because the group's coordinator is loading",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.5.1",
    clients=("librdkafka 1.4.0 - 1.4.4", "kafka-clients <2.1.0"),
    symptom=(
        "TxnOffsetCommit fails fatally with COORDINATOR_LOAD_IN_PROGRESS; transactional producer dies while a"
        " broker restarts"
    ),
    cause=(
        "While a group is loaded TxnOffsetCommit answers 14, which some producers take for fatal. From 2.6 on"
        " versions 0 and 1 get 15."
    ),
    remedy="Upgrade the client, or brokers to 2.6.",
    sources=("KAFKA-7296", "behaviour transactions.loading_offsets"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour transactions.loading_offsets plays it, and that one's tests"
        " show both sides"
    ),
)
