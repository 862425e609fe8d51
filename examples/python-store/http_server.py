"""HTTP/1.1 around a Gateway: one thread per connection, kept alive."""

from __future__ import annotations

import json
import re
import socket
import socketserver
import sys
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from exchange import ApiError, Request, Response
from gateway import Gateway

HOST = "127.0.0.1"
LARGEST_BODY = 1_048_576
_LINGER_READS = 256


class Listener(socketserver.ThreadingTCPServer):
    """A listening socket and the gateway that answers on it.

    Not an HTTPServer, which looks its own host name up on start.
    """

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, gateway: Gateway, verbose: bool) -> None:
        super().__init__((HOST, port), _Handler)
        self.gateway = gateway
        self.verbose = verbose

    @property
    def origin(self) -> str:
        """Scheme, host and the bound port."""
        return f"http://{HOST}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an exception, unless the client has disconnected."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 120
    server: Listener

    def _serve(self) -> None:
        # The body is always read first: the connection would treat the rest
        # of it as the next request.
        try:
            request = self._read_request()
        except ApiError as error:
            self._refuse(error)
        else:
            self._send(self.server.gateway.answer(request))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """Answer what the base class cannot parse, as an Error and not as HTML."""
        status = HTTPStatus(code)
        self._refuse(ApiError(code, status.name.lower(), status.phrase))

    def log_message(self, format: str, *args: object) -> None:
        """Log to stderr if requested."""
        if self.server.verbose:
            super().log_message(format, *args)

    def _read_request(self) -> Request:
        body = _read_body(self.headers, self.rfile)
        try:
            target = urlsplit(self.path)
        except ValueError:
            raise _bad_request("the request target is malformed") from None
        return Request(
            # HEAD is GET without the body, which _send leaves out.
            method="GET" if self.command == "HEAD" else self.command,
            path=target.path,
            query=dict(parse_qsl(target.query, keep_blank_values=True)),
            authorization=self.headers.get("Authorization"),
            body=body,
        )

    def _send(self, response: Response) -> None:
        """Write the answer in one send, so that no part waits for an ACK."""
        body = json.dumps(response.body, ensure_ascii=False).encode("utf-8")
        headers = {
            "Date": self.date_time_string(),
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close" if self.close_connection else "keep-alive",
            **response.headers,
        }
        lines = [f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        self.wfile.write(head if self.command == "HEAD" else head + body)
        self.log_request(response.status, len(body))

    def _refuse(self, error: ApiError) -> None:
        """Answer an unreadable request and close the connection."""
        self.close_connection = True
        self._send(self.server.gateway.refuse(error))
        self._linger()

    def _linger(self) -> None:
        """Read some of what the client still sends.

        Closing with unread input resets the connection, and the client could
        lose the answer before it has read it.
        """
        try:
            self.connection.settimeout(1)
            self.connection.shutdown(socket.SHUT_WR)
            for _ in range(_LINGER_READS):
                if not self.connection.recv(65_536):
                    return
        except OSError:
            return


def _read_body(headers: Message, stream: BufferedIOBase) -> bytes:
    """The whole body, by its stated length or by chunks."""
    lengths = set(headers.get_all("Content-Length", []))
    coding = headers.get("Transfer-Encoding")
    if coding is None and len(lengths) <= 1:
        return _read_exactly(stream, _size(lengths.pop() if lengths else "0", 10))
    if coding is not None and coding.lower() == "chunked" and not lengths:
        return _read_chunks(stream)
    raise _bad_request("the length of the body is not clear")


def _read_chunks(stream: BufferedIOBase) -> bytes:
    body = bytearray()
    while True:
        line = stream.readline(1024).split(b";")[0]
        size = _size(line.decode("latin-1").strip(), 16)
        if size == 0:
            break
        body += _read_exactly(stream, size)
        _check_size(len(body))
        _read_exactly(stream, 2)
    while stream.readline(65_536) not in (b"\r\n", b"\n", b""):
        pass  # trailers say nothing that is used here
    return bytes(body)


def _read_exactly(stream: BufferedIOBase, size: int) -> bytes:
    _check_size(size)
    data = stream.read(size)
    if len(data) != size:
        raise ConnectionAbortedError("the client left in the middle of a body")
    return data


def _size(text: str, base: int) -> int:
    """A length in digits only: int() also accepts signs, spaces and underscores."""
    try:
        if re.fullmatch("[0-9A-Fa-f]{1,16}", text):
            return int(text, base)
    except ValueError:
        pass  # a letter in a decimal length
    raise _bad_request("the length of the body is malformed")


def _check_size(size: int) -> None:
    if size > LARGEST_BODY:
        raise ApiError(413, "body_too_large", f"at most {LARGEST_BODY} bytes")


def _bad_request(message: str) -> ApiError:
    return ApiError(400, "bad_request", message)
