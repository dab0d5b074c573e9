"""What is advertised, against the ApiVersions answers of real brokers."""

import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.history import advertised
from fakekafka.releases.history.step import Versions
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.releases.recorded import answers, exchanges, release_and_mode, scenario


@pytest.mark.parametrize("name", scenario("handshake"))
def test_a_release_advertises_the_recorded_versions(name: str) -> None:
    recording, lines = exchanges(name)
    release, mode = release_and_mode(recording)
    lists = [
        {ApiKey(api.api_key): Versions(api.min_version, api.max_version) for api in answer.api_keys}
        for answer in answers(lines, ApiKey.API_VERSIONS, ApiVersionsResponse)
        if answer.error_code == 0
    ]
    assert bool(lists) == (ApiKey.API_VERSIONS in advertised(release, mode))
    for found in lists:
        assert list(found.items()) == list(advertised(release, mode, co_resident=True).items())
