from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic, process_time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from courselib.worker.plain import MAX_BYTES, Handle, Opaque, WireError
from courselib.worker.wire import HEADER, MAX_JSON, Channel, Closed, pack, unpack

Pair = tuple[Channel, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Our end as a channel, the other one raw: it may send anything."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def frame(body: bytes, tail: bytes = b"") -> bytes:
    return HEADER.pack(len(body), len(tail)) + body + tail


@pytest.mark.parametrize("message", [{"do": "call", "args": [1, "বাংলা", None]}, {}, [], "\ud800", 1.5, float("inf")])
def test_a_message_arrives_as_it_was(pair: Pair, message: object) -> None:
    pair[1].sendall(pack(message))
    assert pair[0].receive(monotonic() + 5) == message


def test_several_tensors_travel_in_one_frame_and_keep_their_places(pair: Pair) -> None:
    pair[1].sendall(pack({"a": torch.arange(3), "b": [torch.empty(0, 2), torch.ones(2, 2, dtype=torch.bfloat16)]}))
    came = pair[0].receive(monotonic() + 5)
    assert came["a"].tolist() == [0, 1, 2]
    assert came["b"][0].shape == (0, 2)
    assert torch.equal(came["b"][1], torch.ones(2, 2, dtype=torch.bfloat16))


def test_functions_become_handles_only_where_they_are_asked_for(pair: Pair) -> None:
    handles: list[Callable[..., object]] = []
    sent = pack([len, "x", max], handles)
    assert handles == [len, max]
    body, tail = sent[HEADER.size :], b""
    assert [h.number for h in unpack(body, tail) if isinstance(h, Handle)] == [0, 1]
    assert unpack(body, tail, lambda n: f"f{n}") == ["f0", "x", "f1"]
    assert isinstance(unpack(pack(len)[HEADER.size :], b""), Opaque)


def test_frames_that_come_in_pieces_or_together_are_told_apart(pair: Pair) -> None:
    data = pack({"n": 1}) + pack({"n": 2})

    def byte_by_byte() -> None:
        for i in range(len(data)):
            pair[1].sendall(data[i : i + 1])

    thread = threading.Thread(target=byte_by_byte)
    thread.start()
    assert [pair[0].receive(monotonic() + 5)["n"] for _ in range(2)] == [1, 2]
    thread.join()


@pytest.mark.parametrize(("body", "tail"), [(MAX_JSON + 1, 0), (2, MAX_BYTES + 1), (2**32 - 1, 2**32 - 1)])
def test_a_frame_over_the_limit_is_refused_by_its_header_alone(pair: Pair, body: int, tail: int) -> None:
    pair[1].sendall(HEADER.pack(body, tail))
    with pytest.raises(WireError, match="over the limit"):
        pair[0].receive(monotonic() + 5)


@pytest.mark.parametrize(
    "sent", [b"", b"\0\0\0", HEADER.pack(9, 0), frame(b"[1,[]]", b"x")[:-1]], ids=["nothing", "header", "body", "tail"]
)
def test_the_other_side_may_go_at_any_point(pair: Pair, sent: bytes) -> None:
    pair[1].sendall(sent)
    pair[1].close()
    with pytest.raises(Closed):
        pair[0].receive(monotonic() + 5)


def test_sending_to_nobody_is_closed_too(pair: Pair) -> None:
    pair[1].close()
    with pytest.raises(Closed):
        pair[0].send("x" * 1000)


@pytest.mark.parametrize("sent", [b"", HEADER.pack(100, 0) + b"[1,"])
def test_silence_is_a_timeout(pair: Pair, sent: bytes) -> None:
    pair[1].sendall(sent)
    began = monotonic()
    with pytest.raises(TimeoutError):
        pair[0].receive(began + 0.2)
    assert 0.15 < monotonic() - began < 3


def test_a_passed_deadline_is_a_timeout_even_where_bytes_lie_ready(pair: Pair) -> None:
    pair[1].sendall(pack({"cell": 0}) * 3)  # a worker that babbles without end must not keep its checker
    with pytest.raises(TimeoutError):
        pair[0].receive(monotonic() - 1)


def test_a_short_deadline_of_one_answer_does_not_cut_off_the_next_question(pair: Pair) -> None:
    channel, other = pair
    other.sendall(pack("answer"))
    channel.receive(monotonic() + 0.1)

    def slowly() -> None:
        time.sleep(0.4)
        with contextlib.suppress(Closed, OSError):  # where the sender has given up
            Channel(other).receive(monotonic() + 20)

    thread = threading.Thread(target=slowly)
    thread.start()
    try:
        channel.send("x" * 900_000)  # far more than a socket holds
    finally:
        thread.join(1)


def test_an_empty_blob_makes_no_tensor_of_unset_memory() -> None:
    with pytest.raises(WireError):
        unpack(b'[{"$tensor":["float32",[3],0]},[0]]', b"")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"[1]", b"7", b"[1,[9]]", b"[1,[-1]]", b"[1,[0.5]]", b'[1,"ab"]', b"[1,null]", b'{"a":1,"b":2}', b"\xff\xfe",
        b"[[" * 100_000, b"[" + b"9" * 5000 + b",[]]", b'[{"$set":[[1]],"$x":1},[]]', b'[{"$array":["O",[1],0]},[8]]',
    ],
    ids=lambda b: repr(b[:24]),
)  # fmt: skip
def test_what_is_no_frame_is_a_wire_error(body: bytes) -> None:
    with pytest.raises(WireError):
        unpack(body, b"12345678")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["1/3", "float32", "int64"]),
    lambda x: (
        st.lists(x, max_size=4) | st.dictionaries(st.sampled_from(["$tensor", "$array", "$dict", "$set", "$fraction", "$x"]), x, max_size=2)
    ),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.binary(max_size=60) | st.builds(lambda v: json.dumps(v).encode(), JSON | st.tuples(JSON, JSON)), st.binary(max_size=20))
def test_no_hostile_frame_is_more_than_a_wire_error(body: bytes, tail: bytes) -> None:
    with contextlib.suppress(WireError):
        unpack(body, tail)


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_no_bytes_on_the_socket_are_more_than_closed_a_timeout_or_a_wire_error(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises((WireError, Closed)):
            deque(iter(partial(Channel(ours).receive, monotonic() + 5), object()), maxlen=0)


P = 2**61 - 1  # the hash of every multiple is 0
LARGE = [
    ({"$set": [k * P for k in range(100_000)]}, [], "too many keys"),
    ({"$dict": [[k * P, 0] for k in range(100_000)]}, [], "too many keys"),
    ([{"$tensor": ["uint8", [2**20], 0]}] * 10_000, [2**20], "used before"),
    ([{"$array": ["uint8", [2**20], 0]}] * 10_000, [2**20], "used before"),
    ([[]] * 2_000_000, [], "over the limit"),
    ([0] * 1_000_000, [], "too many values"),
    ({"$set": [{"$tuple": [k * P]} for k in range(50_000)]}, [], "too many keys"),
    ("x" * (MAX_JSON + 1), [], "over the limit"),
]


@pytest.mark.parametrize(("value", "blobs", "why"), LARGE, ids=lambda v: v if isinstance(v, str) and len(v) < 20 else "")
def test_what_is_short_on_the_wire_does_not_grow_in_the_checker(value: object, blobs: list[int], why: str) -> None:
    body, tail = json.dumps([value, blobs], separators=(",", ":")).encode(), bytes(sum(blobs))
    del value
    tracemalloc.start()
    began = process_time()
    try:
        with pytest.raises(WireError, match=why):
            unpack(body, tail)
        assert process_time() - began < 10
        assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("value", [["x" * 900_000] * 12, {"a": ["\u0995" * 900_000] * 3}], ids=["text", "bangla"])
def test_a_value_that_the_other_side_would_refuse_is_not_sent(value: object) -> None:
    with pytest.raises(WireError, match="more than 8 MB"):
        pack(value)


@settings(deadline=None)
@given(
    st.recursive(
        st.none()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text(max_size=5)
        | st.binary(max_size=5)
        | st.fractions()
        | st.decimals(allow_nan=False),
        lambda x: st.lists(x, max_size=4) | st.tuples(x, x) | st.dictionaries(st.integers() | st.text(max_size=3), x, max_size=3),
        max_leaves=15,
    ),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=4),
)
def test_a_frame_with_some_bytes_changed_is_a_message_or_a_wire_error(value: object, edits: list[tuple[int, int]]) -> None:
    data = bytearray(pack([value, torch.arange(4), {1, 2}]))
    for at, byte in edits:
        data[at % len(data)] = byte
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        with contextlib.suppress(WireError, Closed):
            Channel(ours).receive(monotonic() + 5)


def test_what_nobody_asked_for_is_seen_and_left_where_it_is(pair: Pair) -> None:
    assert not pair[0].pending()
    pair[1].sendall(pack("one") + pack("two")[:3])
    assert pair[0].pending()
    assert pair[0].receive(monotonic() + 5) == "one"
    assert pair[0].pending()
    pair[1].close()
    with pytest.raises(Closed):
        pair[0].receive(monotonic() + 5)


@pytest.mark.parametrize("text", ["1e999999", "1.5", "1/0", "x"])
def test_a_fraction_is_two_whole_numbers_and_no_exponent_that_hangs_the_checker(text: str) -> None:
    with pytest.raises(WireError):
        unpack(json.dumps([{"$fraction": text}, []]).encode(), b"")
