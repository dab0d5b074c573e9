"""Validation of the configs of a group (GroupConfig) and of a client metrics resource (ClientMetricsConfigs)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.releases.configs import client_metrics_configs, group_configs
from fakekafka.releases.configs.definition import ConfigTable, parse_value
from fakekafka.releases.configs.values import ConfigValue, InvalidConfig

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

MOST: Final = {"streams.num.standby.replicas": "group.streams.max.standby.replicas"}
"""Bounds that are not named after what they bound."""
MATCHED: Final = frozenset({
    "client_instance_id", "client_id", "client_software_name", "client_software_version", "client_source_address",
    "client_source_port",
})  # fmt: skip


def check_group_configs(broker: "Broker", name: str, overrides: Mapping[str, str]) -> None:
    """Raises `ApiError` 40, with the broker's words."""
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Default group resources are not allowed.")
    table = group_configs(broker.profile.release)
    for config in overrides:
        if config not in table:
            raise ApiError(ErrorCode.INVALID_CONFIG, f"Unknown group config name: {config}")
    values = {config: _parsed(table, config, text) for config, text in overrides.items()}
    for config, value in values.items():
        _check_bounds(broker, config, value)
    for kind in ("consumer", "share", "streams"):
        _check_timeouts(broker, values, kind)


def _parsed(table: ConfigTable, name: str, text: str) -> ConfigValue:
    try:
        return parse_value(table[name], text)
    except InvalidConfig as wrong:
        raise ApiError(ErrorCode.INVALID_CONFIG, str(wrong)) from wrong


def _check_bounds(broker: "Broker", name: str, value: ConfigValue) -> None:
    """A group's value must lie within the broker's bounds."""
    kind, _, rest = name.partition(".")
    least, most = f"group.{kind}.min.{rest}", MOST.get(name, f"group.{kind}.max.{rest}")
    if not isinstance(value, int):
        return
    if least in broker.config.table and value < broker.config.int(least):
        raise ApiError(ErrorCode.INVALID_CONFIG, f"{name} must be greater than or equal to {least}")
    if most in broker.config.table and value > broker.config.int(most):
        raise ApiError(ErrorCode.INVALID_CONFIG, f"{name} must be less than or equal to {most}")


def _check_timeouts(broker: "Broker", values: Mapping[str, ConfigValue], kind: str) -> None:
    """A session must be longer than the time between heartbeats."""
    session, heartbeat = f"{kind}.session.timeout.ms", f"{kind}.heartbeat.interval.ms"
    times = [values.get(name, broker.config.value(f"group.{name}")) for name in (session, heartbeat)]
    long, short = times
    if isinstance(long, int) and isinstance(short, int) and long <= short:
        raise ApiError(ErrorCode.INVALID_CONFIG, f"{session} must be greater than {heartbeat}")


def check_client_metrics(broker: "Broker", name: str, overrides: Mapping[str, str]) -> None:
    """Raises `ApiError` 42, or 40 for what is not a pattern."""
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Subscription name can't be empty")
    table = client_metrics_configs(broker.profile.release)
    for config in overrides:
        if config not in table:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown client metrics configuration: {config}")
    values = {config: _parsed_metric(broker, table, config, text) for config, text in overrides.items()}
    interval = values.get("interval.ms", 100)
    if not isinstance(interval, int) or not 100 <= interval <= 3600000:
        words = f"Invalid value {interval} for interval.ms, interval must be between 100 and 3600000 (1 hour)"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    patterns = values.get("match", ())
    if not patterns and "match" in overrides and broker.profile.alter_configs.empty_match_refused:
        raise ApiError(ErrorCode.INVALID_CONFIG, "Illegal client matching pattern: ")
    for pattern in patterns if isinstance(patterns, tuple) else ():
        if not _is_pattern(pattern):
            raise ApiError(ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {pattern}")


def _parsed_metric(broker: "Broker", table: ConfigTable, name: str, text: str) -> ConfigValue:
    try:
        return parse_value(table[name], text)
    except InvalidConfig as wrong:
        code = broker.profile.alter_configs.wrong_metric
        raise ApiError(code, str(wrong) if code is ErrorCode.INVALID_CONFIG else None) from wrong


def _is_pattern(text: str) -> bool:
    """Whether this is like "client_id=app.*", with a regular expression (Java's; Python's are close enough).

    Neither half may be missing, but more signs of equality may follow (String.split; recorded from 3.9.1 and 4.0.0:
    control_patterns).
    """
    import re

    what, _, pattern = text.rstrip("=").partition("=")
    try:
        re.compile(pattern.strip())
    except re.error:
        return False
    return bool(pattern) and "=" not in pattern and what.strip() in MATCHED
