"""What a cleaner's checkpoint and log say. The lines are those of real brokers."""

import pytest

from tests.real_stories.cleaner_log import finds_nothing, outcome

PASS = "\tLog cleaner thread 0 cleaned log t-0 (dirty section = [{0}, {0}])\n\t0.0 MB of log processed in 0.0 seconds\n"
DEAD = [
    "ERROR [kafka-log-cleaner-thread-0], Error due to  (kafka.log.LogCleaner)",
    "INFO [kafka-log-cleaner-thread-0], Stopped  (kafka.log.LogCleaner)",
    "[kafka-log-cleaner-thread-0] INFO kafka.log.LogCleaner - [kafka-log-cleaner-thread-0]: Stopped",
]
LEFT_OUT = "Unexpected exception thrown when cleaning log Log(/logs/{0}). Marking its partition ({0}) as uncleanable"


def test_a_pass_has_finished_when_the_checkpoint_has_the_ends_of_all_partitions() -> None:
    ends = {"t-0": 3, "t-1": 5}
    assert outcome(ends, "0\n2\nt 0 3\nt 1 4\n", "") is None
    assert outcome(ends, "0\n3\nother 0 7\nt 1 5\nt 0 3\n", "") is True


def test_a_pass_that_has_not_begun_is_awaited() -> None:
    assert outcome({"t-0": 3}, "", "") is None


def test_a_cleaner_that_cleans_the_same_section_again_has_finished() -> None:
    """KAFKA-8764. The lines are those of 2.4.0."""
    first, second = PASS.format(0), PASS.format(2)
    assert outcome({"t-0": 3}, "0\n1\nt 0 2\n", first + second) is None
    assert outcome({"t-0": 3}, "0\n1\nt 0 2\n", first + second + first) is True
    assert outcome({"u-0": 3}, "0\n1\nt 0 2\n", first + second + first) is None


@pytest.mark.parametrize("line", DEAD)
def test_a_cleaner_whose_thread_ends_stops(line: str) -> None:
    """The lines are those of 0.8.2.2, 0.10.0.1 and 2.0.1."""
    assert outcome({"t-0": 3}, "", f"INFO Starting the log cleaner (kafka.log.LogCleaner)\n{line}\n") is False


def test_a_cleaner_that_leaves_out_one_partition_stops_for_that_one_alone() -> None:
    """The line is that of 2.1.0."""
    assert outcome({"t-0": 3}, "", LEFT_OUT.format("t-0")) is False
    assert outcome({"good-0": 3}, "", LEFT_OUT.format("t-0")) is None


def test_a_cleaner_that_has_begun_with_no_partition_finds_nothing() -> None:
    """The line is that of 2.4.0."""
    log = "[kafka-log-cleaner-thread-0] INFO kafka.log.LogCleaner - Cleaner 0: Beginning cleaning of log t-0.\n"
    assert finds_nothing({"t-0": 3}, "")
    assert finds_nothing({"u-0": 3}, log)
    assert not finds_nothing({"t-0": 3, "u-0": 3}, log)
