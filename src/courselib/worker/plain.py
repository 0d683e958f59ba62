"""Plain data: what may cross between checker and worker, as JSON and raw bytes for tensors.

Pickle never crosses: what arrives is built here, from types named here, and from nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import torch

MAX_DEPTH = 40
MAX_ITEMS = 200_000
MAX_BYTES = 64 * 2**20
MAX_TEXT = 1_000_000
MAX_BITS = 10_000  # of a whole number; Python writes out no more than 4300 digits

DTYPES = {str(d).removeprefix("torch."): d for d in vars(torch).values() if isinstance(d, torch.dtype)}


class WireError(Exception):
    """What came (or was to go) over the wire is not plain data within the limits."""


class Opaque:
    """A value that is not plain data: only its type's name and a short look at it have crossed."""

    def __init__(self, kind: str, look: str) -> None:
        self.kind, self.look = kind, look

    def __repr__(self) -> str:
        return self.look or f"<{self.kind}>"


class Handle:
    """A function of the other side, known here by its number."""

    def __init__(self, number: int) -> None:
        self.number = number


class Encoder:
    """Turn one value into JSON and blobs; functions become handles where `handles` is given."""

    def __init__(self, handles: list[Callable[..., object]] | None = None) -> None:
        self.blobs: list[bytes] = []
        self.handles = handles
        self.room = MAX_BYTES
        self.items = 0

    def encode(self, value: object, depth: int = 0) -> object:
        """Return the JSON form of `value`."""
        self.items += 1
        if depth > MAX_DEPTH or self.items > MAX_ITEMS:
            return _opaque(value)
        if _is_json(value):
            return value
        for kind, way in _WAYS:
            if isinstance(value, kind):
                return way(self, value, depth)
        if self.handles is not None and callable(value):
            self.handles.append(value)
            return {"$handle": len(self.handles) - 1}
        return _opaque(value)

    def each(self, values: Iterable[object], depth: int) -> list[object]:
        """Return the JSON forms of `values`, up to the limit of items."""
        out: list[object] = []
        for v in values:
            if self.items > MAX_ITEMS:
                break
            out.append(self.encode(v, depth + 1))
        return out

    def mapping(self, value: Mapping[object, object], depth: int) -> object:
        """Return a dict with plain names as a JSON object, any other mapping as pairs."""
        if type(value) is dict and len(value) < MAX_ITEMS and all(type(k) is str and k[:1] != "$" for k in value):
            return {k: self.encode(v, depth + 1) for k, v in value.items()}
        pairs = ([k, v] for k, v in value.items())
        return {"$dict": [self.each(pair, depth + 1) for pair in pairs]}

    def blob(self, data: bytes) -> int:
        """Keep `data` for the frame's tail and return its number."""
        self.room -= len(data)
        if self.room < 0:
            raise WireError(f"more than {MAX_BYTES >> 20} MB in one value")
        self.blobs.append(data)
        return len(self.blobs) - 1

    def tensor(self, value: torch.Tensor, depth: int) -> object:
        """Return a tensor as dtype, shape and bytes."""
        plain = torch.Tensor.detach(value)
        if plain.layout is not torch.strided or plain.is_quantized or plain.device.type == "meta":
            return _opaque(value)
        plain = plain.resolve_conj().resolve_neg().cpu().contiguous()
        data = plain.flatten().view(torch.uint8).numpy().tobytes() if plain.numel() else b""
        return {"$tensor": [_name(plain.dtype), list(plain.shape), self.blob(data)]}

    def array(self, value: np.ndarray[Any, Any], depth: int) -> object:
        """Return an array as dtype, shape and bytes; arrays of text or objects as lists."""
        if value.dtype.kind not in "biufc":
            return self.each(value.tolist(), depth)
        native = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
        return {"$array": [native.dtype.name, list(value.shape), self.blob(native.tobytes())]}


def _whole(encoder: Encoder, value: Any, depth: int) -> object:
    number = int.__int__(value)
    return number if number.bit_length() < MAX_BITS else _opaque(value)


def _real(encoder: Encoder, value: Any, depth: int) -> object:
    number = float.__float__(value)
    return number if math.isfinite(number) else {"$float": repr(number)}


def _ratio(encoder: Encoder, value: Fraction, depth: int) -> object:
    small = value.numerator.bit_length() + value.denominator.bit_length() < MAX_BITS
    return {"$fraction": f"{value.numerator}/{value.denominator}"} if small else _opaque(value)


def _scalar(encoder: Encoder, value: Any, depth: int) -> object:
    return encoder.encode(value.item(), depth) if not isinstance(value.item(), np.generic) else encoder.encode(float(value), depth)


def _class(encoder: Encoder, value: Any, depth: int) -> object:
    """Return the dtype that a NumPy scalar type (`np.float16`) names; no other class is plain data."""
    if issubclass(value, np.generic) and value.__name__ in DTYPES:
        return {"$dtype": value.__name__}
    if encoder.handles is not None:
        encoder.handles.append(value)
        return {"$handle": len(encoder.handles) - 1}
    return _opaque(value)


_WAYS: tuple[tuple[Any, Callable[[Encoder, Any, int], object]], ...] = (
    (np.generic, _scalar),
    (int, _whole),
    (float, _real),
    (str, lambda e, v, d: str.__str__(v)[:MAX_TEXT]),
    (torch.dtype, lambda e, v, d: {"$dtype": _name(v)}),
    (torch.Tensor, Encoder.tensor),
    (np.ndarray, Encoder.array),
    (np.dtype, lambda e, v, d: {"$dtype": v.name} if v.name in DTYPES else _opaque(v)),
    (tuple, lambda e, v, d: {"$tuple": e.each(tuple.__iter__(v), d)}),
    (list, lambda e, v, d: e.each(list.__iter__(v), d)),
    (Mapping, Encoder.mapping),
    ((set, frozenset), lambda e, v, d: {"$set": e.each(v, d)}),
    (complex, lambda e, v, d: {"$complex": [repr(v.real), repr(v.imag)]}),
    (Fraction, _ratio),
    (Decimal, lambda e, v, d: {"$decimal": str(v)}),
    ((bytes, bytearray), lambda e, v, d: {"$bytes": bytes(v).hex()}),
    (type, _class),
    ((Sequence, Iterator, KeysView, ValuesView, ItemsView), lambda e, v, d: e.each(v, d)),
)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _is_json(value: Any) -> bool:
    """Tell whether `value` is, as it stands, one of JSON's own scalars; most values on the wire are."""
    kind = type(value)
    if kind is int:
        return bool(-(2**63) < value < 2**63)
    if kind is float:
        return math.isfinite(value)
    return kind is bool or value is None or (kind is str and len(value) < MAX_TEXT)


def _opaque(value: object) -> object:
    try:
        look = repr(value)[:200]
    except Exception:  # a student's __repr__ may raise anything
        look = ""
    return {"$opaque": [type(value).__name__, look]}


def decode(value: Any, blobs: list[bytes], handle: Callable[[int], object] = Handle) -> Any:
    """Build the plain value that `value` describes, from types named here only."""
    if isinstance(value, list):
        return [decode(v, blobs, handle) for v in value]
    if not isinstance(value, dict):
        return value
    tag, body = next(iter(value.items()), ("", None))
    if tag[:1] != "$":
        return {k: decode(v, blobs, handle) for k, v in value.items()}
    if len(value) != 1:
        raise WireError("a tagged object with more than one key")
    try:
        return _BUILD[tag](body, blobs, handle)
    except WireError:
        raise
    except Exception as fault:
        raise WireError(f"{tag}: {fault}") from fault


def _pairs(body: Any, blobs: list[bytes], handle: Callable[[int], object]) -> dict[Any, Any]:
    return {_key(decode(k, blobs, handle)): decode(v, blobs, handle) for k, v in body}


def _key(key: Any) -> Any:
    try:
        hash(key)
    except TypeError:
        return repr(key)[:200]
    return key


def _tensor(body: Any, blobs: list[bytes], handle: object) -> torch.Tensor:
    name, shape, number = body
    if not blobs[number]:
        return torch.empty(0, dtype=DTYPES[name]).reshape(shape)  # a shape with elements would show unset memory
    return torch.frombuffer(bytearray(blobs[number]), dtype=DTYPES[name]).reshape(shape)


def _array(body: Any, blobs: list[bytes], handle: object) -> np.ndarray[Any, Any]:
    name, shape, number = body
    if np.dtype(name).kind not in "biufc":
        raise WireError(f"an array of {name}")
    return np.frombuffer(blobs[number], dtype=name).reshape(shape).copy()


_BUILD: dict[str, Callable[[Any, list[bytes], Callable[[int], object]], Any]] = {
    "$float": lambda body, b, h: float(body),
    "$complex": lambda body, b, h: complex(float(body[0]), float(body[1])),
    "$fraction": lambda body, b, h: Fraction(*map(int, body.split("/"))),  # Fraction("1e999999999") would never end
    "$decimal": lambda body, b, h: Decimal(body),
    "$bytes": lambda body, b, h: bytes.fromhex(body),
    "$dtype": lambda body, b, h: DTYPES[body],
    "$tuple": lambda body, b, h: tuple(decode(body, b, h)),
    "$set": lambda body, b, h: {_key(v) for v in decode(body, b, h)},
    "$dict": _pairs,
    "$tensor": _tensor,
    "$array": _array,
    "$opaque": lambda body, b, h: Opaque(str(body[0])[:200], str(body[1])[:200]),
    "$handle": lambda body, b, h: h(int(body)),
}


def plain(value: object) -> Any:
    """Return `value` as it would arrive on the other side."""
    encoder = Encoder()
    return decode(encoder.encode(value), encoder.blobs)
