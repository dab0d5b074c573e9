"""One target under atheris: `python -m tests.fuzz.guided_child TARGET` and options of libFuzzer."""

import sys

import atheris

with atheris.instrument_imports(include=["fakekafka"]):
    from tests.fuzz.targets import TARGETS, feed

from tests.fuzz.cost import measured


def main(name: str, arguments: list[str]) -> None:
    """Fuzz until an option ends it."""
    target = TARGETS[name]
    feed(name, b"")  # what is loaded for the first input is none of its cost
    longest = f"-max_len={target.most_bytes}"
    atheris.Setup(
        [sys.argv[0], longest, *arguments], lambda data: measured(lambda: feed(name, data), grows=target.grows)
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
