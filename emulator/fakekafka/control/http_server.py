"""The control API's sockets: the standard library's HTTP server, in separate threads.

Measured against uvicorn with Starlette: those are seven packages and take half a second to import, this server takes
60 ms, and only if it is used. What the standard library's server lacks for the open internet, loopback does not need;
sizes, times and connections are bounded all the same.
"""

import socket
import sys
import threading
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from fakekafka.control.answering import EVERY_ANSWER, Answer, Answering, Asked, refusal
from fakekafka.control.desk import Desk
from fakekafka.control.guard import Guard
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError

MAX_LINE: Final = 1 << 16
MAX_BODY: Final = 64 << 20
MAX_CONNECTIONS: Final = 64
IDLE_S: Final = 60
"""How long a connection may be silent, within a request or between two."""
MAX_PORT: Final = 65535


class ControlServer:
    """The control API of one cluster. A context manager that ends with its block.

    `token`: what clients have to know; None: nothing, which only loopback allows. Raises `UsageError` for an
    impossible address.
    """

    def __init__(self, kafka: FakeKafka, host: str = "127.0.0.1", port: int = 0, token: str | None = None) -> None:
        if not 0 <= port <= MAX_PORT:
            raise UsageError(f"control port {port}: a port is from 0, for a free one, to {MAX_PORT}")
        answering = Answering(Desk(kafka), Guard(host, token))
        self.token = token
        try:
            self._server = _Server((host, port), answering)
        except OSError as e:
            raise UsageError(f"cannot listen on {host}:{port}: {e}. Port 0 takes a free one") from None
        self.host = host
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, name="fakekafka-control", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address, without the token."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def page_url(self) -> str:
        """The page's address: the token, if there is one, follows the #, which browsers do not send."""
        return f"{self.url}/" + (f"#token={self.token}" if self.token is not None else "")

    def stop(self) -> None:
        """Close the port. Waiting requests are abandoned."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "ControlServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], answering: Answering) -> None:
        self.answering = answering
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind; the base class would look up the machine's name, which may take seconds."""
        if sys.platform != "win32":  # there the option lets two programs have one port
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its thread, if there is one left."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fakekafka"
    sys_version = ""
    timeout = IDLE_S
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def handle_one_request(self) -> None:
        """Read one request and answer it. The base class would look for a Python method for each HTTP method."""
        try:
            self.raw_requestline = self.rfile.readline(MAX_LINE + 1)
            if len(self.raw_requestline) > MAX_LINE:
                self.command = self.requestline = self.request_version = ""
                self.send_error(414, f"a request line has {MAX_LINE} bytes at most")
                return
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            answer = self._answer()
            self._send(answer)
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def _answer(self) -> Answer:
        headers: Message = self.headers
        named = {name.lower(): value for name, value in headers.items()}
        length = named.get("content-length", "0")
        if "transfer-encoding" in named or not length.isascii() or not length.isdigit():
            self.close_connection = True
            return refusal(411, "Refused", "a body needs its Content-Length")
        if int(length) > MAX_BODY:
            self.close_connection = True
            return refusal(413, "Refused", f"a body has {MAX_BODY} bytes at most")
        return self.server.answering.answer(Asked(self.command, self.path, named, self.rfile.read(int(length))))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in {**EVERY_ANSWER, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Input that is not HTTP gets an answer in JSON, too."""
        self.close_connection = True
        self._send(refusal(code, "Refused", message or "this is not an HTTP request"))

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are not logged."""
