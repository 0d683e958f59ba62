def rank(name: str) -> int:
    match name:
        case "move_batch" | "zero_grad":
            return 0
        case "forward":
            return 1
        case "backward":
            return 2
        case "unscale":
            return 3
        case "clip":
            return 4
        case "step":
            return 5
        case _:
            return 6


order = sorted(all_six := ["backward", "forward", "move_batch", "step", "update", "zero_grad"], key=rank)
order_with_clipping = sorted([*all_six, "clip", "unscale"], key=rank)
