"""Names of dtypes as people write them, and the ones a learner chooses among."""

from __future__ import annotations

OFFERED = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool", "complex64", "complex128")
ALIASES = {
    "half": "float16",
    "fp16": "float16",
    "bf16": "bfloat16",
    "float": "float32",
    "fp32": "float32",
    "double": "float64",
    "fp64": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "byte": "uint8",
    "char": "int8",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
COMMON = ("float16", "bfloat16", "float32", "float64")


def read(text: str) -> str | None:
    """Return the dtype that `text` names ("half", "torch.float16", "bf16"), or None."""
    name = "".join(text.split()).lower().removeprefix("torch.")
    name = ALIASES.get(name, name)
    return name if name in OFFERED else None


def options(keys: set[str]) -> list[str]:
    """Return the dtypes to choose among: the common ones, and all integers where one is a key."""
    wanted = keys | set(COMMON)
    if any(k.startswith(("int", "uint", "bool")) for k in keys):
        wanted |= {"int32", "int64", "bool"}
    return [d for d in OFFERED if d in wanted]
