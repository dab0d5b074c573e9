"""XXH3, 64 bits, unseeded: the hash that coordinators put into a group's record instead of the topics' metadata.

How an input is hashed depends on its length: up to 16 bytes, up to 128, up to 240, and longer in blocks of 1024. All
numbers are little endian and wrap at 64 bits. Facts: the specification of xxHash.
"""

from struct import Struct
from typing import Final

MASK: Final = 2**64 - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
SECRET: Final = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d"
    "8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc"
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
STRIPE: Final = 64
STRIPES_PER_BLOCK: Final = 16
BLOCK: Final = STRIPE * STRIPES_PER_BLOCK
_Q = Struct("<Q")
_I = Struct("<I")
_STRIPE = Struct("<8Q")


def xxh3_64(data: bytes) -> int:
    """The hash as an unsigned number."""
    size = len(data)
    if size <= 16:
        return _up_to_16(data, size)
    if size <= 128:
        return _up_to_128(data, size)
    return _up_to_240(data, size) if size <= 240 else _long(data, size)


def _up_to_16(data: bytes, size: int) -> int:
    if size > 8:
        low = _u64(data, 0) ^ _u64(SECRET, 24) ^ _u64(SECRET, 32)
        high = _u64(data, size - 8) ^ _u64(SECRET, 40) ^ _u64(SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return _avalanche(size + swapped + high + _folded(low, high))
    if size >= 4:
        keyed = (_u32(data, size - 4) + (_u32(data, 0) << 32)) ^ _u64(SECRET, 8) ^ _u64(SECRET, 16)
        keyed ^= _rotated(keyed, 49) ^ _rotated(keyed, 24)
        keyed = keyed * 0x9FB21C651E98DF25 & MASK
        keyed ^= (keyed >> 35) + size
        keyed = keyed * 0x9FB21C651E98DF25 & MASK
        return keyed ^ keyed >> 28
    if size:
        mixed = data[0] << 16 | data[size >> 1] << 24 | data[size - 1] | size << 8
        return _old_avalanche(mixed ^ _u32(SECRET, 0) ^ _u32(SECRET, 4))
    return _old_avalanche(_u64(SECRET, 56) ^ _u64(SECRET, 64))


def _up_to_128(data: bytes, size: int) -> int:
    total = size * P64_1
    for n in range((size - 1) // 32, -1, -1):
        total += _mixed(data, 16 * n, 32 * n) + _mixed(data, size - 16 * (n + 1), 32 * n + 16)
    return _avalanche(total)


def _up_to_240(data: bytes, size: int) -> int:
    total = size * P64_1 + sum(_mixed(data, 16 * n, 16 * n) for n in range(8))
    total = _avalanche(total)
    total += sum(_mixed(data, 16 * n, 16 * (n - 8) + 3) for n in range(8, size // 16))
    return _avalanche(total + _mixed(data, size - 16, 136 - 17))


def _long(data: bytes, size: int) -> int:
    lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    last = (size - 1) // BLOCK * BLOCK
    for start in range(0, last, BLOCK):
        for n in range(STRIPES_PER_BLOCK):
            _accumulate(lanes, data, start + STRIPE * n, 8 * n)
        key = _STRIPE.unpack_from(SECRET, len(SECRET) - STRIPE)
        lanes = [(lane ^ lane >> 47 ^ k) * P32_1 & MASK for lane, k in zip(lanes, key)]
    for n in range((size - 1 - last) // STRIPE):
        _accumulate(lanes, data, last + STRIPE * n, 8 * n)
    _accumulate(lanes, data, size - STRIPE, len(SECRET) - STRIPE - 7)
    total = size * P64_1
    for n in range(4):
        total += _folded(lanes[2 * n] ^ _u64(SECRET, 11 + 16 * n), lanes[2 * n + 1] ^ _u64(SECRET, 19 + 16 * n))
    return _avalanche(total)


def _accumulate(lanes: list[int], data: bytes, at: int, secret_at: int) -> None:
    """Mix in one stripe."""
    values = _STRIPE.unpack_from(data, at)
    for n, (value, key) in enumerate(zip(values, _STRIPE.unpack_from(SECRET, secret_at))):
        keyed = value ^ key
        lanes[n ^ 1] = lanes[n ^ 1] + value & MASK
        lanes[n] = lanes[n] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & MASK


def _mixed(data: bytes, at: int, secret_at: int) -> int:
    """Mix 16 bytes of input with 16 of the secret."""
    return _folded(_u64(data, at) ^ _u64(SECRET, secret_at), _u64(data, at + 8) ^ _u64(SECRET, secret_at + 8))


def _folded(a: int, b: int) -> int:
    product = a * b
    return product & MASK ^ product >> 64


def _avalanche(value: int) -> int:
    value &= MASK
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & MASK
    return value ^ value >> 32


def _old_avalanche(value: int) -> int:
    """The avalanche of XXH64."""
    value ^= value >> 33
    value = value * P64_2 & MASK
    value ^= value >> 29
    value = value * P64_3 & MASK
    return value ^ value >> 32


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> 64 - by) & MASK


def _u64(data: bytes, at: int) -> int:
    value: int = _Q.unpack_from(data, at)[0]
    return value


def _u32(data: bytes, at: int) -> int:
    value: int = _I.unpack_from(data, at)[0]
    return value
