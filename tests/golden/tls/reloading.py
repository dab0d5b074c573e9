"""Key stores that change while the broker runs (KIP-226): the request to the broker, and what a new client sees
afterwards.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.alter_configs import AlterableConfig as OldConfig
from fakekafka.wire.apis.alter_configs import AlterConfigsRequest, AlterConfigsResponse
from fakekafka.wire.apis.alter_configs import AlterConfigsResource as OldResource
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)

from tests.golden.tls.cases import BROKER, DN_CHANGES, INCREMENTAL, PATIENCE_S, Broker, client, exchange, met, serial

Heeded: TypeAlias = Callable[[Callable[[], bool]], None]
"""Waits until a condition holds, or until a real broker's time to apply what it has accepted is over."""


def changes(broker: Broker, heeded: Heeded) -> dict[str, Sequence[str]]:
    """For each change the outcome of the request, and the serial number that clients see afterwards."""

    def told(listener: str, file: str) -> Sequence[str]:
        """Tell the broker where its key store is."""
        before, place = seen(broker, listener), str(broker.made.folder / file)
        error, words = alter(broker, {f"listener.name.{listener.lower()}.ssl.keystore.location": place})
        if not error:
            heeded(lambda: seen(broker, listener) != before)
        shown = (words or "").replace(str(broker.made.folder), "FOLDER")
        return [f"{ErrorCode(error).name} {shown}".strip(), seen(broker, listener)]

    made = broker.made
    found: dict[str, Sequence[str]] = {"at first": [seen(broker, "TLS")]}
    made.broker_store("renewed.jks", serial=2)
    found["a new file, nothing said"] = [seen(broker, "TLS")]
    found["the same place, said for the first time"] = told("TLS", "renewed.jks")
    made.broker_store("renewed.jks", serial=3)
    found["a new file, the same place said again"] = told("TLS", "renewed.jks")
    made.broker_store("renewed.jks", serial=4, subject="CN=other")
    found["another name"] = told("TLS", "renewed.jks")
    made.broker_store("renewed.jks", serial=5, hosts=["other.example"])
    found["other alternative names"] = told("TLS", "renewed.jks")
    made.broker_store("renewed.jks", serial=6, hosts=["localhost", "more.example"])
    found["more alternative names"] = told("TLS", "renewed.jks")
    found["no such file"] = told("TLS", "missing.jks")
    made.broker_store("elsewhere.jks", serial=7, hosts=["localhost", "more.example"])
    found["another place"] = told("TLS", "elsewhere.jks")
    made.broker_store("of-other.jks", serial=9, subject="CN=other", hosts=["localhost", "more.example"])
    found["another place, another name"] = told("TLS", "of-other.jks")
    made.broker_store("less.jks", serial=10, hosts=["localhost"])
    found["another place, fewer alternative names"] = told("TLS", "less.jks")
    if broker.release >= DN_CHANGES:
        made.broker_store("free.jks", serial=8, subject="CN=other", hosts=["other.example"])
        found["another name where it may change"] = told("FREE", "free.jks")
    return found


def seen(broker: Broker, listener: str) -> str:
    return met(broker, listener, client(broker), serial)


def alter(broker: Broker, configs: Mapping[str, str]) -> tuple[int, str | None]:
    """Set configs of the broker; error and message."""
    with socket.create_connection(broker.addresses["PLAINTEXT"], PATIENCE_S) as connection:
        if broker.release >= INCREMENTAL:
            rows = [AlterableConfig(name=name, config_operation=0, value=value) for name, value in configs.items()]
            resource = AlterConfigsResource(resource_type=BROKER, resource_name="0", configs=rows)
            request = IncrementalAlterConfigsRequest(resources=[resource])
            row = exchange(connection, request, 0, IncrementalAlterConfigsResponse).responses[0]
            return row.error_code, row.error_message
        old = [OldConfig(name=name, value=value) for name, value in configs.items()]
        whole = AlterConfigsRequest(resources=[OldResource(resource_type=BROKER, resource_name="0", configs=old)])
        answer = exchange(connection, whole, 0, AlterConfigsResponse).responses[0]
        return answer.error_code, answer.error_message
