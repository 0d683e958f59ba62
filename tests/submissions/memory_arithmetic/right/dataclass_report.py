from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum


class Optimizer(Enum):
    SGD = "SGD"
    MOMENTUM = "SGD+momentum"
    ADAMW = "AdamW"

    @property
    def states(self) -> int:
        return {Optimizer.SGD: 0, Optimizer.MOMENTUM: 1, Optimizer.ADAMW: 2}[self]


@dataclass
class Report:
    parameters: float
    gradients: float
    master: float
    optimizer: float
    activations: float


@dataclass(frozen=True)
class Layer:
    inputs: int
    outputs: int

    def __len__(self) -> int:
        return self.inputs * self.outputs + self.outputs


def count_parameters(sizes: list[int]) -> int:
    return sum(map(len, map(Layer, sizes, sizes[1:])))


def training_memory(
    parameters: int, optimizer: str, activations: int = 0, dtype: str = "float32", master_weights: bool = False
) -> dict[str, float]:
    size = 4.0 if dtype == "float32" else 2.0
    to_mb = 1.0 / (1 << 20)
    report = Report(
        parameters * size * to_mb,
        parameters * size * to_mb,
        4.0 * parameters * to_mb * int(master_weights),
        4.0 * parameters * Optimizer(optimizer).states * to_mb,
        activations * size * to_mb,
    )
    return asdict(report)


def matmul_tflops(n: int, milliseconds: float) -> float:
    flop = n * n * (2 * n - 1)  # n multiplications and n - 1 additions for each output
    return flop / milliseconds * 1e-9


fp32_adamw_mb: float = 50e6 * 16 / 2**20
bf16_master_mb: float = fp32_adamw_mb
bf16_inference_mb: float = fp32_adamw_mb / 8
achieved_tflops: float = round(matmul_tflops(4096, 12), 1)
