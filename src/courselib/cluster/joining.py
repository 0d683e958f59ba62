"""Joining a cluster: its scheduler found, its workers' desks open, all of one version, or one sentence that says what is amiss."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Literal

from courselib.text import say
from courselib.trouble import Trouble

if TYPE_CHECKING:
    from distributed import Client

    from courselib.cluster.driver import Cluster
    from courselib.course import Course

REACH = 30.0  # seconds for the scheduler to answer
QUIET = {"distributed": "critical", "distributed.client": "critical"}  # what goes wrong is told in a sentence of ours


def employ(
    course: Course, exercises: list[str], address: str, isolation: Literal["auto", "namespaces", "process"], require: str | None
) -> Cluster:
    """Join the cluster at `address` (a scheduler's address, or the file that it writes) and open a desk at each worker."""
    client = _connected(address)
    from courselib.cluster.driver import Cluster
    from courselib.cluster.parcel import packed
    from courselib.cluster.posts import Posts
    from courselib.crew import loaded

    cluster = Cluster(client, Posts(client, packed(course, exercises, isolation)), {e: loaded(course, e) for e in exercises})
    try:
        _gathered(cluster)
        if require and require not in cluster.settings.able:
            raise Trouble(
                say(
                    "--require {r}: cluster-এর কোনো worker-এ তা নেই; GPU-ওয়ালা worker চালাও (--resources GPU=1), নয়তো option-টি বাদ দাও।",
                    "--require {r}: no worker of the cluster has it; start one with a GPU (--resources GPU=1), or leave the option out.",
                    r=require,
                )
            )
    except BaseException:
        cluster.close()
        raise
    return cluster


def _connected(address: str) -> Client:
    try:
        import dask

        if not os.environ.get("COURSELIB_DEBUG"):
            dask.config.set(logging=QUIET)
        from distributed import Client
    except ImportError as fault:
        raise Trouble(
            say(
                "--cluster-এর জন্য Dask দরকার ({f}); চালাও: pip install 'courselib[cluster]'",
                "--cluster needs Dask ({f}); run: pip install 'courselib[cluster]'",
                f=fault,
            )
        ) from None
    try:
        found = str(json.loads(Path(address).read_text())["address"]) if Path(address).is_file() else address
        asyncio.run(_tried(found))
        return Client(found, timeout=REACH, set_as_default=False)
    except (OSError, ValueError, LookupError, TypeError) as fault:
        raise Trouble(
            say(
                "--cluster {a}: সেখানে কোনো Dask scheduler সাড়া দিচ্ছে না ({f}); ঠিকানা দেখো, যেমন tcp://10.0.0.1:8786।",
                "--cluster {a}: no Dask scheduler answers there ({f}); check the address, such as tcp://10.0.0.1:8786.",
                a=address,
                f=" ".join(str(fault).split())[:200] or type(fault).__name__,
            )
        ) from None


async def _tried(address: str) -> None:
    """Connect once and hang up: a client that has never been connected takes half a minute to give up."""
    from distributed.comm.core import connect
    from distributed.security import Security

    comm = await connect(address, timeout=REACH, **Security().get_connection_args("client"))
    await comm.close()


def _gathered(cluster: Cluster) -> None:
    """Wait until every worker that is there has its desk open."""
    while True:
        cluster.posts.look()
        if len(cluster.posts.open()) == len(cluster.posts.posts) > 0:
            return
        sleep(0.05)
