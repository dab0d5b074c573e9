"""The quotas on what clients produce, consume and ask for, and what a client has used of them."""

from typing import Final

from fakekafka.cluster.broker import Broker
from fakekafka.handlers.call import Call
from fakekafka.jvm.numbers import MAX_LONG, whole
from fakekafka.security.principal import ANONYMOUS
from fakekafka.security.quotas import UNLIMITED, Rate, Usage

PRODUCED, CONSUMED, REQUESTS = "producer_byte_rate", "consumer_byte_rate", "request_percentage"
MOST_BYTES: Final = 0x7FFFFFFF
DEFAULTS: Final = {PRODUCED: "quota.producer.default", CONSUMED: "quota.consumer.default"}
"""The properties of a broker, up to 2.8, for clients of which no other quota is set."""


def usage_of(call: Call, key: str) -> tuple[float, Rate] | None:
    """The client's quota and what it has used of it. None: nothing counts yet."""
    broker = call.broker
    if key not in broker.usages:
        broker.usages[key] = _usage(broker, key)
    who = (call.principal or ANONYMOUS).name
    return broker.usages[key].of(broker.cluster.settings, who, call.client_id or "", call.now)


def bytes_of_quota(call: Call) -> int:
    """How much the client's quota allows in an answer to Fetch: no more than in a window (KAFKA-9677,
    ClientQuotaManager.getMaxValueInQuotaWindow).
    """
    quota_and_rate = usage_of(call, CONSUMED)
    if quota_and_rate is None or quota_and_rate[0] == UNLIMITED:
        return MOST_BYTES
    config = call.broker.config
    windows = config.int("quota.window.num", 11) - 1
    return whole(quota_and_rate[0] * windows * config.int("quota.window.size.seconds", 1))


def _usage(broker: Broker, key: str) -> Usage[Rate]:
    window_ms = 1000 * broker.config.int("quota.window.size.seconds", 1)
    windows, profile = broker.config.int("quota.window.num", 11), broker.profile
    default = broker.config.int(DEFAULTS[key], MAX_LONG) if key in DEFAULTS else MAX_LONG
    always, rules = profile.connection.usage_always_counts, profile.quotas
    return Usage(
        key,
        lambda: Rate(windows, window_ms, rules),
        by_key=rules.starts_by_kind,
        always=always,
        default=float(default),
        nameless_by_user=rules.nameless_by_user,
    )
