"""`fakekafka ctl`: control a cluster that runs elsewhere, one operation of the control API at a time.

    fakekafka ctl create-topic orders --partitions 3
    fakekafka ctl --url http://127.0.0.1:9099 records orders

Required arguments are words, optional ones are options; values other than text are JSON. The result is printed as JSON;
text is printed as it is, except for what a terminal would obey.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from fakekafka.cli.options import OneLineParser
from fakekafka.escaping import escaped_json, escaped_lines

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands
    from fakekafka.control.operations import Operation, Parameter

URL_VARIABLE: Final = "FAKEKAFKA_CONTROL_URL"
TOKEN_VARIABLE: Final = "FAKEKAFKA_CONTROL_TOKEN"
USUAL_URL: Final = "http://127.0.0.1:9099"


def add(commands: "Commands") -> None:
    # another parser, made when needed, handles the options: this one treats nothing as an option
    ctl = commands.add_parser("ctl", help="command a broker of `serve --control`", add_help=False, prefix_chars="\0")
    ctl.add_argument("words", nargs=argparse.REMAINDER)
    ctl.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    from fakekafka.control.operations import Archive
    from fakekafka.control.values import read_text, written
    from fakekafka.remote.client import BY_NAME, Client

    given = vars(operations_parser(list(BY_NAME.values())).parse_args(options.words))
    del given["operation_name"]
    url = given.pop("url") or os.environ.get(URL_VARIABLE) or USUAL_URL
    client = Client(url, given.pop("token") or os.environ.get(TOKEN_VARIABLE))
    operation, into = BY_NAME[given.pop("operation")], given.pop("into", None)
    parameters = operation.described.parameters
    arguments: dict[str, Any] = {}
    for name, text in given.items():
        if text is not None:
            archive = parameters[name].hint is Archive
            arguments[name] = _file(text) if archive else read_text(parameters[name].hint, text, name)
    result = client.call(operation.name, arguments)
    if into is not None:
        with open(into, "wb") as file:
            file.write(result)
    elif isinstance(result, str):
        print(escaped_lines(result))
    elif result is not None:
        print(escaped_json(json.dumps(written(result), indent=2, ensure_ascii=sys.stdout.encoding.lower() != "utf-8")))
    return 0


def _file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def operations_parser(operations: "Sequence[Operation]") -> argparse.ArgumentParser:
    """The parser of what follows `fakekafka ctl`: a command for each operation."""
    parser = OneLineParser("fakekafka ctl", description="Command a broker of `fakekafka serve --control`.")
    parser.add_argument("--url", metavar="URL", help=f"of the control API (${URL_VARIABLE}, or {USUAL_URL})")
    parser.add_argument("--token", metavar="TOKEN", help=f"its token (${TOKEN_VARIABLE})")
    commands = parser.add_subparsers(required=True, metavar="OPERATION", dest="operation_name")
    for operation in sorted(operations, key=lambda each: each.name):
        _add(commands, operation)
    return parser


def _add(commands: "argparse._SubParsersAction[OneLineParser]", operation: "Operation") -> None:
    from fakekafka.control.operations import is_file

    described = operation.described
    summary = " ".join(described.text.partition("\n\n")[0].split()).replace("%", "%%")
    command = commands.add_parser(operation.name.replace("_", "-"), help=summary, description=summary)
    command.set_defaults(operation=operation.name)
    for parameter in described.parameters.values():
        _add_parameter(command, parameter)
    if is_file(described.result):
        command.add_argument("into", metavar="FILE", help="where to write the file")


def _form_of(parameter: "Parameter") -> str:
    """How the value of a required argument is written."""
    from fakekafka.control.operations import Archive

    forms = {Archive: "a file", str: "text", int: "a number", bool: "true or false", bytes | None: "text, or JSON"}
    if get_origin(parameter.hint) is Literal:
        return "|".join(map(str, get_args(parameter.hint)))
    return forms.get(parameter.hint, "JSON")


def _add_parameter(command: argparse.ArgumentParser, parameter: "Parameter") -> None:
    if parameter.is_required:
        command.add_argument(parameter.name, metavar=parameter.name.upper(), help=_form_of(parameter))
    else:
        name = f"--{parameter.name.replace('_', '-')}"
        command.add_argument(name, dest=parameter.name, metavar="VALUE", help=f"default: {parameter.default!r}")
