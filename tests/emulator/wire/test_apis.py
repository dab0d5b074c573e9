import re
import subprocess
import sys

import pytest
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.list_offsets import ListOffsetsRequest, ListOffsetsResponse

from tests.emulator.wire.facts import schemas, versions

VERSION_NOTE = re.compile(r"^v(\d+) +(\d\S*) +\S", re.MULTILINE)


def test_classes_are_found_by_key() -> None:
    assert request_class(ApiKey.LIST_OFFSETS) is ListOffsetsRequest
    assert response_class(ApiKey.LIST_OFFSETS) is ListOffsetsResponse


@pytest.mark.parametrize("key", ApiKey, ids=lambda key: key.name)
def test_each_module_says_what_its_api_is_and_has_a_note_for_each_version(key: ApiKey) -> None:
    doc = notes(key)
    name = schemas()["apis"][str(int(key))]["name"]
    assert doc.startswith(f"{name} (key {int(key)}): ")
    noted = [int(version) for version, _ in VERSION_NOTE.findall(doc)]
    assert noted == list(versions(request_class(key)))


@pytest.mark.parametrize("key", ApiKey, ids=lambda key: key.name)
def test_each_version_note_names_the_release_that_first_offered_the_version(key: ApiKey) -> None:
    first_release = schemas()["first_release"].get(str(int(key)), {})
    for version, release in VERSION_NOTE.findall(notes(key)):
        if version in first_release:  # other versions are for controllers only, or were never stable
            assert release == first_release[version]


def notes(key: ApiKey) -> str:
    return sys.modules[request_class(key).__module__].__doc__ or ""


def test_a_module_is_loaded_when_it_is_first_asked_for() -> None:
    program = (
        "import sys; from fakekafka.wire import apis; from fakekafka.ids import ApiKey; "
        "apis.request_class(ApiKey.FETCH); "
        "print(*sorted(m for m in sys.modules if m.startswith('fakekafka.wire.apis.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout.split()
    assert loaded == ["fakekafka.wire.apis.fetch"]
