"""What a client metrics resource holds (KIP-714), from 3.7 on."""

from typing import Final

from fakekafka.releases.configs.definition import INT, LIST, Config, config
from fakekafka.releases.configs.validators import elements

CLIENT_METRICS: Final[tuple[Config, ...]] = (
    config("metrics", LIST, {"3.7": ""}, {"4.2": elements()}),
    config("interval.ms", INT, {"3.7": "300000"}),
    config("match", LIST, {"3.7": ""}, {"4.2": elements()}),
)
