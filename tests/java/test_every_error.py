"""Kafka's own Java classes read every error in every version of every API that has room for one. Run by `tox -e java`.

kafka-python reads what it knows in `tests/emulator/faults/test_every_error.py`; these clients know the rest.
"""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.faults.match import api_name
from fakekafka.faults.possible import carrying
from fakekafka.handlers import SERVED
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class
from fakekafka.wire.codec import encode_bytes

from tests.emulator.wire.values import filled, restricted
from tests.java.programs import Program, compiled, needs_java, running, told

pytestmark = needs_java

CLIENTS = ("3.9.1", "4.3.1")
"""The last client that has every old version, and the newest, which is asked about versions that both have: some were
drafts before.
"""
ERRORS = [error for error in ErrorCode if error is not ErrorCode.NONE]
ERRORS_IN_THE_LOWEST_VERSION_ONLY = {ApiKey.API_VERSIONS}
"""APIs whose answers with an error have version 0, whatever version was asked for (KIP-511)."""

IN_NO_CLIENT = {
    (ApiKey.TXN_OFFSET_COMMIT, 6),
    (ApiKey.DELETE_GROUPS, 3),
    (ApiKey.STREAMS_GROUP_HEARTBEAT, 1),
    (ApiKey.STREAMS_GROUP_DESCRIBE, 1),
}
"""Versions that were specified, but are in no released client."""


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Program]]:
    with ExitStack() as stack:
        paths = [compiled(tmp_path_factory.mktemp("java"), version, "ErrorReader") for version in CLIENTS]
        yield [stack.enter_context(running("java", "-Xmx128m", "-cp", path, "ErrorReader")) for path in paths]


@pytest.mark.parametrize("key", [key for key in SERVED if carrying(key)], ids=api_name)
def test_java_clients_read_every_error_in_every_version(readers: list[Program], key: ApiKey) -> None:
    for version in carrying(key):
        if version and key in ERRORS_IN_THE_LOWEST_VERSION_ONLY:
            continue
        asked = restricted(filled(request_class(key)), version)
        for error in ERRORS:
            body = encode_bytes(refusal(asked, version, error, inner=(error + version) % 2 == 0), version)
            answers = [told(reader, f"{int(key)} {version} {bytes(body).hex()}") for reader in readers]
            known = [answer for answer in answers if answer != ["unknown"]]
            assert bool(known) is ((key, version) not in IN_NO_CLIENT), version
            assert known[-1:] in ([], [["read", "0", str(int(error))]]), (version, error)
