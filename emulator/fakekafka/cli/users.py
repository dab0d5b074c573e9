"""`fakekafka users`: the SCRAM users of a directory that no broker runs on, as `kafka-configs --zookeeper` made them.

Before 2.7 no request could do that (KIP-554): users were in ZooKeeper before the brokers were started. The password is
read from standard input, so that no list of processes shows it; what is stored is not a password (RFC 5802).
"""

import argparse
import secrets
import sys
from typing import TYPE_CHECKING, Final

from fakekafka.cli.tables import print_table
from fakekafka.cluster.cluster_file import ScramUsers, change_scram, read_scram
from fakekafka.errors import UsageError
from fakekafka.log.files import DiskDirectory
from fakekafka.security.sasl.scram import FEWEST_ITERATIONS, NAMES, NUMBERS, credential_of_password

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

SALT_BYTES: Final = 16


def add(commands: "Commands") -> None:
    parser = commands.add_parser("users", help="list, set or remove the SCRAM users of a directory")
    parser.add_argument("directory", metavar="DIR", help="a log_dir on which no broker runs just now")
    parser.add_argument("--set", metavar="NAME", help="give a user a password, which is read from the standard input")
    parser.add_argument("--remove", metavar="NAME", help="take a user's credential away")
    parser.add_argument("--mechanism", choices=NUMBERS, default="SCRAM-SHA-512", help="of the credential (%(default)s)")
    parser.add_argument(
        "--iterations", type=int, default=FEWEST_ITERATIONS, metavar="N", help="of the hash (%(default)s)"
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    directory = DiskDirectory(options.directory)
    users = read_scram(directory)
    if options.remove is not None:
        _remove(users, options.remove, options.mechanism)
        change_scram(directory, users)
    if options.set is not None:
        _set(users, options.set, options.mechanism, options.iterations)
        change_scram(directory, users)
    if options.set is None and options.remove is None:
        rows = [
            (name, NAMES[one.mechanism], str(one.iterations)) for name, own in users.items() for one in own.values()
        ]
        print_table(("user", "mechanism", "iterations"), rows)
    return 0


def _set(users: ScramUsers, name: str, mechanism: str, iterations: int) -> None:
    password = sys.stdin.readline().rstrip("\n")
    if not name or not password:
        raise UsageError("users --set NAME: write the password on the standard input, in one line")
    if iterations < FEWEST_ITERATIONS:
        raise UsageError(f"users --iterations {iterations}: at least {FEWEST_ITERATIONS}")
    credential = credential_of_password(mechanism, password, secrets.token_bytes(SALT_BYTES), iterations)
    users.setdefault(name, {})[credential.mechanism] = credential


def _remove(users: ScramUsers, name: str, mechanism: str) -> None:
    if users.get(name, {}).pop(NUMBERS[mechanism], None) is None:
        raise UsageError(f"users --remove {name}: there is no such user with {mechanism}")
    if not users[name]:
        del users[name]
