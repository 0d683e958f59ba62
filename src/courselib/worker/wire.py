"""Frames between checker and worker: two lengths (big-endian 32-bit), JSON, raw bytes."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from time import monotonic as _now
from typing import Any

from courselib.worker.plain import MAX_BYTES, Encoder, Handle, WireError, decode

HEADER = struct.Struct(">II")
MAX_JSON = 32 * 2**20


def pack(message: object, handles: list[Callable[..., object]] | None = None) -> bytes:
    """Return `message` as one frame; functions in it become handles into `handles`."""
    encoder = Encoder(handles)
    body = json.dumps([encoder.encode(message), [len(b) for b in encoder.blobs]], separators=(",", ":")).encode()
    tail = b"".join(encoder.blobs)
    return HEADER.pack(len(body), len(tail)) + body + tail


def unpack(body: bytes, tail: bytes, handle: Callable[[int], object] = Handle) -> Any:
    """Return the message of a frame; raise `WireError` on anything that is not one."""
    try:
        value, lengths = json.loads(body)
        blobs, at = [], 0
        for n in lengths:
            if not 0 <= n <= len(tail) - at:
                raise WireError("blob lengths do not fit the frame")
            blobs.append(tail[at : at + n])
            at += n
        return decode(value, blobs, handle)
    except WireError:
        raise
    except (ValueError, TypeError, RecursionError) as fault:
        raise WireError(str(fault)) from fault


def _left(deadline: float | None) -> float | None:
    """Return the seconds until `deadline`; raise `TimeoutError` once it has passed, whatever lies ready."""
    if deadline is None:
        return None
    left = deadline - _now()
    if left <= 0:
        raise TimeoutError
    return left


class Closed(Exception):
    """The other side has gone."""


class Channel:
    """A stream of frames over one socket."""

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        self.read = bytearray()  # what has arrived and belongs to no frame yet

    def send(self, message: object, handles: list[Callable[..., object]] | None = None, deadline: float | None = None) -> None:
        """Send one message; raise `Closed` where nobody listens, `TimeoutError` where nobody reads until `deadline`."""
        try:
            self.link.settimeout(_left(deadline))
            self.link.sendall(pack(message, handles))
        except (BrokenPipeError, ConnectionError) as gone:
            raise Closed from gone

    def receive(self, deadline: float | None = None, handle: Callable[[int], object] = Handle) -> Any:
        """Return the next message; raise `TimeoutError` when `deadline` (monotonic seconds) passes."""
        n_json, n_tail = HEADER.unpack(self._exactly(HEADER.size, deadline))
        if n_json > MAX_JSON or n_tail > MAX_BYTES:
            raise WireError("a frame over the limit")
        body = self._exactly(n_json, deadline)
        return unpack(body, self._exactly(n_tail, deadline), handle)

    def _exactly(self, count: int, deadline: float | None) -> bytes:
        left = _left(deadline)
        while len(self.read) < count:
            self.link.settimeout(left)
            try:
                piece = self.link.recv(min(max(count - len(self.read), 2**16), 2**20))
            except ConnectionError as gone:
                raise Closed from gone
            if not piece:
                raise Closed
            self.read += piece
            left = _left(deadline)
        data = bytes(self.read[:count])
        del self.read[:count]
        return data

    def close(self) -> None:
        """Close the socket."""
        self.link.close()
