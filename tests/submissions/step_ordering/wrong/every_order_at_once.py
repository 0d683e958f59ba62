# fails: order_five_of_six order_trains clipping_six_of_eight clipping_trains
# The names are repeated many times over so that any order is in there somewhere.
order = sorted(["backward", "forward", "move_batch", "step", "update", "zero_grad"], reverse=True) * 6
order_with_clipping = sorted([*order[:6], "clip", "unscale"], reverse=True) * 8
