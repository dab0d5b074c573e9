"""`fakekafka completion SHELL`: what a shell needs to complete commands and options, by shtab."""

import argparse
from typing import TYPE_CHECKING, Final

from fakekafka.errors import UsageError

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

SHELLS: Final = ("bash", "zsh", "tcsh")
HOW: Final = """examples:
  fakekafka completion bash > ~/.local/share/bash-completion/completions/fakekafka
  fakekafka completion zsh > ~/.zfunc/_fakekafka"""


def add(commands: "Commands") -> None:
    completion = commands.add_parser(
        "completion",
        help="print a script with which a shell completes commands and options",
        epilog=HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    completion.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Print the script. Raises `UsageError` if shtab is not installed."""
    try:
        import shtab
    except ImportError:
        raise UsageError('completion needs shtab: pip install "fakekafka[cli]"') from None
    print(shtab.complete(options.whole_parser, shell=options.shell))
    return 0
