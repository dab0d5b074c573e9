"""Options that several commands have, and what they mean."""

import argparse
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.releases.release import NEWEST

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
    """The collection to which a command adds its parser."""


class OneLineParser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def add_broker(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe a broker."""
    parser.add_argument("--release", default=NEWEST, help="the Kafka release to play (%(default)s)")
    parser.add_argument(
        "--config", action="append", default=[], metavar="NAME=VALUE", help="a broker property; may be repeated"
    )
    parser.add_argument("--brokers", type=int, default=1, metavar="N", help="the number of brokers (%(default)s)")
    parser.add_argument(
        "--draft", action="append", default=[], metavar="NAME", help="a design that was never shipped; may be repeated"
    )
    parser.add_argument(
        "--pace",
        default="instant",
        metavar="instant|lifelike",
        help="lifelike: leaders, coordinators and markers come a moment later, as in a real cluster (%(default)s)",
    )
    parser.add_argument("--quirks", default="", metavar="NAMES", help="quirks on or off: repaired, -KAFKA-6739, …")


def broker_config(options: argparse.Namespace) -> dict[str, object]:
    """The properties of `--config`. Raises `UsageError`."""
    config: dict[str, object] = {}
    for text in options.config:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--config {text}: write NAME=VALUE")
        config[name.strip()] = value.strip()
    return config
