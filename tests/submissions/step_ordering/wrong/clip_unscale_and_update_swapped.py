# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale clipping_seven_of_eight
# Clip before unscale and update before step.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "clip", "unscale", "update", "step"]
