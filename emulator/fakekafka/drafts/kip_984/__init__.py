"""KIP-984: compression plug-ins. This is the cluster's side; the clients' side is `fakekafka.plugins`."""
