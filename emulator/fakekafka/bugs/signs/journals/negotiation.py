"""Signs in how clients and brokers find out about each other, and in the configs of topics."""

from collections.abc import Mapping
from typing import Final

from fakekafka.bugs.signs.journals.exchange import Exchange
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.releases.message_formats import format_of

NEWEST_SASL_HANDSHAKE: Final = 1
NEWEST_CREATE_TOPICS: Final = 3
"""The newest of the releases with KAFKA-7409. The controllers of KRaft 2.8 to 3.1, which are newer, check no format."""
FORMAT_CONFIG: Final = "message.format.version"


def _unanswered(exchange: Exchange, history: History, ended: str) -> bool:
    """Whether a broker ends every ApiVersions as `ended` says."""
    asks = exchange.api == "ApiVersions" and exchange.line.error == ended
    place = (exchange.line.broker, "ApiVersions")
    return asks and not history.answered[place] and history.unanswered[place] == {ended}


def silent_apikey(exchange: Exchange, history: History) -> str | None:
    return "no answer" if _unanswered(exchange, history, "no answer") else None


def close_apikey(exchange: Exchange, history: History) -> str | None:
    return "closed" if _unanswered(exchange, history, "closed") else None


def _range(exchange: Exchange, key: ApiKey) -> tuple[int, int] | None:
    """The versions that an answer lists."""
    listed = exchange.line.response["api_keys"] if exchange.api == "ApiVersions" and exchange.line.response else []
    return next(((one["min_version"], one["max_version"]) for one in listed if one["api_key"] == key), None)


def kafka_19444(exchange: Exchange, _: History) -> str | None:
    versions = _range(exchange, ApiKey.JOIN_GROUP)
    return "JoinGroup begins at 2" if versions is not None and versions[0] == 2 else None


def kafka_18659(exchange: Exchange, _: History) -> str | None:
    versions = _range(exchange, ApiKey.PRODUCE)
    return f"Produce begins at {versions[0]}" if versions is not None and versions[0] > 0 else None


def kafka_9577(exchange: Exchange, _: History) -> str | None:
    versions = _range(exchange, ApiKey.SASL_HANDSHAKE)
    late = versions is not None and versions[1] > NEWEST_SASL_HANDSHAKE
    return f"SaslHandshake is listed up to {versions[1]}" if versions is not None and late else None


def kafka_3652(exchange: Exchange, history: History) -> str | None:
    response = exchange.line.response
    refused = exchange.api == "ApiVersions" and response is not None and (
        response["error_code"] == ErrorCode.UNSUPPORTED_VERSION
    )  # fmt: skip
    gave_up = history.last[exchange.line.connection] is exchange.line
    return f"ApiVersions {exchange.version} got 35, and the client gave up" if refused and gave_up else None


def kafka_7409(exchange: Exchange, _: History) -> str | None:
    line = exchange.line
    if exchange.api != "CreateTopics" or line.response is None or line.request.get("validate_only"):
        return None
    if exchange.version > NEWEST_CREATE_TOPICS:
        return None
    made = {topic["name"] for topic in line.response["topics"] if topic["error_code"] == ErrorCode.NONE}
    for topic in line.request["topics"]:
        for config in topic["configs"] if topic["name"] in made else ():
            if config["name"] == FORMAT_CONFIG and format_of(config["value"] or "") is None:
                return f"{topic['name']} was created with {FORMAT_CONFIG}={config['value']}"
    return None


SIGNS: Final[Mapping[str, Sign]] = {
    "SILENT-APIKEY-0.9": silent_apikey,
    "CLOSE-APIKEY-0.8": close_apikey,
    "KAFKA-19444": kafka_19444,
    "KAFKA-18659": kafka_18659,
    "KAFKA-9577": kafka_9577,
    "KAFKA-3652": kafka_3652,
    "KAFKA-7409": kafka_7409,
}
