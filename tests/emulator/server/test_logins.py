"""No order of requests reaches a handler before its client has proved who it is."""

from contextlib import ExitStack
from typing import Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import ApiKey
from fakekafka.server.connection import State
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import SIZE, request_frame
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.fuzz.damage import damaged
from tests.fuzz.requests import frames
from tests.fuzz.under_fire import versions
from tests.support.handled import handled

RELEASES: Final = ("0.10.0", "0.11.0", "1.0", "2.3", "3.9", "4.3")
FIRST_WITH_SCRAM: Final = ("0.10.0",)
RIGHT: Final = b"\0alice\0wonderland"
TOKENS: Final = (
    RIGHT,
    b"\0alice\0wrong",
    b"\0nobody\0wonderland",
    b"bob\0alice\0wonderland",
    b"",
    b"\0",
    b"n,,n=alice,r=abc",
    b"n,,n=alice,r=abc,tokenauth=true",
    b"c=biws,r=abc,p=" + b"A" * 43 + b"=",
    b"n,,\x01auth=Bearer e30.e30.\x01\x01",
    b"\x01",
)
BEFORE_LOGIN: Final = {ApiKey.API_VERSIONS}


class LoginOrder(RuleBasedStateMachine):
    """One client that sends anything in any order, on one connection after another."""

    @initialize(release=st.sampled_from(RELEASES), lifetime_ms=st.sampled_from(("0", "5000")))
    def connect_first(self, release: str, lifetime_ms: str) -> None:
        self.stack = ExitStack()
        self.calls = self.stack.enter_context(handled())
        self.clock = ManualClock()
        sasl = ["PLAIN"] if release == "0.10.0" else ["PLAIN", "SCRAM-SHA-256"]
        config = {"connections.max.reauth.ms": lifetime_ms} if release >= "2.3" else {}
        self.release = release
        self.kafka = FakeKafka(
            release, users={"alice": "wonderland"}, sasl=sasl, config=config, clock=self.clock
        ).boot()
        self.proofs: dict[int, bool] = {}
        self.connect()

    def connect(self) -> None:
        self.client = self.kafka.connect()
        self.proofs[self.client.connection.id] = False

    def send(self, data: bytes) -> None:
        connection = self.client.connection
        if self.client.closed or connection.is_closing or connection.state is State.HUNG:
            self.connect()
        elif connection.state is State.BUSY:  # the end of a failed login, or a request that waits
            self.clock.advance(60_000)
            self.client.receive()
            if connection.state is State.BUSY:
                self.client.disconnect()
            self.send(data)
            return
        if RIGHT in data:
            self.proofs[self.client.connection.id] = True
        self.client.send(data)

    @rule(version=st.integers(0, 1), mechanism=st.sampled_from(("PLAIN", "SCRAM-SHA-256", "OAUTHBEARER", "plain", "")))
    def shake_hands(self, version: int, mechanism: str) -> None:
        self.send(request_frame(SaslHandshakeRequest(mechanism=mechanism), version, 1, "c"))

    @rule(version=st.integers(0, 2), token=st.sampled_from(TOKENS))
    def authenticate(self, version: int, token: bytes) -> None:
        self.send(request_frame(SaslAuthenticateRequest(auth_bytes=token), version, 2, "c"))

    @rule(token=st.sampled_from(TOKENS))
    def send_bare_token(self, token: bytes) -> None:
        self.send(SIZE.pack(len(token)) + token)

    @rule()
    def ask_for_versions(self) -> None:
        self.send(request_frame(ApiVersionsRequest(), 0, 3, "c"))

    @rule()
    def ask_for_topics(self) -> None:
        self.send(request_frame(MetadataRequest(topics=[]), 0, 4, "c"))

    @rule(data=st.data())
    def ask_anything(self, data: st.DataObject) -> None:
        api = data.draw(st.sampled_from(versions(self.release)))
        frame = data.draw(damaged(data.draw(frames(*api))))
        self.send(SIZE.pack(len(frame)) + frame)

    @rule(token=st.sampled_from(TOKENS[1:]), version=st.integers(0, 1))
    def send_all_at_once(self, token: bytes, version: int) -> None:
        shake = request_frame(SaslHandshakeRequest(mechanism="PLAIN"), version, 5, "c")
        proof = request_frame(SaslAuthenticateRequest(auth_bytes=token), 0, 6, "c")
        self.send(shake + (proof if version else SIZE.pack(len(token)) + token))
        self.ask_for_topics()

    @rule(ms=st.sampled_from((1, 100, 6_000)))
    def wait(self, ms: int) -> None:
        self.clock.advance(ms)
        self.client.receive()

    @rule()
    def connect_again(self) -> None:
        self.client.disconnect()
        self.connect()

    @invariant()
    def only_who_has_proved_it_is_handled(self) -> None:
        for call in self.calls if hasattr(self, "kafka") else ():
            if call.key in BEFORE_LOGIN:
                continue
            assert call.principal is not None
            assert str(call.principal) == "User:alice"
            assert self.proofs[call.connection_id]

    def teardown(self) -> None:
        if hasattr(self, "kafka"):
            failures = self.kafka.failures
            self.kafka.stop()
            self.stack.close()
            assert failures == ()


TestLoginOrder = LoginOrder.TestCase
TestLoginOrder.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_the_state_machine_can_log_in() -> None:
    machine = LoginOrder()
    machine.connect_first("3.9", "0")
    machine.shake_hands(1, "PLAIN")
    machine.authenticate(1, RIGHT)
    machine.ask_for_topics()
    assert [call.key for call in machine.calls] == [ApiKey.METADATA]
    machine.only_who_has_proved_it_is_handled()
    machine.teardown()
