"""The waits of `RemoteKafka`."""

from typing import TYPE_CHECKING, Any

from fakekafka.emulator import FakeKafka
from fakekafka.remote.forwarding import Remote, forwarded
from fakekafka.remote.requests import RemoteJournal, RemoteRequests
from fakekafka.watching import TIMEOUT_S

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis


class RemoteWaits(Remote):
    """Waits for what clients do; the other process waits, and answers when it has happened."""

    wait_for_records = forwarded(FakeKafka.wait_for_records)
    wait_for_commit = forwarded(FakeKafka.wait_for_commit)
    wait_for_group = forwarded(FakeKafka.wait_for_group)
    wait_for_transaction = forwarded(FakeKafka.wait_for_transaction)

    @property
    def _journal(self) -> RemoteJournal:
        return RemoteJournal(self._client)

    def wait_for_request(
        self,
        api: "Apis" = None,
        *,
        count: int = 1,
        error: str | None = None,
        answered: bool | None = None,
        timeout: float = TIMEOUT_S,
        **match: Any,
    ) -> RemoteRequests:
        """Wait until `count` matching requests have come, and return them; see `FakeKafka.wait_for_request`."""
        return RemoteRequests(self._journal, self._journal.waited_for(api, count, error, answered, timeout, **match))
