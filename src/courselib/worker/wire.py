"""Frames between checker and worker: two lengths (big-endian 32-bit), JSON, raw bytes."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from time import monotonic as _now
from typing import Any

from courselib.worker.plain import MAX_BYTES, MAX_ITEMS, Encoder, Handle, WireError, decode

HEADER = struct.Struct(">II")
MAX_JSON = 8 * 2**20  # of what a worker sends; what it is sent, a submission of up to 20 MB among it, may be larger
MAX_FROM_CHECKER = 128 * 2**20
MAX_BRACKETS = 3 * MAX_ITEMS  # Python's lists and dicts take thirty times the room of their brackets


def pack(message: object, handles: list[Callable[..., object]] | None = None, *, limited: bool = True) -> bytes:
    """Return `message` as one frame; functions in it become handles into `handles`.

    Raise `WireError` where the frame would be larger than a checker takes.
    """
    encoder = Encoder(handles)
    body = json.dumps([encoder.encode(message), [len(b) for b in encoder.blobs]], separators=(",", ":")).encode()
    tail = b"".join(encoder.blobs)
    if limited and _is_too_much(body):
        raise WireError(f"more than {MAX_JSON >> 20} MB of text and numbers in one value, or too many values")
    return HEADER.pack(len(body), len(tail)) + body + tail


def unpack(body: bytes, tail: bytes, handle: Callable[[int], object] = Handle, *, limited: bool = True) -> Any:
    """Return the message of a frame; raise `WireError` on anything that is not one."""
    if limited and _is_too_much(body):
        raise WireError("a frame over the limit")
    try:
        value, lengths = json.loads(body)
        blobs, at = [], 0
        for n in lengths:
            if not 0 <= n <= len(tail) - at:
                raise WireError("blob lengths do not fit the frame")
            blobs.append(memoryview(tail)[at : at + n])
            at += n
        return decode(value, blobs, handle)
    except WireError:
        raise
    except (ValueError, TypeError, RecursionError) as fault:
        raise WireError(str(fault)) from fault


def _is_too_much(body: bytes) -> bool:
    return len(body) > MAX_JSON or body.count(b"[") + body.count(b"{") > MAX_BRACKETS


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
    """A stream of frames over one socket; `to_checker` tells whether the other side is the checker, which need not be limited."""

    def __init__(self, link: socket.socket, *, to_checker: bool = False) -> None:
        self.link, self.to_checker = link, to_checker
        self.read = bytearray()  # what has arrived and belongs to no frame yet

    def send(self, message: object, handles: list[Callable[..., object]] | None = None, deadline: float | None = None) -> None:
        """Send one message; raise `Closed` where nobody listens, `TimeoutError` where nobody reads until `deadline`."""
        try:
            self.link.settimeout(_left(deadline))
            self.link.sendall(pack(message, handles, limited=self.to_checker))
        except (BrokenPipeError, ConnectionError) as gone:
            raise Closed from gone

    def receive(self, deadline: float | None = None, handle: Callable[[int], object] = Handle) -> Any:
        """Return the next message; raise `TimeoutError` when `deadline` (monotonic seconds) passes."""
        n_json, n_tail = HEADER.unpack(self._exactly(HEADER.size, deadline))
        if n_json > (MAX_FROM_CHECKER if self.to_checker else MAX_JSON) or n_tail > MAX_BYTES:
            raise WireError("a frame over the limit")
        body = self._exactly(n_json, deadline)
        return unpack(body, self._exactly(n_tail, deadline), handle, limited=not self.to_checker)

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

    def pending(self) -> bool:
        """Tell whether something has come that nobody has asked for."""
        if self.read:
            return True
        self.link.setblocking(False)
        try:
            return bool(self.link.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def close(self) -> None:
        """Close the socket."""
        self.link.close()
