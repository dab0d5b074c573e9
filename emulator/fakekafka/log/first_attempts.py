"""The sequences with which transactional producers tried to begin in a partition while their right to do so was being
verified (KIP-890; VerificationStateEntry).

They are kept from that request until something is written. Otherwise, if the first of two batches were refused and the
second were not, the second would be taken for the beginning, and the first could never follow.
"""

from typing import NamedTuple

from fakekafka.ids import DurationMs, ProducerEpoch, ProducerId, Sequence, TimestampMs


class FirstAttempt(NamedTuple):
    """What a producer has attempted."""

    epoch: ProducerEpoch
    lowest: Sequence
    from_zero: bool
    """Whether an unknown producer must begin with 0."""
    since: TimestampMs


class FirstAttempts:
    """The producers of one partition that are trying to begin a transaction in it."""

    __slots__ = ("_attempts",)

    def __init__(self) -> None:
        self._attempts: dict[ProducerId, FirstAttempt] = {}

    def note(
        self, producer: ProducerId, epoch: ProducerEpoch, first: Sequence, from_zero: bool, now: TimestampMs
    ) -> None:
        """A batch that begins with sequence `first` waits for an answer. Attempts of an older epoch do not count."""
        known = self._attempts.get(producer)
        if known is None:
            self._attempts[producer] = FirstAttempt(epoch, first, from_zero, now)
        elif epoch > known.epoch or (epoch == known.epoch and first < known.lowest):
            self._attempts[producer] = known._replace(epoch=epoch, lowest=first)

    def bars(self, producer: ProducerId, first: Sequence, is_new: bool) -> bool:
        """Whether a batch is refused because one before it is missing. `is_new`: whether the producer is unknown."""
        known = self._attempts.get(producer)
        if known is None:
            return False
        return first > known.lowest or (known.from_zero and is_new and first != 0)

    def settle(self, producer: ProducerId) -> None:
        """The producer has begun, or its transaction has ended."""
        self._attempts.pop(producer, None)

    def remove_expired(self, now: TimestampMs, expiration_ms: DurationMs) -> None:
        """Forget attempts that led to nothing."""
        self._attempts = {i: a for i, a in self._attempts.items() if now - a.since < expiration_ms}

    def __len__(self) -> int:
        return len(self._attempts)
