"""Where memory differs from the disk. `test_files` shows that it is otherwise alike."""

from fakekafka.log.memory_files import MemoryDirectory


def test_memory_keeps_the_buffers_that_it_was_given() -> None:
    first, second = bytearray(b"abc"), memoryview(b"defg")
    file = MemoryDirectory().open("f", 0)
    file.append(first, 0)
    file.append(second, 0)
    pieces = file.read(0, 100)
    assert pieces[0] is first
    assert pieces[1] is second
    middle = file.read(1, 4)
    assert [bytes(piece) for piece in middle] == [b"bc", b"de"]
    assert isinstance(middle[0], memoryview)
    assert middle[0].obj is first


def test_memory_makes_files_for_later_when_the_directory_is_read() -> None:
    directory, made = MemoryDirectory(), []

    def make() -> None:
        made.append("now")
        directory.replace("f", b"x")
        directory.later(lambda: directory.replace("g", b"y"))

    directory.later(make)
    directory.later(lambda: directory.replace("h", b"z"))
    assert made == []
    assert directory.names() == ["f", "g", "h"]
    assert made == ["now"]


def test_a_directory_is_put_in_the_place_of_another() -> None:
    root, moved = MemoryDirectory(), MemoryDirectory()
    moved.replace("f", b"x")
    root.directory("a").replace("g", b"y")
    root.put("a", moved)
    root.put("b", moved)
    assert root.directories() == ["a", "b"]
    assert root.directory("a") is root.directory("b") is moved
