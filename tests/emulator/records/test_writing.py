"""The interpreted stand-ins for what the compiled core writes messages with."""

import pytest
from fakekafka.records.writing import BytesWriter, write_i64_be


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 100])
def test_numbers_and_bytes_come_out_in_the_order_in_which_they_were_written(count: int) -> None:
    writer = BytesWriter()
    expected = b""
    for n in range(count):
        write_i64_be(writer, -n)
        write_i64_be(writer, 2**62 + n)
        writer.write(b"%d" % n)
        expected += (-n).to_bytes(8, "big", signed=True) + (2**62 + n).to_bytes(8, "big") + b"%d" % n
    assert writer.getvalue() == expected
