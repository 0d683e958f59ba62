"""A filter on system calls: what no answer needs and a kernel's walls do not cover by themselves.

Everywhere: no memory outside the limits (memfd, System V), no further namespaces, no peeking, no keyrings.
Without namespaces also: no signal to others, no socket, no hand on another process or on a file's mode.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

from courselib.worker.walls import libc

PR_SET_SECCOMP, MODE_FILTER = 22, 2
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # offsets in struct seccomp_data
OTHER_ABI = 0x40000000  # x32 numbers on x86-64
NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag
NO = REFUSE | errno.EPERM

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # which column below, and the kernel's own name
Numbers = tuple[int, int]  # of one call on x86-64 and on arm64; -1 where there is none

CLONE, CLONE3, SOCKET, FCNTL, IOCTL = (56, 220), (435, 435), (41, 198), (72, 25), (16, 29)
EVERYWHERE: dict[str, Numbers] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41), "mount": (165, 40), "umount2": (166, 39),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fspick": (433, 433), "mount_setattr": (442, 442),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
}  # fmt: skip
DRIVERS = ("memfd_create",)
WITHOUT_NAMESPACES: dict[str, Numbers] = {
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
    "setpriority": (141, 140), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239), "process_madvise": (440, 440),
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "lchown": (94, -1),
    "fchown": (93, 55), "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}  # fmt: skip
ON_ITSELF: dict[str, Numbers] = {"kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261), "sched_setaffinity": (203, 122)}
OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: the kernel would send any signal in the file's name
OWNERS_OF_SOCKETS = (0x8901, 0x8902, 0x5412)  # FIOSETOWN, SIOCSPGRP; TIOCSTI types into a terminal


class Program(ctypes.Structure):
    """What the kernel takes: a count and a pointer to the instructions."""

    _fields_ = (("count", ctypes.c_ushort), ("code", ctypes.c_void_p))


def refuse_calls(*, namespaces: bool, driver: bool) -> bool:
    """Install the filter on this process and all it will start; tell whether this machine has one.

    `driver` leaves a GPU's driver what it may use.
    """
    if platform.machine() not in ARCHITECTURES:
        return False
    code = _filter(*ARCHITECTURES[platform.machine()], namespaces, driver)
    buffer = ctypes.create_string_buffer(code)
    program = Program(len(code) // 8, ctypes.addressof(buffer))
    return bool(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _filter(column: int, architecture: int, namespaces: bool, driver: bool) -> bytes:
    """Assemble the filter: each test either falls through to the next or ends in a verdict."""
    code = [_op(LOAD, ARCHITECTURE), _op(JUMP_EQUAL, architecture, 1, 0), _op(RETURN, KILL)]
    code += [_op(LOAD, NUMBER), _op(JUMP_AT_LEAST, OTHER_ABI, 0, 1), _op(RETURN, NO)]
    for name, numbers in (EVERYWHERE if namespaces else EVERYWHERE | WITHOUT_NAMESPACES).items():
        if numbers[column] >= 0 and not (driver and name in DRIVERS):
            code += _never(numbers[column], NO)
    code += _never(CLONE3[column], REFUSE | errno.ENOSYS)  # its flags are out of sight; the C library falls back to clone
    code += _without_flags(CLONE[column], NEW_NAMESPACES)
    if not namespaces:
        code += _never(SOCKET[column], REFUSE | errno.ENETUNREACH)  # local ones, too: a session bus would start programs outside
        code += [op for numbers in ON_ITSELF.values() for op in _on_itself(numbers[column])]
        code += _not_with(FCNTL[column], OWNERS) + _not_with(IOCTL[column], OWNERS_OF_SOCKETS)
    return b"".join([*code, _op(RETURN, ALLOW)])


def _never(number: int, verdict: int) -> list[bytes]:
    return [_op(JUMP_EQUAL, number, 0, 1), _op(RETURN, verdict)]


def _on_itself(number: int) -> list[bytes]:
    """Allow a call whose first argument is this process or 0, which means the caller."""
    tests = [_op(LOAD, FIRST_ARGUMENT), _op(JUMP_EQUAL, os.getpid(), 1, 0), _op(JUMP_EQUAL, 0, 0, 1)]
    return [_op(JUMP_EQUAL, number, 0, 5), *tests, _op(RETURN, ALLOW), _op(RETURN, NO)]


def _not_with(number: int, values: tuple[int, ...]) -> list[bytes]:
    """Refuse a call whose second argument is one of `values`."""
    tests = [_op(JUMP_EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
    return [_op(JUMP_EQUAL, number, 0, len(values) + 3), _op(LOAD, SECOND_ARGUMENT), *tests, _op(RETURN, ALLOW), _op(RETURN, NO)]


def _without_flags(number: int, flags: int) -> list[bytes]:
    """Refuse a call whose first argument has any of `flags`."""
    tests = [_op(LOAD, FIRST_ARGUMENT), _op(JUMP_IF_ANY, flags, 0, 1)]
    return [_op(JUMP_EQUAL, number, 0, 4), *tests, _op(RETURN, NO), _op(RETURN, ALLOW)]


def _op(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
