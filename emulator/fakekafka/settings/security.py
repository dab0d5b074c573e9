"""The security settings of a user: `FakeKafka(users=..., tls=..., acls=..., sasl=..., authorizer=...)`.

It is turned into Kafka's own properties where these exist, so that properties given by the user take precedence.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import UsageError
from fakekafka.releases.mechanisms import FIRST_WITH, OAUTHBEARER
from fakekafka.releases.release import Mode, Release
from fakekafka.security.acl import PREFIXED, Acl
from fakekafka.state.cluster_settings import CredentialChange
from fakekafka.state.security_config import Decision

if TYPE_CHECKING:
    from fakekafka.settings.oauth import TokenIssuer

FIRST_WITH_SIGNED_TOKENS: Final = (3, 1)
FIRST_WITH_TLS: Final = (0, 9, 0)
FIRST_WITH_PREFIXES: Final = (2, 0)
"""Rules for prefixes of names (KIP-290)."""
SCRAM_ITERATIONS: Final = 4096


class SecuritySettings(NamedTuple):
    """What the user asked for. Shows no passwords."""

    users: Mapping[str, str] = {}
    acls: tuple[Acl, ...] = ()
    mechanisms: tuple[str, ...] = ()
    encrypted: bool = False
    authorizer: Decision | None = None
    issuer: "TokenIssuer | None" = None
    """The signer of tokens for OAUTHBEARER; None: they are unsecured."""

    def __repr__(self) -> str:
        return f"SecuritySettings(users={sorted(self.users)}, acls={len(self.acls)} rules)"

    @property
    def is_plain(self) -> bool:
        """Whether no properties follow, as for most clusters."""
        return not (self.mechanisms or self.encrypted or self.acls)

    @property
    def protocol(self) -> str:
        """The protocol of the only listener, unless properties name others."""
        if self.mechanisms:
            return "SASL_SSL" if self.encrypted else "SASL_PLAINTEXT"
        return "SSL" if self.encrypted else "PLAINTEXT"

    def properties(self, release: Release, mode: Mode) -> dict[str, object]:
        """The broker properties that express the settings. Raises `UsageError` for what the release does not have."""
        properties: dict[str, object] = {}
        for name in self.mechanisms:
            if release.line_number < FIRST_WITH[name]:
                first = ".".join(map(str, FIRST_WITH[name]))
                raise UsageError(f"Kafka {release} has no SASL {name}: {first} is the first release that has it")
        if self.encrypted and release.line_number < FIRST_WITH_TLS:
            raise UsageError(f"Kafka {release} has no TLS: 0.9.0 is the first release that has it")
        if self.mechanisms:
            properties["sasl.enabled.mechanisms"] = ",".join(self.mechanisms)
        if self.issuer is not None:
            if release.line_number < FIRST_WITH_SIGNED_TOKENS:
                raise UsageError(f"Kafka {release} checks no signed tokens: 3.1 is the first release that does")
            properties |= self.issuer.broker_config(self.protocol, release.line_number)
        if self.acls:
            from fakekafka.releases.authorizers import own_authorizer

            properties["authorizer.class.name"] = own_authorizer(release, mode)
        if release.line_number < FIRST_WITH_PREFIXES and any(acl.pattern == PREFIXED for acl in self.acls):
            raise UsageError(
                f"Kafka {release} has no rules for names that begin so (orders-*): 2.0 is the first with them"
            )
        return properties

    def apply(self, cluster: Cluster) -> None:
        """Give a cluster what its brokers need before they start."""
        cluster.security.users = self.users
        cluster.security.authorizer = self.authorizer
        cluster.security.default_protocol = self.protocol

    def set_up(self, cluster: Cluster) -> None:
        """Create the rules and credentials that an operator would have created, unless they exist.

        The expiry of kept delegation tokens resumes.
        """
        if cluster.settings.tokens:
            from fakekafka.admin.delegation_tokens import sweep_tokens  # few clusters have tokens

            controller = cluster.brokers[cluster.controller_id]
            sweep_tokens(controller, first_ms=0 if controller.profile.admin.tokens_swept_at_start else None)
        for acl in self.acls:
            cluster.settings.acls.add(acl)
        for mechanism in self.mechanisms:
            if mechanism.startswith("SCRAM"):
                self._set_up_scram(cluster, mechanism)

    def _set_up_scram(self, cluster: Cluster, mechanism: str) -> None:
        from fakekafka.security.sasl.scram import NUMBERS, credential_of_password  # few clusters have SCRAM users

        number, settings = NUMBERS[mechanism], cluster.settings
        missing = [name for name in self.users if number not in settings.scram.get(name, {})]
        for name in missing:
            salt = cluster.random.randbytes(16)
            kept = credential_of_password(mechanism, self.users[name], salt, SCRAM_ITERATIONS)
            settings.change_scram([CredentialChange(number, name, kept)])


def _new_issuer() -> "TokenIssuer":
    from fakekafka.settings.oauth import TokenIssuer  # few clusters check tokens

    return TokenIssuer()


def security_settings(
    users: Mapping[str, str] | None,
    sasl: Sequence[str] | None,
    acls: Sequence[str] | None,
    authorizer: Decision | None,
    oauth: "bool | TokenIssuer" = False,
    *,
    encrypted: bool,
) -> SecuritySettings:
    """The checked settings. Raises `UsageError`."""
    for what, given in (("users", users), ("sasl", sasl), ("acls", acls)):
        if isinstance(given, str):
            wanted = '{"alice": "wonderland"}' if what == "users" else f"[{given!r}]"
            raise UsageError(f"{what}: a text; write {wanted}")
    for name in sasl or ():
        if name not in FIRST_WITH:
            raise UsageError(f"sasl: no mechanism {name!r} is played; use one of {', '.join(FIRST_WITH)}")
    issuer = _new_issuer() if oauth is True else oauth or None
    usual = (*(("PLAIN",) if users else ()), *((OAUTHBEARER,) if issuer else ()))
    mechanisms = tuple(sasl) if sasl else usual
    if issuer is not None and OAUTHBEARER not in mechanisms:
        raise UsageError("oauth: sasl leaves out OAUTHBEARER, by which clients log in with tokens")
    rules: tuple[Acl, ...] = ()
    if acls:
        from fakekafka.security.rule_words import parsed_rule  # few clusters have rules

        rules = tuple(acl for text in acls for acl in parsed_rule(text))
    return SecuritySettings(dict(users or {}), rules, mechanisms, encrypted, authorizer, issuer)
