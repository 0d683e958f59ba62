# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw clipping_six_of_eight clipping_scale
# Both lists are empty.
order = []
order_with_clipping = []
