from fakekafka.state.zookeeper_offsets import ZooKeeperOffsets


def test_each_group_topic_and_partition_has_its_node() -> None:
    offsets = ZooKeeperOffsets()
    offsets.put("g", "t", 0, 5)
    offsets.put("g", "t", 0, 6)
    offsets.put("g", "t", 1, 7)
    offsets.put("h", "t", 0, 8)
    assert offsets.get("g", "t", 0) == 6
    assert offsets.get("g", "t", 2) is None
    assert offsets.of_group("g") == {("t", 0): 6, ("t", 1): 7}
    assert dict(offsets.all()) == {("g", "t", 0): 6, ("g", "t", 1): 7, ("h", "t", 0): 8}
    offsets.clear()
    assert offsets.of_group("g") == {}
