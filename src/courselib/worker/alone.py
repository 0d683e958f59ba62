"""A worker on a student's own machine: an ordinary Python process that calls back over a local socket."""

from __future__ import annotations

import os
import socket

from courselib.worker.serve import Server
from courselib.worker.shell import Shell
from courselib.worker.wire import Channel


def main(port: int, token: str, folder: str) -> None:
    """Call back to the checker at `port`, prove to be the one it started, and serve."""
    os.environ |= {"MPLBACKEND": "Agg", "PYTHONBREAKPOINT": "0"}
    os.chdir(folder)
    shell = Shell()
    link = socket.create_connection(("127.0.0.1", port))
    link.sendall(token.encode())
    Server(Channel(link, to_checker=True), shell, folder).run()
    os._exit(0)
