"""The driver: hands the works of a class to the open desks, a few at a time, and takes their records as they come."""

from __future__ import annotations

import signal
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, Future

from courselib.cluster import desk
from courselib.cluster.posts import ANSWER, GPU, LOOK, Post, Posts
from courselib.cluster.queue import Queue
from courselib.grader import Bench, Work, lost
from courselib.keep import keys
from courselib.record import Record
from courselib.text import Text, say

IN_HAND = 2  # batches for each slot: one that is graded, one that waits
MOST, A_WHILE = 32, 1.0  # works in a batch, and the seconds that one should take: Dask spends milliseconds on each


@contextmanager
def _interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Have a Ctrl-C inside the block call `stop`: raised wherever it falls, it can be lost in a finalizer of Dask's futures."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if heard:
        signal.signal(signal.SIGINT, lambda *_: stop())
    try:
        yield
    finally:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class Sent:
    """A batch of works at a post."""

    post: Post
    works: list[Work]
    future: Future[Any]


class Cluster:
    """The workers of a cluster, as a run employs them."""

    def __init__(self, client: Client, posts: Posts, benches: Mapping[str, Bench]) -> None:
        self.client, self.posts, self.benches = client, posts, benches
        self.queue = Queue([], set())
        self.sent: dict[str, Sent] = {}
        self.ended: SimpleQueue[Future[Any] | None] = SimpleQueue()  # None: Ctrl-C
        self.lost_once: set[tuple[str, str]] = set()
        self.pace = A_WHILE  # seconds that a work takes, of late

    @property
    def settings(self) -> keys.Settings:
        """Return what all records share: the weakest walls, and what every worker has that a work could go to."""
        posts = self.posts.open()
        able = [set(p.about["able"]) for p in [p for p in posts if p.gpu] or posts if p.about]
        return keys.settings(min((p.machine.isolation for p in posts), key=keys.WALLS.index), set.intersection(*able))

    @property
    def note(self) -> Text:
        """Say how many there are and behind which walls the work is run."""
        posts = self.posts.open()
        weakest = min(posts, key=lambda p: keys.WALLS.index(p.machine.isolation))
        walls = Text(*weakest.about["note"]) if weakest.about else ""
        return say(
            "cluster: {n}টি worker, {s}টি slot; {w}",
            "cluster: workers {n}, slots {s}; {w}",
            n=len(posts),
            s=sum(p.slots for p in posts),
            w=walls,
        )

    def records(self, works: Iterable[Work]) -> Iterator[Record]:
        """Yield a record for every piece of work, as it is done."""
        self.queue = Queue(works, {e for e, b in self.benches.items() if any(c.requires == "cuda" for c in b.checks.checks)})
        with _interruptible(lambda: self.ended.put(None)):
            while True:
                yield from self._missing(self.posts.look())
                if self._hand_out() and not self.sent:
                    return
                yield from self._next()

    def _next(self) -> Iterator[Record]:
        """Wait a moment for a batch to end; yield its records."""
        with suppress(Empty):
            future = self.ended.get(timeout=LOOK)
            if future is None:
                raise KeyboardInterrupt
            yield from self._taken(future)

    def _hand_out(self) -> bool:
        """Fill the hands of all posts; tell whether there is any post."""
        posts = self.posts.open()
        apart, hands = any(post.gpu for post in posts), IN_HAND * sum(post.slots for post in posts)
        for post in sorted(posts, key=lambda p: p.in_hand / p.slots):
            kinds = (True, False) if post.gpu or not apart else (False,)
            while post.in_hand < IN_HAND * post.slots and (works := self.queue.take(self._some(hands), *kinds)):
                self._send(post, works)
        return bool(posts)

    def _some(self, hands: int) -> int:
        """Return how many works are one batch.

        Few where they are slow, or many would be lost and waited for together; and at the end ever fewer, so that all hands end at once.
        """
        most = max(1, min(MOST, int(A_WHILE / max(self.pace, 0.001))))
        share = -(-self.queue.ahead(most * hands) // hands)
        return max(1, min(most, share))

    def _send(self, post: Post, works: list[Work]) -> None:
        need = {GPU: 1} if post.gpu and self.queue.of_kind(works[0]) else None
        future = self.client.submit(
            desk.graded, post.desk, desk.Batch(works), key=self.posts.key(), workers=[post.address], resources=need, pure=False
        )
        post.in_hand += 1
        self.sent[str(future.key)] = Sent(post, works, future)
        future.add_done_callback(self.ended.put)

    def _taken(self, future: Future[Any]) -> Iterator[Record]:
        """Yield the records of a batch that has ended."""
        if str(future.key) not in self.sent:
            return  # taken for lost, and sent elsewhere
        try:
            found: list[Record] = future.result(timeout=ANSWER)
        except TimeoutError:
            self.ended.put(future)  # its worker is slow, or just going: then we shall see that it has gone
        except (Exception, CancelledError):
            sent = self._back(future)
            self.posts.forget(sent.post)
            yield from self._again(sent)
        else:
            self._back(future)
            for record in found:
                self.pace += (record.seconds - self.pace) / 8
                yield record

    def _back(self, future: Future[Any]) -> Sent:
        sent = self.sent.pop(str(future.key))
        sent.post.in_hand -= 1
        return sent

    def _missing(self, gone: list[Post]) -> Iterator[Record]:
        """Send the works of posts that have gone again; yield the records of those that were lost before."""
        for sent in [s for s in self.sent.values() if s.post in gone]:
            self._back(sent.future)
            self.client.cancel([sent.future], force=True)
            yield from self._again(sent)

    def _again(self, sent: Sent) -> Iterator[Record]:
        for work in sent.works:
            name = work.student, work.exercise
            if name in self.lost_once:
                why = say("এই কাজটি করতে গিয়ে cluster-এর worker দুবার হারিয়েছে", "the cluster's worker was lost twice on this work")
                yield lost(work, self.benches[work.exercise], sent.post.machine, why.read())
            else:
                self.lost_once.add(name)
                self.queue.put_back(work)

    def close(self) -> None:
        """Let the works in hand go, and the desks; what a worker is at it finishes for nobody."""
        with suppress(Exception):  # the cluster may be gone; nothing here can be lost any more
            self.client.cancel([*(s.future for s in self.sent.values()), *(p.desk for p in self.posts.posts.values())], force=True)
        with suppress(Exception):
            self.client.close(timeout=ANSWER)
