# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# Numbers are given in place of names.
order = [1, 2, 3, 4, 5, 6]
order_with_clipping = [1, 2, 3, 4, 5, 6, 7, 8]
