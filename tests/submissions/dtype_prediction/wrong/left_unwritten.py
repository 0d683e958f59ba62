# fails: products float32_operations own_dtype mixed_inputs program_h
# Hands the stub in as it was.
import torch

predictions = ...


def autocast_dtype(op: str, dtypes: list[str], autocast: str | None) -> str:
    raise NotImplementedError
