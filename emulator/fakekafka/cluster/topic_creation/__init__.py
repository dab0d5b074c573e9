"""How topics are created: names, configs and counts, as ZooKeeper brokers and KRaft controllers check them."""
