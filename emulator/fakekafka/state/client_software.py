"""What a client says about its software in ApiVersions (KIP-511)."""

from typing import Final, NamedTuple


class ClientSoftware(NamedTuple):
    """The name and the version of a client's software, both empty if it has said nothing."""

    name: str = ""
    version: str = ""

    @property
    def is_valid(self) -> bool:
        """Whether both are texts that a broker accepts (ApiVersionsRequest.isValid)."""
        return all(map(_is_plain, self))


UNNAMED: Final = ClientSoftware()


def _is_plain(text: str) -> bool:
    """Whether the text consists of letters, digits, "-" and ".", the last two not at the ends."""
    inner = text.replace("-", "").replace(".", "")
    return inner.isascii() and inner.isalnum() and text[0] not in "-." and text[-1] not in "-."
