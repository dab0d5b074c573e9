"""A sign in incremental fetch sessions (KIP-227): partitions that never get their turn."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from fakekafka.bugs.signs.journals.exchange import FIRST_WITH_TOPIC_IDS, Exchange
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.ids import Offset, TopicPartition

FIRST_WITH_SESSIONS: Final = 7
LEAST_WAITS: Final = 8


class Session:
    """What a consumer waits for in one session."""

    def __init__(self) -> None:
        self.offsets: dict[TopicPartition, Offset] = {}
        self.high_watermarks: dict[TopicPartition, Offset] = {}
        self.waits: Counter[TopicPartition] = Counter()
        """How many answers in a row had records of other partitions only."""

    def starved(self, exchange: Exchange) -> TopicPartition | None:
        """Add an exchange. Returns a partition that has had no turn although every other one has had two."""
        request = exchange.line.request
        for topic in request["topics"]:
            for part in topic["partitions"]:
                self.offsets[topic["topic"], part["partition"]] = part["fetch_offset"]
        for topic in request.get("forgotten_topics_data", ()):
            for index in topic["partitions"]:
                self.offsets.pop((topic["topic"], index), None)
        self.high_watermarks |= {given.place: given.high_watermark for given in exchange.given}
        served = {given.place for given in exchange.given if given.data}
        for place, offset in self.offsets.items() if served else ():
            waits = place not in served and self.high_watermarks.get(place, 0) > offset
            self.waits[place] = self.waits[place] + 1 if waits else 0
        most = max(LEAST_WAITS, 2 * len(self.offsets))
        return next((place for place in self.offsets if self.waits[place] >= most), None)


def kafka_12330(exchange: Exchange, history: History) -> str | None:
    """A partition that gets no records although it has some, while others get theirs again and again."""
    response = exchange.line.response
    sessions = FIRST_WITH_SESSIONS <= exchange.version < FIRST_WITH_TOPIC_IDS
    if exchange.api != "Fetch" or not sessions or response is None or not response["session_id"]:
        return None
    key = (exchange.line.broker, response["session_id"])
    if exchange.line.request["session_epoch"] <= 0:
        history.sessions[key] = Session()
    place = history.sessions.setdefault(key, Session()).starved(exchange)
    return (
        None if place is None else f"{place[0]}-{place[1]}: no records in a session whose other partitions get theirs"
    )


SIGNS: Final[Mapping[str, Sign]] = {"KAFKA-12330": kafka_12330}
