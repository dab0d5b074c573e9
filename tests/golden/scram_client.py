"""The client's side of a SCRAM login (RFC 5802), written independently of the broker's, and comparable forms of
answers.

The server's nonce is random, and so is the salt of a delegation token. So a replay computes the second message itself,
from the answer that it received: `{nonce}` in the recorded text stands for the server's whole nonce, `{proof}` for the
right proof. A text without `{proof}` is wrong on purpose.
"""

import base64
import hashlib
import hmac
import re


class ScramClient:
    """One login. `first` is the whole first message; {user} in it stands for `user`."""

    def __init__(self, mechanism: str, password: str, user: str, first: str, final: str) -> None:
        self._digest = mechanism.removeprefix("SCRAM-").replace("-", "").lower()
        self._password, self._final = password, final
        self.first = first.replace("{user}", user)
        self.signature = ""
        """The right last answer of the server, once `second` was called."""
        self.answer = b""
        """The server's first answer."""

    def second(self) -> bytes:
        """The second message."""
        try:
            found = dict(part.split("=", 1) for part in self.answer.decode().split(","))
            salt, iterations, nonce = base64.b64decode(found["s"]), int(found["i"]), found["r"]
        except (ValueError, KeyError):
            return b"no answer to prove"
        text = self._final.replace("{nonce}", nonce)
        salted = hashlib.pbkdf2_hmac(self._digest, self._password.encode(), salt, iterations)
        client, server = (hmac.digest(salted, name, self._digest) for name in (b"Client Key", b"Server Key"))
        bare = self.first.split(",", 2)[-1]
        signed = ",".join((bare, self.answer.decode(), text.split(",p=")[0])).encode()
        stored = hashlib.new(self._digest, client).digest()
        proof = bytes(a ^ b for a, b in zip(client, hmac.digest(stored, signed, self._digest)))
        self.signature = "v=" + base64.b64encode(hmac.digest(server, signed, self._digest)).decode()
        return text.replace("{proof}", base64.b64encode(proof).decode()).encode()


def comparable_answer(step: str, answer: bytes, signature: str) -> bytes:
    """A server's message without its part of the nonce and the salt; of the signature only whether it is right."""
    text = answer.decode("utf-8", "replace")
    if step == "final":
        return b"v=right" if text and text == signature else answer
    without_nonce = re.sub(r"^r=([^,]*)", lambda found: "r=" + found[1][:5], text)
    return re.sub(r"s=[\w+/=]+,i=", "s=*,i=", without_nonce).encode()
