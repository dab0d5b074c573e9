"""KAFKA-19444: 4.0.0 lacks JoinGroup 0 and 1, which librdkafka asks for before it uses Kerberos."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-19444",
    title="4.0.0 lacks JoinGroup 0 and 1, which librdkafka asks for before it uses Kerberos",
    part="negotiation",
    kind="bug",
    releases="4.0.0",
    clients=("librdkafka <2.11.0",),
    symptom=(
        "librdkafka clients cannot use SASL/GSSAPI against 4.0.0; Broker does not support SASL GSSAPI; required"
        " feature not supported; balanced consumer off"
    ),
    cause=(
        "librdkafka's table of features asks whether the broker has JoinGroup 0 before it uses GSSAPI. 4.0.0"
        " begins at 2."
    ),
    remedy="Upgrade to 4.0.1 or 4.1, which list 0 again; librdkafka 2.11.0.",
    sources=("KAFKA-19444", "apache/kafka#20116", "recorded from 4.0.0 and 4.0.1: handshake"),
    affected=Side("4.0.0"),
    cured=Side("4.0.1"),
    no_client="it needs GSSAPI, and no Kerberos server is there to log in at",
    sees={"lowest JoinGroup listed": (2, 0)},
)


def story(play: Play) -> None:
    answer = play.call("ApiVersions", 0)
    play.see("lowest JoinGroup listed", next(one.min_version for one in answer.api_keys if one.api_key == 11))
