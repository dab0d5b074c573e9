"""Forwarding of commits and fetches of offsets: in the first design of offset management any broker takes them.

Releases refuse with 16 (NOT_COORDINATOR), and clients look for the coordinator. In that draft a broker that does not
coordinate the group passes the request on to the one that does.
"""

from copy import copy

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.state.topics import CONSUMER_OFFSETS


def at_coordinator(call: Call, group_id: str) -> Call:
    """The call as the group's coordinator gets it; unchanged without the draft, or if no broker coordinates it."""
    cluster = call.broker.cluster
    if not cluster.drafts.atomic_offset_log or call.groups.status(group_id) is not ErrorCode.NOT_COORDINATOR:
        return call
    topic = cluster.topics.get(CONSUMER_OFFSETS)
    state = None if topic is None else topic.partition(call.groups.partition_of(group_id))
    coordinator = None if state is None else cluster.brokers.get(state.leader)
    if coordinator is None:
        return call
    passed_on = copy(call)
    passed_on.broker = coordinator
    return passed_on
