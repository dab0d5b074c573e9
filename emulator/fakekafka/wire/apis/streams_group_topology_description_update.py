"""StreamsGroupTopologyDescriptionUpdate (key 93): a streams client sends the description of its topology that a
heartbeat asked for.

Not released yet: known from the branch of 4.4.

v0   4.4      first version (KIP-1331)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class TopologyDescriptionNode(Struct):
    name: string = field("0+")
    node_type: int8 = field("0+")
    source_topics: list[string] = field("0+")
    sink_topic: string | None = field("0+", default=None)
    stores: list[string] = field("0+")
    successors: list[string] = field("0+")


class TopologyDescriptionSubtopology(Struct):
    subtopology_id: string = field("0+")
    nodes: list[TopologyDescriptionNode] = field("0+")


class TopologyDescriptionGlobalStore(Struct):
    source: TopologyDescriptionNode = field("0+")
    processor: TopologyDescriptionNode = field("0+")


class TopologyDescription(Struct):
    subtopologies: list[TopologyDescriptionSubtopology] = field("0+")
    global_stores: list[TopologyDescriptionGlobalStore] = field("0+")


class StreamsGroupTopologyDescriptionUpdateRequest(Request, key=93, versions="0", flexible="0+"):
    group_id: string = field("0+")
    member_id: string = field("0+")
    topology_epoch: int32 = field("0+")
    topology_description: TopologyDescription = field("0+")


class StreamsGroupTopologyDescriptionUpdateResponse(Response, key=93, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
