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
MAX_DIGITS = 4300
MAX_KEYS = 4_000  # of all sets and dicts whose keys are not names: numbers can be chosen so that all their hashes are one

DTYPES = {str(d).removeprefix("torch."): d for d in vars(torch).values() if isinstance(d, torch.dtype)}


Blob = bytes | memoryview


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
        self.items = self.keys = 0

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
        pairs = ([k, v] for k, v in self.hashed(value.items()))
        return {"$dict": [self.each(pair, depth + 1) for pair in pairs]}

    def hashed(self, values: Iterable[Any]) -> Iterator[Any]:
        """Yield what the other side must hash, up to the limit of keys."""
        for value in values:
            self.keys += 1
            if self.keys > MAX_KEYS:
                return
            yield value

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
    ((set, frozenset), lambda e, v, d: {"$set": e.each(e.hashed(v), d)}),
    (complex, lambda e, v, d: {"$complex": [repr(v.real), repr(v.imag)]}),
    (Fraction, _ratio),
    (Decimal, lambda e, v, d: {"$decimal": str(v)} if len(str(v)) < MAX_DIGITS else _opaque(v)),
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


def decode(value: Any, blobs: Sequence[Blob], handle: Callable[[int], object] = Handle) -> Any:
    """Build the plain value that `value` describes, from types named here only."""
    return Decoder(blobs, handle).build(value)


class Decoder:
    """Build the values of one frame, within limits: what is short on the wire must not be long here."""

    def __init__(self, blobs: Sequence[Blob], handle: Callable[[int], object]) -> None:
        self.blobs: list[Blob | None] = list(blobs)
        self.handle = handle
        self.items = self.keys = 0

    def build(self, value: Any, depth: int = 0) -> Any:
        """Return the value that one piece of JSON describes."""
        self.items += 1
        if self.items > 2 * MAX_ITEMS or depth > 3 * MAX_DEPTH:  # the form of an allowed value may be that much larger than the value
            raise WireError("too many values, or too deep")
        if isinstance(value, list):
            return [self.build(v, depth + 1) for v in value]
        if not isinstance(value, dict):
            return value
        tag, body = next(iter(value.items()), ("", None))
        if tag[:1] != "$":
            return {k: self.build(v, depth + 1) for k, v in value.items()}
        if len(value) != 1:
            raise WireError("a tagged object with more than one key")
        try:
            return _BUILD[tag](self, body, depth + 1)
        except WireError:
            raise
        except Exception as fault:
            raise WireError(f"{tag}: {fault}") from fault

    def key(self, value: Any, depth: int) -> Any:
        """Return what may stand in a set or be a dict's key."""
        self.keys += 1
        if self.keys > MAX_KEYS:
            raise WireError("too many keys")
        built = self.build(value, depth)
        return built if _is_key(built) else repr(built)[:200]

    def pairs(self, body: Any, depth: int) -> dict[Any, Any]:
        """Return a dict from its pairs."""
        return {self.key(k, depth): self.build(v, depth) for k, v in body}

    def blob(self, number: Any) -> Blob:
        """Return a blob, once: a value that names one blob a thousand times would take a thousand times its room."""
        data = self.blobs[number] if type(number) is int and number >= 0 else None
        if data is None:
            raise WireError("no such blob, or used before")
        self.blobs[number] = None
        return data

    def tensor(self, body: Any, depth: int) -> torch.Tensor:
        """Return a tensor from dtype, shape and blob."""
        name, shape, number = body
        data = self.blob(number)
        if not len(data):
            return torch.empty(0, dtype=DTYPES[name]).reshape(shape)  # a shape with elements would show unset memory
        return torch.frombuffer(bytearray(data), dtype=DTYPES[name]).reshape(shape)

    def array(self, body: Any, depth: int) -> np.ndarray[Any, Any]:
        """Return an array from dtype, shape and blob."""
        name, shape, number = body
        if not isinstance(name, str) or not name.isalnum() or np.dtype(name).kind not in "biufc":
            raise WireError("an array of another kind")
        return np.frombuffer(self.blob(number), dtype=name).reshape(shape).copy()


def _is_key(value: Any) -> bool:
    """Tell whether a value may be hashed and compared without surprise: a tensor hashes by its address, a Decimal may refuse."""
    if isinstance(value, tuple):
        return all(map(_is_key, value))
    if isinstance(value, Decimal):
        return not value.is_snan()
    return value is None or isinstance(value, (str, int, float, complex, Fraction, bytes, torch.dtype))


def _decimal(decoder: Decoder, body: Any, depth: int) -> Decimal:
    if not isinstance(body, str) or len(body) > MAX_DIGITS:
        raise WireError("not a decimal number")
    return Decimal(body)


_BUILD: dict[str, Callable[[Decoder, Any, int], Any]] = {
    "$float": lambda d, body, depth: float(body),
    "$complex": lambda d, body, depth: complex(float(body[0]), float(body[1])),
    "$fraction": lambda d, body, depth: Fraction(*map(int, body.split("/"))),  # Fraction("1e999999999") would never end
    "$decimal": _decimal,
    "$bytes": lambda d, body, depth: bytes.fromhex(body),
    "$dtype": lambda d, body, depth: DTYPES[body],
    "$tuple": lambda d, body, depth: tuple(d.build(v, depth) for v in body),
    "$set": lambda d, body, depth: {d.key(v, depth) for v in body},
    "$dict": Decoder.pairs,
    "$tensor": Decoder.tensor,
    "$array": Decoder.array,
    "$opaque": lambda d, body, depth: Opaque(str(body[0])[:200], str(body[1])[:200]),
    "$handle": lambda d, body, depth: d.handle(int(body)),
}


def plain(value: object) -> Any:
    """Return `value` as it would arrive on the other side."""
    encoder = Encoder()
    return decode(encoder.encode(value), encoder.blobs)
