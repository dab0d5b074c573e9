"""The command line's reference, from its own parsers."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fakekafka.cli import parser
from fakekafka.cli.ctl import operations_parser
from fakekafka.remote.client import BY_NAME

from docs.generator.tables import table

DOCS: Final = Path(__file__).parents[1]
WITH_COMMANDS: Final = (DOCS.parent / "README.md", DOCS / "control.md", DOCS / "rehearsal.md", DOCS / "security.md")
"""The pages on which commands are shown, and run by the tests."""


def page() -> str:
    """Every command with its arguments and examples."""
    top = parser()
    parts = [f"# Command line\n\n{top.description}\n"]
    parts += [_command(name, help_text, command) for name, help_text, command in commands(top)]
    return "\n".join(parts)


def commands(top: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The commands of a parser and their subcommands: name, what it does, its parser. The commands of `ctl` are
    operations.
    """
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, known in action.choices.items():
                command = operations_parser(list(BY_NAME.values())) if known.prog == "fakekafka ctl" else known
                yield command.prog, helps.get(name, ""), command
                yield from commands(command)


def _command(name: str, help_text: str, command: argparse.ArgumentParser) -> str:
    rows = [(_spelling(a), _help(a, command)) for a in command._actions if not isinstance(a, _NOT_LISTED)]
    description = command.description or (help_text[:1].upper() + help_text[1:] + ".")
    example = f"\n```console\n{command.epilog}\n```\n" if command.epilog else ""
    if lines := commands_shown(name.removeprefix("fakekafka ")):
        example += "\n" + "\n".join(f"    {line}" for line in lines) + "\n"
    listed = "\n" + table(("argument", "meaning"), rows) if rows else ""
    return f"## {name}\n\n{description}\n{listed}{example}"


def commands_shown(name: str) -> list[str]:
    """The command lines of a command that the pages show: "serve", or "plugins register"."""
    texts = (path.read_text("utf-8") for path in WITH_COMMANDS)
    lines = [line for text in texts for line in re.findall(rf"^    (fakekafka {name}(?: .*)?)$", text, re.MULTILINE)]
    return list(dict.fromkeys(lines))


_NOT_LISTED = (argparse._HelpAction, argparse._SubParsersAction)


def _spelling(action: argparse.Action) -> str:
    """The argument as it is typed: `--release RELEASE`."""
    value = "" if action.nargs == 0 else _metavar(action)
    return f"`{' '.join(filter(None, (', '.join(action.option_strings), value)))}`"


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if action.metavar is not None:
        return action.metavar
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _help(action: argparse.Action, command: argparse.ArgumentParser) -> str:
    return command._get_formatter()._expand_help(action) if action.help else ""
