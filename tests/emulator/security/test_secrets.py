"""Passwords, keys and tokens are shown nowhere: in no repr, report, answer, file or log."""

import gc
import logging
import stat
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final

import pytest
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.wire.apis.create_delegation_token import CreateDelegationTokenRequest, CreateDelegationTokenResponse
from fakekafka.wire.apis.describe_delegation_token import DescribeDelegationTokenRequest
from fakekafka.wire.apis.expire_delegation_token import ExpireDelegationTokenRequest
from fakekafka.wire.apis.renew_delegation_token import RenewDelegationTokenRequest
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import read_response, request_frame

PASSWORD, IN_JAAS, ALTERED, TOKEN_KEY, GUESS, DYNAMIC = (
    "wonderland-8d1f",
    "jaas-secret-77aa",
    "altered-secret-3c2b",
    "token-key-9e0d",
    "a-guess-5f5f",
    "dynamic-secret-1b1b",
)
SECRETS: Final = (PASSWORD, IN_JAAS, ALTERED, TOKEN_KEY, GUESS, DYNAMIC)
PLAIN_MODULE: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
with_modes: Final = pytest.mark.skipif(sys.platform == "win32", reason="files have no modes on Windows")
CONFIG: Final = {
    "listeners": "SASL_SSL://127.0.0.1:0",
    "security.inter.broker.protocol": "SASL_SSL",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
    "listener.name.sasl_ssl.plain.sasl.jaas.config": f'{PLAIN_MODULE} user_bob="{IN_JAAS}";',
    "delegation.token.secret.key": TOKEN_KEY,
    "ssl.key.password": PASSWORD,
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def kafka(logs: Path) -> Iterator[FakeKafka]:
    """A broker with a directory; some users have logged in, others have failed to."""
    users = {"alice": PASSWORD}
    sasl = ["PLAIN", "SCRAM-SHA-256"]
    with FakeKafka("3.9", users=users, sasl=sasl, tls=True, config=CONFIG, log_dir=logs, topics={"t": 1}) as kafka:
        config = kafka.client_config("confluent-kafka", user="alice", mechanism="SCRAM-SHA-256")
        with AdminClient(config) as admin:
            info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
            change = UserScramCredentialUpsertion("carol", info, ALTERED.encode())
            for future in admin.alter_user_scram_credentials([change]).values():
                future.result()
            for future in admin.describe_configs([ConfigResource(ConfigResource.Type.BROKER, "0")]).values():
                future.result()
            name = "listener.name.sasl_ssl.plain.sasl.jaas.config"
            setting = ConfigEntry(name, f'{PLAIN_MODULE} user_dave="{DYNAMIC}";')
            setting.incremental_operation = AlterConfigOpType.SET
            broker = ConfigResource(ConfigResource.Type.BROKER, "0", incremental_configs=[setting])
            for future in admin.incremental_alter_configs([broker]).values():
                future.result()
        config = kafka.client_config("confluent-kafka", user="alice", mechanism="PLAIN")
        with AdminClient({**config, "sasl.password": GUESS, "log_level": 0}):
            assert kafka._runtime.wait_until(lambda: bool(kafka.refused_connections), 30)
        yield kafka


def check(text: str, where: str) -> None:
    shown = [secret for secret in SECRETS if secret in text]
    assert not shown, f"{where} shows {shown}"


def everything_in(start: object) -> Iterator[object]:
    """All of our objects that can be reached."""
    seen, todo = {id(start)}, [start]
    while todo:
        one = todo.pop()
        if type(one).__module__.startswith("fakekafka"):
            yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not is_code(other):
                seen.add(id(other))
                todo.append(other)


def is_code(one: object) -> bool:
    """Whether it is a module, a class or a function. Closures of the compiled core are objects that mypyc names so."""
    return isinstance(one, (ModuleType, type, FunctionType)) or type(one).__name__.endswith("_obj")


def test_no_object_shows_a_secret(kafka: FakeKafka) -> None:
    count = 0
    for one in everything_in(kafka):
        count += 1
        check(repr(one) + str(one), f"repr of a {type(one).__name__}")
    assert count > 1000


def test_no_report_shows_a_secret(kafka: FakeKafka) -> None:
    check(kafka.summary(), "the summary")
    check("\n".join(map(str, kafka.explain())), "explain()")
    check("\n".join(map(str, kafka.refused_connections)), "refused_connections")
    assert "wrong password of user 'alice'" in "\n".join(map(str, kafka.refused_connections))


def test_no_answer_shows_a_secret(kafka: FakeKafka) -> None:
    answers = [repr(entry.response) for entry in kafka.requests]
    assert any("DescribeConfigs" in answer for answer in answers)
    check("\n".join(answers), "an answer")


def test_no_request_shows_a_secret(kafka: FakeKafka) -> None:
    found = [entry for entry in kafka.requests if "AlterConfigs" in entry.api]
    assert found
    for entry in found:
        assert entry.request.resources[0].configs[0].name.endswith("sasl.jaas.config")
        check(repr(entry.request), "a request")
        check(entry.frame.decode("latin-1"), "a frame")


def test_no_token_of_the_journal_logs_anybody_in() -> None:
    with FakeKafka("3.9", users={"alice": PASSWORD}, config={"delegation.token.secret.key": TOKEN_KEY}).boot() as kafka:
        client = kafka.connect()
        client.send(request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 1, 1, "c"))
        client.send(request_frame(SaslAuthenticateRequest(auth_bytes=f"\0alice\0{PASSWORD}".encode()), 0, 2, "c"))
        asked = CreateDelegationTokenRequest(renewers=[], max_lifetime_ms=-1)
        hmac = read_response(CreateDelegationTokenResponse, 2, client.send(request_frame(asked, 2, 3, "c"))[4:])[1].hmac
        renewal = RenewDelegationTokenRequest(hmac=hmac, renew_period_ms=-1)
        client.send(request_frame(renewal, 2, 4, "c"))
        expiry = ExpireDelegationTokenRequest(hmac=hmac, expiry_time_period_ms=1000)
        client.send(request_frame(expiry, 2, 5, "c"))
        described = client.send(request_frame(DescribeDelegationTokenRequest(owners=None), 2, 6, "c"))
        assert len(hmac) == 64
        assert hmac in described, "the client is told"
        last = list(kafka.requests)[-4:]
        assert [entry.error for entry in last] == [None] * 4
        shown = [repr(entry.request) + repr(entry.response) + repr(entry.frame) for entry in last]
        assert [repr(hmac)[2:-1] in text for text in shown] == [False] * 4
        assert last[-1].response.tokens[0].token_id


def test_no_file_that_others_can_read_shows_a_secret(kafka: FakeKafka, logs: Path, tmp_path: Path) -> None:
    kafka.save(tmp_path / "saved")
    assert '"carol"' in (tmp_path / "saved" / CLUSTER_FILE).read_text("utf-8")
    for folder in (tmp_path, logs):
        files = [path for path in folder.rglob("*") if path.is_file()]
        for path in files:
            if path.name != CLUSTER_FILE:
                check(path.read_bytes().decode("latin-1"), path.name)


def test_no_exception_warning_or_output_shows_a_secret(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "fakekafka")
    config = {**CONFIG, "sasl.oauthbearer.scope": GUESS}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        FakeKafka("2.3", users={"alice": PASSWORD}, tls=True, config=config).boot().stop()
    broken = {**CONFIG, "listener.name.sasl_ssl.plain.sasl.jaas.config": f'nonsense "{IN_JAAS}"'}
    with pytest.raises(BrokerWillNotStart) as refused:
        FakeKafka("3.9", config=broken, tls=True).boot()
    check(str(refused.value), "an exception")
    check("\n".join(str(one.message) for one in warned), "a warning")
    check("".join(capfd.readouterr()) + caplog.text, "the output")


@with_modes
def test_only_its_owner_can_read_what_a_cluster_has_written_about_itself(
    kafka: FakeKafka, logs: Path, tmp_path: Path
) -> None:
    """The file holds keys and passwords."""
    kafka.save(tmp_path / "saved")
    for folder in (tmp_path / "saved", logs):
        assert stat.S_IMODE((folder / CLUSTER_FILE).stat().st_mode) == 0o600


@with_modes
def test_only_their_owner_can_read_keys() -> None:
    with FakeKafka("3.9", tls=True) as kafka:
        certificate = kafka.tls.client_certificate("CN=svc")
        folder = certificate.key_file.parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        keys = [path for path in folder.iterdir() if b"PRIVATE KEY" in path.read_bytes()]
        assert len(keys) == 2
        assert {stat.S_IMODE(path.stat().st_mode) for path in keys} == {0o600}
