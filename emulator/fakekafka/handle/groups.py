"""The section about groups and transactions: their state, and how to make them hurry."""

from typing import TYPE_CHECKING

from fakekafka.handle.section import Section

if TYPE_CHECKING:
    from fakekafka.overview.groups import GroupOverview
    from fakekafka.overview.transactions import TransactionOverview


class Groups(Section):
    """Groups of every protocol, and transactions."""

    def groups(self) -> "dict[str, GroupOverview]":
        """The groups by id: state, members with their partitions, commits with their lag."""
        from fakekafka.overview.groups import groups_of  # groups are loaded when first asked for

        return {group.id: group for group in self._on_loop(lambda: groups_of(self._running.cluster))}

    def settle(self, group: str, *, members: int | None = None, timeout: float = 10.0) -> "GroupOverview":
        """Wait until a group is at rest, with `members` members (None: at least one); the broker hurries.

        At rest means stable, or empty, with no member waiting to join. The initial delay of a new group ends at once.
        How soon a member learns of others depends on the client: `client_config(..., quick=True)` makes that a tenth of
        a second. A client that is gone without leaving the group stays a member until its session ends, as with a real
        broker; `evict` ends it now. Raises `TimeoutError` after `timeout` seconds, which says what the group waits for.
        """
        from fakekafka.impatience.settling import settle

        return settle(self._runtime, group, members, timeout)

    def evict(self, group: str, member: str) -> None:
        """End a member's session now, as if it had been silent for its session timeout.

        `member`: its member id, or its instance id or client id. A live client learns of it from its next heartbeat,
        and joins again. Raises `UsageError`, which lists the members, if none or several have that name.
        """
        from fakekafka.impatience.eviction import evict

        self._on_loop(lambda: evict(self._running.cluster, group, member))

    def transactions(self) -> "dict[str, TransactionOverview]":
        """The transactional ids, each with its producer and its last transaction."""
        from fakekafka.overview.transactions import transactions_of

        return {
            transaction.id: transaction for transaction in self._on_loop(lambda: transactions_of(self._running.cluster))
        }
