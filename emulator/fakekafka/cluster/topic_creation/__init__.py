"""How topics come to be: names, configs and counts, as ZooKeeper brokers and KRaft controllers check them."""
