"""May these configs of a broker change while it runs (DynamicBrokerConfig)?

Names that the release does not know are taken: they may belong to a plug-in.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.configs import BrokerConfig
from fakekafka.errors import ErrorCode
from fakekafka.releases.configs.combinations import DIVISION_BY_ZERO, first_problem
from fakekafka.releases.configs.definition import parse_value
from fakekafka.releases.configs.values import InvalidConfig

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker

THREAD_POOLS: Final = (
    "num.io.threads", "num.network.threads", "num.replica.fetchers", "num.recovery.threads.per.data.dir",
    "background.threads",
)  # fmt: skip
"""Pools that may only double or halve at a time, each with a thread at least."""
CLEANERS: Final = "log.cleaner.threads"


def check_dynamic_configs(broker: "Broker", configs: Mapping[str, str], *, for_all: bool, prefix: str) -> None:
    """Raises `ApiError`: mostly 42, with `prefix` and the broker's words. `for_all`: they are for all brokers."""
    problem = _problem(broker, configs, for_all)
    if problem is None:
        return
    if problem == DIVISION_BY_ZERO:
        code = broker.profile.alter_configs.division_by_zero
        silent = code is ErrorCode.UNKNOWN_SERVER_ERROR and not broker.profile.words.unknown_error_explained
        raise ApiError(code, None if silent else problem)
    raise ApiError(ErrorCode.INVALID_REQUEST, prefix + problem)


def _problem(broker: "Broker", configs: Mapping[str, str], for_all: bool) -> str | None:
    problem = _not_dynamic(broker, configs) or _wrong_value(broker, configs)
    if problem is None and for_all:
        problem = _not_for_all(broker, configs)
    if problem is not None:
        return problem
    config = broker.config
    imagined = (
        config.imagined(config.dynamic, configs) if for_all else config.imagined(configs, config.dynamic_defaults)
    )
    combined = first_problem(imagined.value, broker.profile.release, broker.profile.mode)
    return combined or _pool_problem(config, imagined)


def _not_dynamic(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    fixed = [name for name in configs if name in table and table[name].mode == "read-only"]
    if fixed:
        return f"Cannot update these configs dynamically: {_set(broker, fixed)}"
    security = [name for name in configs if name in table and name.startswith("ssl.")]
    if security:
        words = "These security configs can be dynamically updated only per-listener using the listener prefix"
        return f"{words}: {_set(broker, security)}"
    return None


def _wrong_value(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    for name, text in configs.items():
        try:
            if name in table:
                parse_value(table[name], text)
        except InvalidConfig as wrong:
            return str(wrong)
    return None


def _not_for_all(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    single = [name for name in configs if name in table and table[name].mode == "per-broker"]
    if not single:
        return None
    words = "Cannot update these configs at default cluster level, broker id must be specified"
    return f"{words}: {_set(broker, single)}"


def _pool_problem(before: BrokerConfig, after: BrokerConfig) -> str | None:
    for name in THREAD_POOLS:
        old, new = before.int(name), after.int(name)
        problem = None if old == new else _size_problem(old, new)
        if problem is not None:
            return f"Dynamic thread count update validation failed for {name}={new}, value should {problem}"
    old, new = before.int(CLEANERS), after.int(CLEANERS)
    if new < old // 2:
        return f"Log cleaner threads cannot be reduced to less than half the current value {old}"
    if new > old * 2:
        return f"Log cleaner threads cannot be increased to more than double the current value {old}"
    return None


def _size_problem(old: int, new: int) -> str | None:
    if new <= 0:
        return "be at least 1"
    if new < old // 2:
        return f"be at least half the current value {old}"
    if new > old * 2:
        return f"not be greater than double the current value {old}"
    return None


def _set(broker: "Broker", names: list[str]) -> str:
    return broker.profile.words.scala_set.format(", ".join(names))
