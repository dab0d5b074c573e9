"""What clients have left behind: group members, open transactions, connections."""

from collections.abc import Iterable, Iterator

from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.escaping import escaped
from fakekafka.server.connection import Connection, State
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE


def still_open(cluster: Cluster, connections: Iterable[Connection]) -> list[str]:
    """One line for each thing that a client has not closed."""
    return [*_members(cluster), *_transactions(cluster), *_connections(connections)]


def _members(cluster: Cluster) -> Iterator[str]:
    for broker in cluster.brokers.values() if CONSUMER_OFFSETS in cluster.topics else ():
        groups = coordinators_of(broker).groups
        overviews = [
            *groups.classic_groups.everyone(),
            *(group for kind in groups.modern for group in kind.groups.values()),
        ]
        yield from (
            f"group {group.id!r} has the member {escaped(member)}" for group in overviews for member in group.members
        )


def _transactions(cluster: Cluster) -> Iterator[str]:
    if TRANSACTION_STATE in cluster.topics:
        from fakekafka.watching.transactions import open_transactions  # few tests have transactions

        yield from (f"transactional id {each.id!r} has an open transaction" for each in open_transactions(cluster))


def _connections(connections: Iterable[Connection]) -> Iterator[str]:
    for each in connections:
        if not each.is_closing and not each.has_ended and each.state is not State.HUNG:
            client = escaped(each.client_id) or "(no client id)"
            yield f"connection {each.id} of {client} to broker {each.node_id} is open"
