# fails: order_five_of_six order_gradients order_trains clipping_six_of_eight clipping_unscaled clipping_trains
# The names are shuffled by a seeded random generator.
import random

order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
random.Random(0).shuffle(order)
random.Random(0).shuffle(order_with_clipping)
