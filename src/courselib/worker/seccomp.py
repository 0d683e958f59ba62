"""A filter on system calls for workers without namespaces: no signal to others, no network, no peeking.

Where namespaces are up they do all this better; here the kernel refuses the calls one by one.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

from courselib.worker.walls import libc

PR_SET_SECCOMP, MODE_FILTER = 22, 2
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
AF_INET, AF_INET6, AF_PACKET = 2, 10, 17

# per machine: audit architecture; kill, tgkill; socket; calls refused whatever their arguments:
# tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal, ptrace, process_vm_readv, process_vm_writev, io_uring_setup
CALLS = {
    "x86_64": (0xC000003E, (62, 234), 41, (200, 129, 297, 424, 101, 310, 311, 425)),
    "aarch64": (0xC00000B7, (129, 131), 198, (130, 138, 240, 424, 117, 270, 271, 425)),
}
OTHER_ABI = 0x40000000  # x32 numbers on x86-64


class Program(ctypes.Structure):
    """What the kernel takes: a count and a pointer to the instructions."""

    _fields_ = (("count", ctypes.c_ushort), ("code", ctypes.c_void_p))


def refuse_calls() -> bool:
    """Install the filter on this process and all it will start; tell whether this machine has one."""
    if platform.machine() not in CALLS:
        return False
    code = _filter(*CALLS[platform.machine()])
    buffer = ctypes.create_string_buffer(code)
    program = Program(len(code) // 8, ctypes.addressof(buffer))
    return bool(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _filter(architecture: int, signals: tuple[int, ...], socket: int, refused: tuple[int, ...]) -> bytes:
    """Assemble the filter: each test either falls through to the next or ends in a verdict."""
    no = REFUSE | errno.EPERM
    code = [_op(LOAD, ARCHITECTURE), _op(JUMP_EQUAL, architecture, 1, 0), _op(RETURN, KILL)]
    code += [_op(LOAD, NUMBER), _op(JUMP_AT_LEAST, OTHER_ABI, 0, 1), _op(RETURN, no)]
    for number in refused:
        code += [_op(JUMP_EQUAL, number, 0, 1), _op(RETURN, no)]
    for number in signals:  # only to itself, as abort() does
        code += [_op(JUMP_EQUAL, number, 0, 4), _op(LOAD, FIRST_ARGUMENT), _op(JUMP_EQUAL, os.getpid(), 0, 1)]
        code += [_op(RETURN, ALLOW), _op(RETURN, no)]
    code += [_op(JUMP_EQUAL, socket, 0, 5), _op(LOAD, FIRST_ARGUMENT)]
    code += [_op(JUMP_EQUAL, AF_INET, 2, 0), _op(JUMP_EQUAL, AF_INET6, 1, 0), _op(JUMP_EQUAL, AF_PACKET, 0, 1)]
    return b"".join([*code, _op(RETURN, REFUSE | errno.ENETUNREACH), _op(RETURN, ALLOW)])


def _op(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
