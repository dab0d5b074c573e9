"""The log as a whole: the files of real brokers made again, and any story against a plain list."""

import pytest
from fakekafka.log.files import Directory

from tests.emulator.log.recorded import Sample, Story, samples


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_a_real_brokers_files_are_made_again_byte_for_byte(sample: Sample, root: Directory) -> None:
    Story(sample, root.directory("orders-0")).tell()
