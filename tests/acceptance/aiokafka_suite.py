"""aiokafka's own tests, against `fakekafka serve`: `tox -e acceptance-aiokafka -- CHECKOUT`.

No registry carries them: CHECKOUT is a checkout of github.com/aio-libs/aiokafka at the tag that `VERSION` names. It is
neither built nor changed; the client under test is the installed one. Its tests start brokers in containers. Here their
fixtures use ours instead, and tests of what is set up inside a container are left out: TLS, Kerberos, ACLs.
"""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome, outcomes
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

VERSION: Final = "0.14.0"
PROPERTIES: Final = {"num.partitions": "2", "delete.topic.enable": "true"}
LIMIT_S: Final = 900
LEFT_OUT: Final = (
    "--ignore=tests/test_sasl.py",
    "--deselect=tests/test_helpers.py::test_create_ssl_context",
    "-m",
    "not ssl",
)

STAND_INS: Final = """


@pytest.fixture(scope="session")
def kafka_image():
    return "fakekafka:" + os.environ["KAFKA_VERSION"]


@pytest.fixture(scope="session")
def ssl_folder():
    return None


acl_manager = kafka_config = kerberos_utils = ssl_folder


@pytest.fixture(scope="session")
def docker():
    return None


@pytest.fixture(scope="session")
def kafka_server():
    host, port = os.environ["KAFKA_ADDRESS"].split(":")
    return KafkaServer(host, int(port), 0, 0, 0, None)


@pytest.fixture(scope="class")
def setup_test_class(request, loop, kafka_server):
    request.cls.loop = loop
    request.cls.kafka_host, request.cls.kafka_port = kafka_server.host, kafka_server.port
    request.cls.hosts = kafka_server.hosts
    request.cls.kafka_version = os.environ["KAFKA_VERSION"]
"""
"""Fixtures in place of those that start a container, put at the end of a copy of the tests' own."""


def ready(folder: Path, checkout: Path | None) -> Path:
    """Copy the tests, without the package beside them, and change their fixtures. Raises `NoSuite`."""
    assert checkout is not None
    found = version_of(checkout)
    if found != VERSION:
        raise NoSuite(f"{checkout} is not a checkout of aiokafka {VERSION}, but of {found or 'something different'}")
    shutil.copytree(checkout / "tests", folder / "tests")
    shutil.copyfile(checkout / "pyproject.toml", folder / "pyproject.toml")
    with (folder / "tests" / "conftest.py").open("a", encoding="utf-8") as fixtures:
        fixtures.write(STAND_INS)
    return folder


def version_of(checkout: Path) -> str | None:
    """The version that a checkout of aiokafka names."""
    file = checkout / "aiokafka" / "__init__.py"
    named = re.search(r'__version__ = "(.+)"', file.read_text("utf-8")) if file.exists() else None
    return named[1] if named else None


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    """Run all tests in one process, each with the release that it plays."""
    report = root / f"{setup.release}.xml"
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly", f"--junitxml={report}"]
    with serving(setup, PROPERTIES) as address:
        told = {"KAFKA_ADDRESS": address, "KAFKA_VERSION": str(setup.release)}
        image = f"--docker-image=fakekafka:{setup.release}"
        run_to_the_end([sys.executable, "-m", "pytest", *options, image, *LEFT_OUT], root, told, LIMIT_S, output)
    if not report.exists():
        raise LaneBroken("the tests left no report: --log shows why")
    return outcomes(report)


SUITE: Final = Suite(
    "aiokafka", __doc__.split("\n", 1)[0], (setup("0.10.2"), setup("2.8")), ready, run, wants_checkout=True
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
