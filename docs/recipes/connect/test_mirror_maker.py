from fakekafka import FakeKafka
from kafka import KafkaConsumer
from programs import one_replica, running


def test_an_old_cluster_is_mirrored_into_a_new_one(tmp_path):
    with FakeKafka("0.11.0", topics={"orders": 1}) as old, FakeKafka("4.3") as new:
        old.send("orders", b"two apples")
        reader = KafkaConsumer(
            "orders", group_id="shop", auto_offset_reset="earliest", **old.client_config("kafka-python")
        )
        assert next(reader).value == b"two apples"
        reader.close()  # which commits
        settings = {
            "clusters": "old, new",
            "old.bootstrap.servers": old.bootstrap_servers,
            "new.bootstrap.servers": new.bootstrap_servers,
            "old->new.enabled": "true",
            "sync.group.offsets.enabled": "true",
            "sync.group.offsets.interval.seconds": 1,
            "emit.checkpoints.interval.seconds": 1,
            "offset.lag.max": 0,
            "sync.topic.acls.enabled": "false",
            "replication.factor": 1,
            **one_replica("checkpoints.topic", "heartbeats.topic", "offset-syncs.topic"),
            **one_replica("config.storage", "offset.storage", "status.storage"),
        }
        main = "org.apache.kafka.connect.mirror.MirrorMaker"
        with running(main, settings, tmp_path, until="Kafka MirrorMaker started"):
            [order] = new.wait_for_records("old.orders", 1, timeout=120)
            assert order.value == b"two apples"
            new.wait_for_commit("shop", "old.orders", partition=0, offset=1, timeout=60)
