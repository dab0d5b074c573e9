"""What a cluster shows, as plain lists and dicts: the model that random runs are compared with."""

from typing import Final, NamedTuple

PARTITIONS: Final = (0, 1)


class Entry:
    """One record, or one commit of an offset. `transactional_id` is None once it counts."""

    def __init__(self, value: bytes | int, transactional_id: str | None) -> None:
        self.value = value
        self.transactional_id = transactional_id
        self.is_aborted = False


class ModelPartition(NamedTuple):
    """A partition of the topic, or of a group's offsets."""

    group: str | None
    partition: int


class Model:
    """Everything written to each place, in order, and since when each transaction has been open."""

    def __init__(self) -> None:
        self.entries: dict[ModelPartition, list[Entry]] = {}
        self.open: dict[str, int] = {}
        """When each open transaction began, by transactional id."""

    def write(
        self, place: ModelPartition, value: bytes | int, transactional_id: str | None = None, now: int = 0
    ) -> None:
        self.entries.setdefault(place, []).append(Entry(value, transactional_id))
        if transactional_id is not None:
            self.open.setdefault(transactional_id, now)

    def end(self, transactional_id: str, commit: bool) -> None:
        """End the transaction; without one, nothing happens."""
        self.open.pop(transactional_id, None)
        for entries in self.entries.values():
            for entry in entries:
                if entry.transactional_id == transactional_id:
                    entry.transactional_id, entry.is_aborted = None, not commit

    # ---- what must be seen

    def written(self, partition: int) -> list[bytes | int]:
        """The records that readers of uncommitted data see."""
        return [entry.value for entry in self.entries.get(ModelPartition(None, partition), [])]

    def visible(self, partition: int) -> list[bytes | int]:
        """The records that readers of committed data see: up to the first whose transaction is open."""
        found: list[bytes | int] = []
        for entry in self.entries.get(ModelPartition(None, partition), []):
            if entry.transactional_id is not None:
                break
            if not entry.is_aborted:
                found.append(entry.value)
        return found

    def is_stable(self, partition: int) -> bool:
        """Whether no record belongs to an open transaction."""
        return all(entry.transactional_id is None for entry in self.entries.get(ModelPartition(None, partition), []))

    def committed(self, group: str, partition: int) -> int:
        """A group's offset, from the last commit that counts; -1 without one."""
        entries = self.entries.get(ModelPartition(group, partition), [])
        counts = [e.value for e in entries if e.transactional_id is None and not e.is_aborted]
        last = counts[-1] if counts else -1
        assert isinstance(last, int)
        return last
