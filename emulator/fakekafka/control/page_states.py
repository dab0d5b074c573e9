"""Operations for the page: everything that it shows, in one answer, as soon as something has changed."""

from typing import Final, NamedTuple

from fakekafka.control.cluster_states import ClusterState, Time, clock, cluster
from fakekafka.control.desk import Desk
from fakekafka.control.fault_switches import FaultRule
from fakekafka.control.journal import RequestLine, lines
from fakekafka.overview.groups import GroupOverview
from fakekafka.overview.topics import TopicOverview
from fakekafka.overview.transactions import TransactionOverview
from fakekafka.server.refused_connection import RefusedConnection
from fakekafka.storage.conversion_bill import Conversion

MOST_REFUSED: Final = 20
LONGEST_S: Final = 2.0
"""The page gets an answer at least this often: not every change appears in the journal."""


class PageState(NamedTuple):
    """What the page shows."""

    requests_so_far: int
    cluster: ClusterState
    clock: Time
    topics: list[TopicOverview]
    groups: list[GroupOverview]
    transactions: list[TransactionOverview]
    requests: list[RequestLine]
    conversions: list[Conversion]
    faults: list[FaultRule]
    refused: list[RefusedConnection]
    """Connections that were turned away."""


def page_state(desk: Desk, after: int = -1, timeout: float = LONGEST_S) -> PageState:
    """What the page shows, as soon as the number of requests differs from `after`, or after `timeout` seconds."""
    kafka = desk.kafka
    runs = kafka.is_running
    if runs:
        kafka.wait_for_more_requests(after, min(timeout, LONGEST_S))
        runs = kafka.is_running
    return PageState(
        requests_so_far=kafka.counted_requests()[0] if runs else 0,
        cluster=cluster(desk),
        clock=clock(desk),
        topics=list(kafka.describe_topics().values()) if runs else [],
        groups=list(kafka.groups().values()) if runs else [],
        transactions=list(kafka.transactions().values()) if runs else [],
        requests=lines(desk, lambda entry: True) if runs else [],
        conversions=[each for each in kafka.conversions() if not each.zero_copy] if runs else [],
        faults=desk.faults.shown(),
        refused=kafka.refused_connections[-MOST_REFUSED:] if runs else [],
    )
