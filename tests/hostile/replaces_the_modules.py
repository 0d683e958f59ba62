import sys, types

for name in ("torch", "numpy", "json", "struct", "socket", "courselib.worker.wire", "courselib.worker.serve", "courselib.worker.plain"):
    sys.modules[name] = types.ModuleType(name)
import courselib.worker as w

w.wire = None
answer = 0


def double(x):
    return 0
