"""Signs of producers with ids: sequences, epochs, transactions."""

from collections.abc import Iterator, Mapping
from typing import Final

from fakekafka.bugs.signs.journals.exchange import Exchange, Sent
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.errors import ErrorCode
from fakekafka.records.batch import Batch

FIRST_THAT_ADDS: Final = 12
"""The first version of Produce that adds partitions to transactions by itself (KIP-890)."""
REMEMBERED: Final = 5
"""How many batches of a producer brokers from 1.0 on recognize when they are sent again."""
FENCED: Final = (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH)


def pid_era(exchange: Exchange, _: History) -> str | None:
    unknown = any(sent.error == ErrorCode.UNKNOWN_PRODUCER_ID for sent in exchange.sent)
    return "error 59, unknown producer id" if unknown else None


def kafka_5494(exchange: Exchange, history: History) -> str | None:
    for sent, unit in _out_of_order(exchange):
        mine = [one for one in map(_identity, history.batches(sent.place)) if one[:2] == _identity(unit)[:2]]
        if _identity(unit) in mine[-REMEMBERED:]:
            return f"the batch with sequence {unit.base_sequence} was taken, and got 45 when it came again"
    return None


def kafka_7298(exchange: Exchange, history: History) -> str | None:
    for sent, unit in _out_of_order(exchange):
        alone = not any(before.producer_id == unit.producer_id for before in history.batches(sent.place))
        if unit.is_transactional and alone and sent.place in history.finished.get(unit.producer_id, ()):
            return f"{sent.topic}-{sent.partition} has only markers of producer {unit.producer_id}, whose batch got 45"
    return None


def kafka_12671(exchange: Exchange, history: History) -> str | None:
    for sent in exchange.taken if exchange.version < FIRST_THAT_ADDS else ():
        for unit in sent.batches:
            if unit.is_transactional and unit.producer_id in history.ended:
                return f"a batch of producer {unit.producer_id} was taken after the end of its transaction"
    return None


def kafka_19367(exchange: Exchange, history: History) -> str | None:
    request, response = exchange.line.request, exchange.line.response
    if exchange.api != "InitProducerId" or response is None or response["error_code"] not in FENCED:
        return None
    mine = (request.get("producer_id", -1), request.get("producer_epoch", -1))
    owner = mine[0] >= 0 and history.init.get(request["transactional_id"]) == mine
    return "the owner of a transactional id is fenced, and nobody else has asked for it" if owner else None


def _out_of_order(exchange: Exchange) -> Iterator[tuple[Sent, Batch]]:
    for sent in exchange.sent:
        if sent.error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER:
            yield from ((sent, unit) for unit in sent.batches if unit.producer_id >= 0)


def _identity(batch: Batch) -> tuple[int, ...]:
    """How a broker recognizes a batch that is sent again."""
    return batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.last_sequence


SIGNS: Final[Mapping[str, Sign]] = {
    "PID-ERA": pid_era,
    "KAFKA-5494": kafka_5494,
    "KAFKA-7298": kafka_7298,
    "KAFKA-12671": kafka_12671,
    "KAFKA-19367": kafka_19367,
}
