"""The directories that a starting broker finds, by their names (Log.parseTopicPartitionName).

    orders-3                        a partition
    orders-3.<32 hex>-delete        it was deleted; -future: it was being moved; -stray: the controller did not know it

The broker does not start if a directory has a name of another kind, or a mark that its release does not know.
"""

from typing import NamedTuple, assert_never

from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.releases.behaviours.log_directory import LogDirectoryBehaviour


class Named(NamedTuple):
    """What a directory's name says."""

    topic: TopicName
    partition: PartitionIndex
    mark: str
    """"-delete", "-future", "-stray", or ""."""


def read_name(name: str, path: str, rules: LogDirectoryBehaviour) -> Named:
    """What the directory `name` at `path` is. Raises `BrokerWillNotStart` with the broker's words."""
    mark = next((mark for mark in rules.marked_directories if name.endswith(mark)), "")
    if "-" not in name or (mark and "." not in name):
        raise BrokerWillNotStart(_not_of_the_form(name, path, rules))
    topic, _, digits = (name.rpartition(".")[0] if mark else name).rpartition("-")
    is_number = digits.isascii() and digits.isdigit()
    not_a_number = f'For input string: "{digits}"'
    match rules.unknown_directory:
        case "out of range":
            problem = None if is_number else not_a_number
        case "number" if topic and digits:
            problem = None if is_number else not_a_number
        case "number" | "form":
            problem = None if topic and is_number else _not_of_the_form(name, path, rules)
        case rule:
            assert_never(rule)
    if problem is not None:
        raise BrokerWillNotStart(problem)
    return Named(topic, int(digits), mark)


def _not_of_the_form(name: str, path: str, rules: LogDirectoryBehaviour) -> str:
    words = f"Found directory {path}, '{name}' is not in the form of topic-partition"
    match rules.unknown_directory:
        case "out of range":
            return "String index out of range: -1"
        case "number":
            advice = "If a directory does not contain Kafka topic data it should not exist in Kafka's log directory"
            return f"{words}\n{advice}"
        case "form":
            return (
                f"{words} or topic-partition.uniqueId-delete (if marked for deletion).\n"
                "Kafka's log directories (and children) should only contain Kafka topic data."
            )
        case rule:
            assert_never(rule)
