"""The build hook of the compiled core: `FAKEKAFKA_COMPILE=1 pip install .` puts these modules through mypyc.

There is one source: what is interpreted by default is what is compiled. Without the variable nothing here does
anything, and the wheel is pure Python. A compiled wheel has the sources as well, beside their extension modules, for
tracebacks and type checkers; Python prefers the extension.
"""

import os
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES: Final = Path("emulator")
COMPILED: Final[Mapping[str, str]] = {
    "records/hot.py": "the loops over records: conversions, checks and reading cost per record",
    "records/alike.py": "called by those loops",
    "records/attributes.py": "every batch: its bits",
    "records/scan.py": "every batch: where it is, and its view",
    "records/v2.py": "every batch of format 2: its header",
    "binary.py": "varints: called by those loops and by the codec",
    "wire/readers.py": "every request: a closure for each field",
    "wire/writers.py": "every answer: likewise",
    "wire/codec.py": "every message: the way to its closures",
    "server/connection.py": "every request: ten calls",
    "server/channel.py": "every request: ten calls between its socket and its connection",
    "server/encrypted_channel.py": "a compiled class can only be extended by compiled ones",
    "server/inbox.py": "every frame that comes",
    "server/outbox.py": "every answer that leaves",
    "server/router.py": "every request: from its frame to its answer",
    "server/core.py": "every request: its step",
    "server/turns.py": "every request: its turn",
    "server/parking.py": "every request, and the long polls among them",
    "waiting/timers.py": "every long poll: its deadline",
    "waiting/waiters.py": "every long poll: what wakes it",
}
"""Modules of `fakekafka`, each with the reason. A module that is not worth it stays out: compiling has its price in
megabytes and minutes, and a compiled class can neither be patched nor extended.
"""
NEEDED: Final = ("mypy[mypyc]==2.4.1",)
LIBRARY: Final = "librt>=0.17"
"""The run-time library of mypyc, which the compiled modules load: a wheel that has them depends on it."""
GROUP: Final = "fakekafka.core"
"""All modules are one library, `fakekafka/core__mypyc`, so that they call each other directly."""
NOT_EDITABLE: Final = (
    "an editable installation runs the sources themselves: install with FAKEKAFKA_COMPILE=1 and without -e"
)
NO_COMPILER: Final = (
    "the compiled core could not be built: {}.\n"
    "It needs a C compiler and Python's headers: on Debian `apt install gcc python3-dev`, on Fedora `dnf install gcc "
    "python3-devel`, on macOS `xcode-select --install`, on Windows the Build Tools for Visual Studio.\n"
    "Without FAKEKAFKA_COMPILE, fakekafka is installed in pure Python and does the same, more slowly."
)


class CompiledCore(BuildHookInterface):  # type: ignore[misc]  # mypy does not see hatchling
    """Adds extension modules to a wheel, if they are asked for."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return list(NEEDED) if self._is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._is_wanted():
            return
        if version == "editable":
            raise RuntimeError(NOT_EDITABLE)
        self._directory = TemporaryDirectory(prefix="fakekafka-core-")
        library = Path(self._directory.name) / "library"
        build(Path(self.root), library)
        extensions = (path for path in library.rglob("*") if path.is_file())
        build_data["force_include"].update({str(path): path.relative_to(library).as_posix() for path in extensions})
        build_data["dependencies"].append(LIBRARY)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._is_wanted():
            self._directory.cleanup()

    def _is_wanted(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("FAKEKAFKA_COMPILE") == "1"


def build(root: Path, library: Path) -> None:
    """Write the extension modules into `library`, by package. Raises `RuntimeError` if there is no C compiler."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.errors import BaseError, CCompilerError

    scratch = library.parent
    options = ["--config-file=", "--ignore-missing-imports", f"--cache-dir={scratch / 'types'}"]
    with chdir(root / SOURCES):  # tracebacks name the sources by these paths, and Python finds them where it imports
        modules = [str(Path("fakekafka", name)) for name in COMPILED]
        extensions = mypycify([*options, *modules], group_name=GROUP, target_dir=str(scratch / "c"), debug_level="0")
    command = Distribution({"name": "fakekafka", "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(library), str(scratch / "objects")
    command.ensure_finalized()
    try:
        command.run()
    except (BaseError, CCompilerError) as e:
        raise RuntimeError(NO_COMPILER.format(e)) from None
