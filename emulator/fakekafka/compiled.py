"""Whether this installation has the compiled core, which `FAKEKAFKA_COMPILE=1 pip install .` builds."""


def is_compiled() -> bool:
    """Whether the core is compiled. The interpreted core has the same source, and does the same more slowly."""
    from importlib.machinery import EXTENSION_SUFFIXES  # imported here: few ask
    from importlib.util import find_spec

    spec = find_spec("fakekafka.records.hot")
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
