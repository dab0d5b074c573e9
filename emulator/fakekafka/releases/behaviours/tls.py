"""TLS of listeners: clients' certificates beside a login, and key stores that change while the broker runs (KIP-226).

Asked of 0.9.0.1, 0.10.1.1, 1.0.2, 1.1.1, 2.3.1, 2.5.1, 2.6.3, 2.7.2, 2.8.2, 3.9.1 and 4.3.1 (`tests/golden/tls`).
Class names: SaslChannelBuilder, SslFactory, DynamicBrokerConfig.
"""

from typing import Final, Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history

NO_STORE: Final = 'java.lang.NullPointerException: Cannot read field "type" because "x0" is null'
"""What SslFactory says about a store that is not there, on a JDK 17."""


class TlsBehaviour(Behaviours):
    """How a listener with TLS treats clients and changes."""

    certificates_beside_login: bool = history({"0.8.0": False, "2.8": True})
    """Whether a listener with SASL_SSL may demand certificates, by its own ssl.client.auth; the broker's never applies
    to it (KIP-684). Asked of 2.7.2 and 2.8.2.
    """

    renewed_store: Literal["not noticed", "taken", "refused", "left"] = history(
        {"0.8.0": "not noticed", "2.0": "taken", "2.6": "refused"}, kraft={"2.8": "left"}
    )
    """What becomes of a new file in the place of the old one once AlterConfigs is sent: nothing; it is taken, whatever
    name it is for; if it is for another name, the request is refused, or carried out without it. Asked of 1.1.1, 2.5.1,
    2.6.3, 3.9.1 and 4.3.1.
    """

    more_alternative_names: bool = history({"0.8.0": False, "2.7": True})
    """Whether a changed store may have more alternative names than the old one. Asked of 2.6.3 and 2.7.2."""

    refused_update: str = history(
        {
            "0.8.0": "Invalid value {cause} for configuration Validation of dynamic config update failed",
            "2.2.1": "Validation of dynamic config update of SSL keystore/truststore failed: {cause}",
            "2.3": "Validation of dynamic config update of SSLFactory failed: {cause}",
        }
    )
    """A change that is refused. Asked of 1.1.1, 2.1.1, 2.2.2 and 2.3.1."""

    added_key_store: str = history(
        {
            "0.8.0": NO_STORE,
            "2.2.1": "org.apache.kafka.common.config.ConfigException: Cannot add SSL keystore to an existing listener"
            " for which no keystore was configured.",
        }
    )
    """A key store for a listener that has none. Asked of 1.1.1, 2.1.1, 2.2.2, 2.3.1 and 4.3.1."""

    without_trust_store: str | None = history({"0.8.0": None, "2.0": NO_STORE, "2.2.1": None})
    """Any change of a listener that has no trust store; None: there is nothing wrong with it (KAFKA-8241). Asked of
    1.1.1, 2.1.1 and 2.2.2.
    """

    removed_key_store: str | None = history(
        {
            "0.8.0": None,
            "2.3": "org.apache.kafka.common.config.ConfigException: Cannot remove the SSL keystore from an existing"
            " listener for which a keystore was configured.",
        }
    )
    """Removing the key store; None: the listener keeps the one it has. From SslFactory.java: it takes a restart with
    other properties.
    """

    added_trust_store: str | None = history(
        {
            "0.8.0": None,
            "2.2.1": "org.apache.kafka.common.config.ConfigException: Cannot add SSL truststore to an existing listener"
            " for which no truststore was configured.",
        }
    )
    """A trust store for a listener that has none. Asked of 1.1.1, 2.1.1, 2.2.2, 2.3.1 and 4.3.1."""

    unreadable_store: str = history(
        {
            "0.8.0": "org.apache.kafka.common.KafkaException: {words}",
            "2.0": "org.apache.kafka.common.KafkaException: org.apache.kafka.common.KafkaException: {words}",
            "2.6": "org.apache.kafka.common.KafkaException: {words}",
        }
    )
    """The cause that is given if a store cannot be read. Asked of 1.1.1, 2.3.1, 2.5.1 and 2.6.3."""

    other_number: str = history(
        {
            "0.8.0": "Keystore DistinguishedName or SubjectAltNames do not match",
            "2.7": "Keystore entries do not match, existing store contains {old} entries, new store contains {new}"
            " entries",
        }
    )
    """A store with more or fewer entries. Asked of 2.6.3 and 2.7.2."""

    names_first: bool = history({"0.8.0": False, "3.7": True})
    """Whether the names of all entries are compared before alternative names (KIP-978). Asked of 3.5.2 and 3.9.1."""

    written_names_count: bool = history({"0.8.0": False, "3.5": True})
    """Whether names also count as equal if they read alike but are encoded as strings of different kinds (KAFKA-14770).
    Asked of 3.4.1 and 3.5.2.
    """

    other_name: str = history(
        {
            "0.8.0": "Keystore DistinguishedName or SubjectAltNames do not match",
            "2.7": "Keystore DistinguishedName does not match:  existing={{alias={old_alias}, DN={old}}},"
            " new={{alias={new_alias}, DN={new}}}",
        }
    )
    """A store for another name. Asked of 2.6.3 and 2.7.2."""

    other_alternative_names: str = history(
        {
            "0.8.0": "Keystore DistinguishedName or SubjectAltNames do not match",
            "2.7": "Keystore SubjectAltNames do not match:  existing={{alias={old_alias}, SAN={old}}},"
            " new={{alias={new_alias}, SAN={new}}}",
        }
    )
    """A store for other alternative names. Asked of 2.6.3 and 2.7.2."""
