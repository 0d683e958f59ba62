"""CUDA autocast's policy on a machine without a GPU: PyTorch's dispatcher, with the AutocastCPU kernels replaced.

CPU autocast keeps other lists than CUDA autocast (softmax, layer_norm and sum differ, among others), so it
cannot tell what a GPU would do. `cuda_policy` gives AutocastCPU the lists of `ATen/autocast_mode.h` that CUDA
uses; forward and backward then run for real, on CPU tensors.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

LISTS = {
    "LOWER_PRECISION_FP": """
        _convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input
        conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm
        chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell
        rnn_relu_cell _scaled_dot_product_flash_attention scaled_dot_product_attention
    """,
    "FP32": """
        acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar pow.Tensor_Tensor
        pow.Scalar softplus layer_norm native_layer_norm rms_norm group_norm frobenius_norm.dim nuclear_norm nuclear_norm.dim
        cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss
        smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss
        multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp upsample_nearest1d
        _upsample_nearest_exact1d upsample_nearest2d _upsample_nearest_exact2d upsample_nearest3d _upsample_nearest_exact3d
        upsample_linear1d upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d
        _upsample_bicubic2d_aa
    """,
    "FP32_SET_OPT_DTYPE": """
        prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm linalg_matrix_norm
        linalg_matrix_norm.str_ord sum sum.dim_IntList
    """,
    "DIFFERENT_REDISPATCH_SIGNATURE": "norm.Scalar norm.ScalarOpt_dim",
    "PROMOTE": "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add",
}
BANNED = "binary_cross_entropy"

Kernel = Callable[..., Any]

_one_at_a_time = threading.RLock()


def list_of(name: str) -> str | None:
    """Return the title of the list that holds the operation `name`, None for one that autocast leaves alone."""
    return next((title for title, names in LISTS.items() if name in re.findall(r"(\w+)\S*", names)), None)


@contextmanager
def cuda_policy() -> Iterator[None]:
    """Make `torch.autocast("cpu", ...)` cast as CUDA autocast does, in the whole process, inside the block.

    Raises RuntimeError where this PyTorch lacks the private parts it is built on.
    """
    with _one_at_a_time, ExitStack() as stack:
        try:
            _replace_kernels(stack.enter_context(torch.library._scoped_library("aten", "IMPL")))
        except (AttributeError, TypeError, RuntimeError) as lack:
            raise RuntimeError(f"torch {torch.__version__} cannot run CUDA autocast's policy on the CPU: {lack}") from lack
        yield


def _replace_kernels(library: torch.library.Library) -> None:
    ours = dict(_kernels())
    theirs = (n.removeprefix("aten::") for n in torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCPU"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns of every kernel that is replaced
        for name in ours.keys() | set(theirs):
            library.impl(name, ours.get(name, torch.library.fallthrough_kernel), "AutocastCPU")  # type: ignore[no-untyped-call]


def _kernels() -> Iterator[tuple[str, Kernel]]:
    yield BANNED, _refuse
    for title, names in LISTS.items():
        for name in names.split():
            packet, _, overload = name.partition(".")
            op = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
            if op is not None:  # the lists may be newer than this PyTorch
                yield name, _kernel(op, _POLICIES[title])


def _kernel(op: Any, policy: Kernel) -> Kernel:
    without, autocast = torch._C._ExcludeDispatchKeyGuard, torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)

    def run(*args: Any, **kwargs: Any) -> Any:
        with without(autocast):
            return policy(op, args, kwargs)

    return run


def _lower(op: Any, args: Any, kwargs: Any) -> Any:
    return _on(torch.get_autocast_dtype("cpu"), op, args, kwargs)


def _float32(op: Any, args: Any, kwargs: Any) -> Any:
    return _on(torch.float32, op, args, kwargs)


def _by_argument(op: Any, args: Any, kwargs: Any) -> Any:
    """Ask the operation itself for float32, unless the caller named a dtype."""
    place = [a.name for a in op._schema.arguments].index("dtype")
    asked = kwargs.get("dtype", args[place] if place < len(args) else None)
    if asked is None and _eligible(args[0]):
        args, kwargs = args[:place], {**kwargs, "dtype": torch.float32}
    return op(*args, **kwargs)


def _widest(op: Any, args: Any, kwargs: Any) -> Any:
    low = widest = torch.get_autocast_dtype("cpu")
    for tensor in filter(_eligible, tree_leaves((args, kwargs))):
        if torch.float32 in (widest, tensor.dtype):
            widest = torch.float32
        elif tensor.dtype != low:
            raise RuntimeError(f"Unexpected floating ScalarType {tensor.dtype} in autocast's promotion")
    return _on(widest, op, args, kwargs)


def _on(dtype: torch.dtype, op: Any, args: Any, kwargs: Any) -> Any:
    args, kwargs = tree_map(lambda v: v.to(dtype) if _eligible(v) else v, (args, kwargs))
    return op(*args, **kwargs)


def _eligible(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("binary_cross_entropy is unsafe to autocast; use binary_cross_entropy_with_logits")


_POLICIES: dict[str, Kernel] = {
    "LOWER_PRECISION_FP": _lower,
    "FP32": _float32,
    "FP32_SET_OPT_DTYPE": _by_argument,
    "DIFFERENT_REDISPATCH_SIGNATURE": _float32,
    "PROMOTE": _widest,
}
