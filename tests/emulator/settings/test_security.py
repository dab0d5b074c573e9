"""The security arguments of FakeKafka, and what follows from them."""

import warnings

import pytest
from fakekafka.emulator import FakeKafka
from fakekafka.errors import BrokerWillNotStart, ErrorCode, UsageError
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse

from tests.support.brokers import answer


@pytest.mark.parametrize(
    ("release", "said", "words"),
    [
        ("0.9.0", {"users": {"alice": "pw"}}, "0.10.0 is the first release"),
        ("0.10.0", {"users": {"alice": "pw"}, "sasl": ["SCRAM-SHA-256"]}, "0.10.2 is the first release"),
        ("3.9", {"users": {"alice": "pw"}, "sasl": ["GSSAPI"]}, "no mechanism 'GSSAPI' is played"),
        ("0.8.2", {"tls": True}, "has no TLS"),
        ("0.8.2", {"acls": ["User:alice allow Read topic t"]}, "has no authorizer"),
        ("3.9", {"acls": ["alice may read"]}, "is not a rule"),
        ("1.1", {"acls": ["User:alice allow Read topic orders-*"]}, "2.0 is the first"),
        ("3.9", {"acls": "User:alice allow Read topic t"}, r"acls: a text; write \['User:alice"),
        ("3.9", {"users": {"alice": "pw"}, "sasl": "PLAIN"}, r"sasl: a text; write \['PLAIN'\]"),
        ("3.9", {"users": "alice"}, 'users: a text; write {"alice"'),
    ],
)
def test_impossible_security_arguments_are_refused(release: str, said: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        FakeKafka(release, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "protocol"),
    [
        ({}, "PLAINTEXT"),
        ({"users": {"alice": "pw"}}, "SASL_PLAINTEXT"),
        ({"tls": True}, "SSL"),
        ({"users": {"alice": "pw"}, "tls": True}, "SASL_SSL"),
    ],
)
def test_the_only_listener_speaks_the_protocol_of_the_options(said: dict[str, object], protocol: str) -> None:
    with FakeKafka("3.9", **said).boot() as kafka:  # type: ignore[arg-type]
        (listener,) = kafka._running.cluster.brokers[0].listeners
        assert listener.protocol == protocol


@pytest.mark.parametrize(
    ("release", "config", "name"),
    [
        ("2.3", {}, "kafka.security.auth.SimpleAclAuthorizer"),
        ("3.9", {"zookeeper.connect": "z:2181"}, "kafka.security.authorizer.AclAuthorizer"),
        ("3.9", {}, "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
    ],
)
def test_rules_bring_the_authorizer_of_the_release(release: str, config: dict[str, str], name: str) -> None:
    with FakeKafka(release, config=config, acls=["User:alice allow Read topic t"]).boot() as kafka:
        assert kafka._running.cluster.brokers[0].config.text("authorizer.class.name") == name


def test_rules_are_there_again_after_a_reset_and_a_restart() -> None:
    with FakeKafka("3.9", acls=["User:alice allow Read topic t"]).boot() as kafka:
        kafka.reset()
        assert len(kafka._running.cluster.settings.acls) == 1
        kafka.restart(config={"num.partitions": 3})
        assert len(kafka._running.cluster.settings.acls) == 1
        assert kafka._running.cluster.brokers[0].authorizer is not None


def test_passwords_show_nowhere() -> None:
    with FakeKafka("3.9", users={"alice": "wonderland"}, sasl=["SCRAM-SHA-256"]).boot() as kafka:
        shown = (kafka, kafka._runtime.security, kafka._running.cluster.security, kafka._running.cluster.settings.scram)
        assert "wonderland" not in repr(shown)


def test_an_unknown_user_has_no_client_config() -> None:
    with FakeKafka("3.9", users={"alice": "pw"}) as kafka, pytest.raises(UsageError, match="no user 'bob'"):
        kafka.client_config("kafka-python", user="bob")


def test_each_of_several_listeners_has_its_own_address() -> None:
    config = {"listeners": "PLAINTEXT://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0", "sasl.enabled.mechanisms": "PLAIN"}
    with FakeKafka("3.9", config=config, users={"alice": "pw"}) as kafka:
        plain, secured = (kafka.client_config("java", user=user)["bootstrap.servers"] for user in (None, "alice"))
        assert plain != secured
        assert plain == kafka.bootstrap_servers
        broker = kafka._running.cluster.brokers[0]
        assert {name: f"{host}:{port}" for name, (host, port) in broker.endpoints.items()} == {
            "PLAINTEXT": plain,
            "SASL_PLAINTEXT": secured,
        }


def test_java_clients_get_properties() -> None:
    with FakeKafka("3.9", users={"alice": 'a"b'}, tls=True) as kafka:
        found = kafka.client_config("java", user="alice")
        assert found["security.protocol"] == "SASL_SSL"
        assert found["ssl.truststore.location"] == str(kafka.tls.ca_file)
        assert found["sasl.jaas.config"].endswith('PlainLoginModule required username="alice" password="a\\"b";')


def test_a_listener_is_open_unless_clients_log_in_or_have_a_certificate() -> None:
    certificates = {"ssl.client.auth": "required"}
    with FakeKafka("3.9").boot() as kafka:
        assert kafka.open_listeners() == ["PLAINTEXT"]
    with FakeKafka("3.9", tls=True).boot() as kafka:
        assert kafka.open_listeners() == ["SSL"]
    with FakeKafka("3.9", tls=True, config=certificates).boot() as kafka:
        assert kafka.open_listeners() == []
    with FakeKafka("3.9", users={"alice": "pw"}).boot() as kafka:
        assert kafka.open_listeners() == []


def test_2_0_has_oauthbearer() -> None:
    with FakeKafka("2.0", sasl=["OAUTHBEARER"]).boot() as kafka:
        assert kafka.open_listeners() == []
    with pytest.raises(UsageError, match=r"2\.0 is the first release"):
        FakeKafka("1.1", sasl=["OAUTHBEARER"])


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("0.10.2", "kafka.security.authorizer.AclAuthorizer"),
        ("2.3", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
        ("3.2", "kafka.security.auth.SimpleAclAuthorizer"),
        ("4.0", "kafka.security.authorizer.AclAuthorizer"),
    ],
)
def test_an_authorizer_that_a_release_does_not_have_keeps_it_from_starting(release: str, name: str) -> None:
    with pytest.raises(BrokerWillNotStart, match=f"java.lang.ClassNotFoundException: {name}"):
        FakeKafka(release, config={"authorizer.class.name": name}).boot()


def test_a_java_class_as_authorizer_is_warned_about_and_explained() -> None:
    named = {"authorizer.class.name": "com.example.OurAuthorizer"}
    with pytest.warns(UserWarning, match="'authorizer.class.name' has no further effect here: classes of Java do not"):
        kafka = FakeKafka("3.9", config=named)
    (found,) = (found for found in kafka.explain() if found.what == "config authorizer.class.name")
    assert "Kafka's own rules decide, or the function given as authorizer=" in found.why


@pytest.mark.parametrize("release", ["0.9.0", "2.3", "2.8", "3.9", "4.3"])
def test_kafkas_own_authorizers_are_not_warned_about(release: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kafka = FakeKafka(release, acls=["User:alice allow Read topic t"])
    assert not [found for found in kafka.explain() if found.what == "config authorizer.class.name"]


def test_a_function_decides_for_every_request() -> None:
    """The function is asked about resources without rules, on every broker, and after a restart as well."""
    asked: list[str] = []

    def decide(principal: object, operation: str, resource: object, host: str) -> bool:
        asked.append(f"{principal} {operation} {resource} {host}")
        return operation == "Describe"

    with FakeKafka("3.9", brokers=2, authorizer=decide, topics={"t": 1}).boot() as kafka:
        for node_id in (0, 1):
            found = answer(kafka, MetadataRequest(topics=None), 1, MetadataResponse, node_id)
            assert [topic.name for topic in found.topics] == ["t"]
        made = CreateTopicsRequest(topics=[CreatableTopic(name="new", num_partitions=1, replication_factor=1)])
        refused = answer(kafka, made, 2, CreateTopicsResponse)
        assert [topic.error_code for topic in refused.topics] == [ErrorCode.TOPIC_AUTHORIZATION_FAILED]
        assert "User:ANONYMOUS Create topic new 127.0.0.1" in asked
        assert "User:ANONYMOUS from 127.0.0.1 may not Create topic new" in str(kafka.why_denied()[-1])
        kafka.restart()
        asked.clear()
        answer(kafka, MetadataRequest(topics=None), 1, MetadataResponse)
        assert asked == ["User:ANONYMOUS Describe topic t 127.0.0.1"]


def test_an_authorizer_of_zookeeper_keeps_kraft_from_starting() -> None:
    with pytest.raises(BrokerWillNotStart, match='"connectString" is null'):
        FakeKafka("3.9", config={"authorizer.class.name": "kafka.security.authorizer.AclAuthorizer"}).boot()


@pytest.mark.parametrize(("before", "after"), [("2.3", "2.8"), ("2.3", "3.9"), ("3.9", "4.0"), ("2.8", "2.3")])
def test_rules_follow_the_cluster_to_the_authorizer_of_another_release(before: str, after: str) -> None:
    with FakeKafka(before, acls=["User:alice allow Read topic t"]).boot() as kafka:
        kafka.restart(after)
        assert len(kafka._running.cluster.settings.acls) == 1


def test_an_authorizer_that_was_named_does_not_change_with_the_release() -> None:
    named = {"authorizer.class.name": "kafka.security.authorizer.AclAuthorizer"}
    with (
        FakeKafka("3.2", config=named).boot() as kafka,
        pytest.raises(BrokerWillNotStart, match="ClassNotFoundException"),
    ):
        kafka.restart("4.0")


def test_kraft_before_3_6_has_no_delegation_tokens() -> None:
    with pytest.raises(BrokerWillNotStart, match="Delegation tokens are not supported"):
        FakeKafka("3.5", config={"delegation.token.secret.key": "key"}).boot()
    FakeKafka("3.6", config={"delegation.token.secret.key": "key"}).boot().stop()
