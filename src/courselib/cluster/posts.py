"""The workers that are there, each a post with a desk: who has come, who has gone, whose desk is open."""

from __future__ import annotations

from asyncio import CancelledError
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future, KilledWorker

from courselib.cluster import desk
from courselib.cluster.parcel import Parcel
from courselib.record import Machine
from courselib.text import Text, say
from courselib.trouble import Trouble

LOOK = 1.0  # seconds from one look to the next
ANSWER = 30.0  # seconds for the cluster to answer
ARRIVE = 30.0  # seconds without any worker
OPEN = 300.0  # seconds without any open desk
GPU = "GPU"  # as workers name it: dask worker --resources GPU=1


@dataclass
class Post:
    """A worker of the cluster; `about` is what its desk says of itself once it is open."""

    address: str
    slots: int
    gpu: bool
    desk: Future[Any]
    about: dict[str, Any] | None = None
    in_hand: int = 0

    @property
    def machine(self) -> Machine:
        """Return what the worker's machine is."""
        return Machine(**(self.about or {})["machine"])


class Posts:
    """All workers that the scheduler knows now; each gets a desk as soon as it is seen."""

    def __init__(self, client: Client, parcel: Parcel) -> None:
        self.client, self.parcel = client, parcel
        self.posts: dict[str, Post] = {}
        self.run, self.numbers = uuid4().hex, count()
        self.looked = 0.0
        self.seen = self.opened = monotonic()

    def key(self) -> str:
        """Return a name for a task that no other task of any run has."""
        return f"courselib-{self.run}-{next(self.numbers)}"

    def look(self) -> list[Post]:
        """See who has come and who has gone, at most once in a while; return the posts that have gone."""
        now = monotonic()
        if now - self.looked < LOOK:
            return []
        self.looked = now
        there = self._there()
        gone = [post for address, post in self.posts.items() if address not in there]
        for post in gone:
            del self.posts[post.address]
        for address in there.keys() - self.posts.keys():
            self.posts[address] = self._post(address, there[address])
        self._patience(now)
        return gone

    def _there(self) -> dict[str, Any]:
        """Return what the scheduler tells of its workers."""
        try:
            if (scheduler := self.client.scheduler) is None:
                raise OSError(self.client.status)
            told = self.client.sync(scheduler.identity, callback_timeout=ANSWER)
        except (OSError, RuntimeError, CancelledError) as fault:
            raise Trouble(
                say(
                    "cluster-এর scheduler-কে আর পাওয়া যাচ্ছে না ({f}); আবার চালাও, যা গ্রেড হয়েছে তা থাকছে।",
                    "the cluster's scheduler has gone ({f}); run again: what is graded is kept.",
                    f=fault or type(fault).__name__,
                )
            ) from None
        return dict(told["workers"])

    def _post(self, address: str, told: dict[str, Any]) -> Post:
        slots, gpu = int(told["nthreads"]), told.get("resources", {}).get(GPU, 0) >= 1
        opening = self.client.submit(desk.opened, self.parcel, slots, key=self.key(), workers=[address], pure=False)
        return Post(address, slots, gpu, opening)

    def _patience(self, now: float) -> None:
        """Give up where no worker has been there, or none has had a desk, for too long."""
        self.seen = now if self.posts else self.seen
        if now - self.seen > ARRIVE:
            raise Trouble(
                say(
                    "cluster-এ {s:.0f} সেকেন্ড ধরে কোনো worker নেই; worker চালু করে আবার চালাও, যা গ্রেড হয়েছে তা থাকছে।",
                    "the cluster has had no worker for {s:.0f} seconds; start workers and run again: what is graded is kept.",
                    s=ARRIVE,
                )
            )
        if now - self.opened > OPEN:
            raise Trouble(
                say(
                    "{s:.0f} সেকেন্ডেও কোনো worker-এ গ্রেড শুরু হয়নি ({w}); তার log দেখো।",
                    "no worker was ready to grade within {s:.0f} seconds ({w}); see its log.",
                    s=OPEN,
                    w=", ".join(self.posts),
                )
            )

    def open(self) -> list[Post]:
        """Return the posts whose desks are open."""
        for post in list(self.posts.values()):
            if post.about is None and post.desk.done():
                self._hear(post)
        found = [post for post in self.posts.values() if post.about]
        self.opened = monotonic() if found else self.opened
        return found

    def _hear(self, post: Post) -> None:
        """Take what a desk says of itself, or why there is none."""
        try:
            post.about = post.desk.result(timeout=ANSWER)
        except TimeoutError:
            pass  # its worker is just going, or slow
        except (KilledWorker, CancelledError):
            self.forget(post)
        except Trouble as trouble:
            raise Trouble(_at(post, trouble.sentence)) from None
        except Exception as fault:
            why = say(
                "গ্রেড শুরু হলো না ({f}); scheduler আর সব worker-এ একই courselib বসাও।",
                "grading does not start there ({f}); install the same courselib on the scheduler and on every worker.",
                f=f"{type(fault).__name__}: {' '.join(str(fault).split())[:200]}",
            )
            raise Trouble(_at(post, why)) from None

    def forget(self, post: Post) -> None:
        """Let go of a desk that is no more; its worker, if it is still there, gets another."""
        if self.posts.get(post.address) is post:
            del self.posts[post.address]


def _at(post: Post, why: Text) -> Text:
    return say("{w}: {t}", "{w}: {t}", w=post.address, t=why)
