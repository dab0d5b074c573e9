"""What the user said about security: users, rules that hold from the start, an authorizer of the user's own."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from fakekafka.security.acl import Acl

Decision: TypeAlias = Callable[[Any, str, Any, str], bool]
"""See `security.authorizer.CustomAuthorizer`."""


class ClusterSecurity:
    """The security that all brokers of a cluster share: users, the rules it starts with, and the authorizer."""

    def __init__(self) -> None:
        self.users: Mapping[str, str] = {}
        """Passwords by name, on every listener with SASL."""
        self.first_acls: tuple[Acl, ...] = ()
        self.authorizer: Decision | None = None
        self.default_protocol = "PLAINTEXT"
        """The protocol of the listener of a broker whose properties name none."""

    def __repr__(self) -> str:
        return f"<ClusterSecurity of {len(self.users)} users>"
