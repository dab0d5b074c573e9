from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, PartitionData
from fakekafka.wire.frames import RequestHeader
from fakekafka.wire.layout import Run, fixed_format, in_place, is_compact, tagged


def test_neighbours_of_fixed_width_are_one_run() -> None:
    assert in_place(FetchPartition, 11) == [
        Run(("partition", "current_leader_epoch", "fetch_offset", "log_start_offset", "partition_max_bytes"), "iiqqi")
    ]


def test_fields_of_variable_width_stand_between_the_runs() -> None:
    assert in_place(PartitionData, 4) == [
        Run(("partition_index", "error_code", "high_watermark", "last_stable_offset"), "ihqq"),
        "aborted_transactions",
        "records",
    ]


def test_fields_of_other_versions_and_tagged_fields_have_no_place() -> None:
    names = [name for part in in_place(FetchRequest, 15) for name in (part.names if isinstance(part, Run) else [part])]
    assert "replica_id" not in names  # until v14
    assert "cluster_id" not in names  # tagged


def test_tagged_fields_are_in_the_order_of_their_tags() -> None:
    assert tagged(FetchRequest, 15) == [(0, "cluster_id"), (1, "replica_state")]
    assert tagged(FetchRequest, 12) == [(0, "cluster_id")]
    assert tagged(FetchRequest, 11) == []


def test_a_run_packs_big_endian_without_gaps() -> None:
    run = Run(("a", "b"), "hi")
    assert run.packer().pack(1, 2) == b"\0\1\0\0\0\2"
    assert run.packer("x").pack(1, 2) == b"\0\1\0\0\0\2\0"


def test_numbers_are_fixed_arrays_and_strings_are_not() -> None:
    assert fixed_format(FetchPartition.FIELDS["partition"]) == "i"
    assert fixed_format(FetchRequest.FIELDS["rack_id"]) is None
    assert fixed_format(FetchRequest.FIELDS["forgotten_topics_data"]) is None


def test_lengths_are_compact_in_flexible_versions_except_the_client_id() -> None:
    assert is_compact(FetchRequest.FIELDS["rack_id"], 12, flexible=True)
    assert not is_compact(FetchRequest.FIELDS["rack_id"], 11, flexible=False)
    assert not is_compact(RequestHeader.FIELDS["client_id"], 2, flexible=True)
