"""Compression plug-ins as KIP-984 drafts them: entries, rules, codecs, and the means for Python clients to use them.

    import fakekafka.plugins.kafka_python
    fakekafka.plugins.kafka_python.install(kafka.bootstrap_servers)
    KafkaProducer(bootstrap_servers=..., compression_type="snappyPlugin")

The broker's side is `fakekafka.drafts.kip_984`.
"""
