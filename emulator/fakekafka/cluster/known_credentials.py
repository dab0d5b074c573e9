"""The SCRAM credentials that one broker knows.

Under ZooKeeper these are those of the cluster. In KRaft mode a broker learns of them from the metadata log, one step
at a time. If a step removes the last user of a mechanism, those that it adds after that are lost (ScramDelta.apply).
Steps are the changes of one request, but a broker that starts takes all that the log has as one. Real brokers write a
snapshot after an hour, and then start from that (metadata.log.max.snapshot.interval.ms); here, there is none.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.state.cluster_settings import ClusterSettings, CredentialChange

if TYPE_CHECKING:
    from fakekafka.security.sasl.credentials import ScramCredential

ByMechanism: TypeAlias = "dict[int, dict[str, ScramCredential]]"


class KnownCredentials:
    """What a broker knows about the credentials in `settings`. `at_start`: how many steps the log had when it started.
    `by_log`: whether it learns of them from a log.
    """

    def __init__(self, settings: ClusterSettings, at_start: int, *, by_log: bool) -> None:
        self._settings, self._at_start, self._by_log = settings, at_start, by_log
        self._read = 0
        self._image: ByMechanism = {}
        self._for_logins: ByMechanism = {}

    def for_login(self, user: str, mechanism: int) -> "ScramCredential | None":
        """The credential by which a client is checked. A running broker hears of every change."""
        if not self._by_log:
            return self._settings.scram.get(user, {}).get(mechanism)
        self._catch_up()
        return self._for_logins.get(mechanism, {}).get(user)

    def described(self) -> "dict[str, dict[int, ScramCredential]]":
        """The credentials by user and mechanism, as a client is told about them."""
        if not self._by_log:
            return self._settings.scram
        self._catch_up()
        users: dict[str, dict[int, ScramCredential]] = {}
        for mechanism, known in self._image.items():
            for user, credential in known.items():
                users.setdefault(user, {})[mechanism] = credential
        return users

    # ---- the log

    def _catch_up(self) -> None:
        history = self._settings.scram_history
        if self._read < self._at_start:
            self._change_image(change for step in history[: self._at_start] for change in step)
            self._for_logins = {mechanism: dict(known) for mechanism, known in self._image.items()}
            self._read = self._at_start
        for step in history[self._read :]:
            self._change_image(step)
            self._change_logins(step)
        self._read = len(history)

    def _change_image(self, step: Iterable[CredentialChange]) -> None:
        changes: dict[int, dict[str, ScramCredential | None]] = {}
        for mechanism, user, credential in step:
            changes.setdefault(mechanism, {})[user] = credential
        for mechanism, of_users in changes.items():
            self._change_mechanism(mechanism, of_users)

    def _change_mechanism(self, mechanism: int, of_users: "dict[str, ScramCredential | None]") -> None:
        known = self._image.setdefault(mechanism, {})
        for user in texts_in_order(of_users, MapKind.JAVA):
            credential = of_users[user]
            if credential is not None:
                known[user] = credential
                continue
            known.pop(user, None)
            if not known:
                self._image.pop(mechanism, None)  # what comes after that goes nowhere

    def _change_logins(self, step: Iterable[CredentialChange]) -> None:
        for mechanism, user, credential in step:
            known = self._for_logins.setdefault(mechanism, {})
            if credential is None:
                known.pop(user, None)
            else:
                known[user] = credential
