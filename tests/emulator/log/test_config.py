"""The configuration of a log."""

from fakekafka.log.config import LogConfig


def test_defaults_are_kafkas() -> None:
    config = LogConfig()
    assert config.segment_bytes == 2**30
    assert config.segment_index_bytes == 10 * 2**20
    assert config.segment_ms == config.retention_ms == config.producer_expiration_ms == 7 * 86_400_000
    assert config.retention_bytes == -1
    assert config.flush_messages == 2**63 - 1
