"""`fakekafka serve` on a device that breaks: the system answers its writes with EIO."""

import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.produce import ProduceResponse

from tests.emulator.cli.test_serve import COMMAND, address
from tests.support.brokers import ask
from tests.support.faults import produce

SHIM: Final = Path(__file__).with_name("failing_device.c")
COMPILER: Final = shutil.which("cc") or shutil.which("gcc")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None,
    reason="needs Linux and a C compiler",
)


class Device:
    """Where files are kept, some of them on a device that works until `broken` is there."""

    def __init__(self, folder: Path) -> None:
        self.one, self.two = folder / "one", folder / "two"
        self.broken = folder / "broken"
        self._shim = folder / "shim.so"
        subprocess.run([str(COMPILER), "-shared", "-fPIC", "-o", str(self._shim), str(SHIM), "-ldl"], check=True)

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
        """`fakekafka serve` on a free port, and its address; directory `one` is on the device that breaks."""
        environment = {"LD_PRELOAD": str(self._shim), "FAILS_BELOW": str(self.one), "FAILS_SINCE": str(self.broken)}
        with subprocess.Popen(
            [*COMMAND, "serve", "--port", "0", "--topic", "t:2", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
        ) as process:
            assert process.stdout is not None
            try:
                yield process, address(process.stdout.readline())
            finally:
                process.kill()


def produced(servers: str, partition: int) -> int:
    """The error of a record sent to a partition."""
    done = ask(servers, produce(("t", partition)), 7, ProduceResponse)
    return done.responses[0].partition_responses[0].error_code


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.3"])
def test_serve_ends_when_the_device_of_its_only_directory_breaks(release: str, tmp_path: Path) -> None:
    device = Device(tmp_path)
    with device.serving("--release", release, "--log-dir", str(device.one)) as (process, servers):
        assert servers
        device.broken.touch()
        with contextlib.suppress(AssertionError, OSError, EOFError):
            for _ in range(10):
                ask(servers, produce(("t", 0)), 3, ProduceResponse)
        rest, errors = process.communicate(timeout=30)
    assert (process.returncode, rest) == (1, "")
    assert re.fullmatch(r"fakekafka: broker 0 died: .*Input/output error.*\nfakekafka: no broker is left\n", errors)


def test_serve_goes_on_with_its_other_directory(tmp_path: Path) -> None:
    device = Device(tmp_path)
    dirs = ("--log-dir", str(device.two), "--log-dir", str(device.one))
    with device.serving("--release", "2.3", *dirs) as (process, servers):
        lost = int((device.one / "t-1").is_dir())
        assert (device.one / f"t-{lost}").is_dir()
        device.broken.touch()
        assert produced(servers, lost) == ErrorCode.KAFKA_STORAGE_ERROR
        assert produced(servers, 1 - lost) == ErrorCode.NONE
        assert process.poll() is None
