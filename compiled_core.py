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
    # ---- what is done for each record
    "records/hot.py": "the loops over records: conversions, checks and reading cost per record",
    "records/alike.py": "called by those loops",
    "records/attributes.py": "every batch: its bits",
    "records/scan.py": "every batch: where it is, and its view",
    "records/v2.py": "every batch of format 2: its header",
    "binary.py": "varints: called by those loops and by the codec",
    # ---- messages
    "wire/readers.py": "every request: a closure for each field",
    "wire/writers.py": "every answer: likewise",
    "wire/codec.py": "every message: the way to its closures",
    # ---- from a socket to a handler and back
    "server/connection.py": "every request: ten calls",
    "server/channel.py": "every request: ten calls between its socket and its connection",
    "server/encrypted_channel.py": "a compiled class can only be extended by compiled ones",
    "server/inbox.py": "every frame that comes",
    "server/outbox.py": "every answer that leaves",
    "server/manners.py": "every frame: which request it is",
    "server/router.py": "every request: from its frame to its answer",
    "server/journal.py": "every request: remembered",
    "server/core.py": "every request: its step",
    "server/turns.py": "every request: its turn",
    "server/parking.py": "every request, and the long polls among them",
    "waiting/timers.py": "every long poll: its deadline",
    "waiting/waiters.py": "every long poll: what wakes it",
    # ---- Produce
    "handlers/call.py": "every request: what is known besides its body",
    "handlers/produce.py": "every Produce: its steps",
    "handlers/produced_sets.py": "every Produce: its sets",
    "handlers/produce_answer.py": "every Produce: its answer",
    "records/append/prepared.py": "every append: where it goes",
    "records/append/checks.py": "every append since 0.11: a dozen checks",
    "records/append/from_0_11.py": "every append since 0.11: ten calls",
    "storage/hosted_partitions.py": "every partition that is asked for",
    "storage/partition.py": "every append: its partition; every read: how far it may go",
    # ---- the log
    "log/partition_log.py": "every append and every read",
    "log/segment.py": "every append and every read: thirty calls",
    "log/drafts/minute_segment.py": "extends the segment",
    "log/drafts/wide_segment.py": "extends the segment",
    "log/units.py": "every append and every read: where the units are",
    "log/offset_index.py": "every read: where it begins; every append: whether it is full",
    "log/wrapping_index.py": "extends the offset index",
    "log/drafts/wide_index.py": "extends the offset index",
    "log/time_index.py": "every append: whether it is full",
    "log/stored_index.py": "every access to an index",
    "log/leader_epochs.py": "every append: whether the epoch is new",
    "log/producer.py": "what an idempotent producer has sent",
    "log/producer_state.py": "every append: whether it comes again; every read: what is stable",
    # ---- Fetch
    "handlers/fetch.py": "every Fetch: its steps",
    "handlers/fetch_asked.py": "every Fetch: what it asks for",
    "handlers/fetch_answer.py": "every Fetch: its answer",
    "cluster/reading.py": "every partition of a Fetch",
    "cluster/delayed_fetch.py": "every Fetch that waits, whenever something comes",
}
"""Modules of `fakekafka`, each with the reason. A module that is not worth it stays out: compiling has its price in
megabytes and minutes, and a compiled class can neither be patched nor extended.
"""
NEEDED: Final = ("mypy[mypyc]==2.4.1",)
LIBRARIES: Final = (
    "librt>=0.17",
    'isal>=1.7; platform_machine in "x86_64 AMD64 aarch64 arm64"',
)
"""What a wheel with compiled modules depends on: the run-time library of mypyc, which these modules load; and isal for
its CRC-32 (`binary.crc32_function`), on processors for which there are wheels of it.
"""
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
        build_data["dependencies"].extend(LIBRARIES)
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
