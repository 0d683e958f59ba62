# fails: order_trains order_adamw clipping_trains clipping_adamw
# The names are bytes.
order = b"move_batch forward zero_grad backward step update".split()
order_with_clipping = b"move_batch forward zero_grad backward unscale clip step update".split()
