# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# The answers are tensors of places.
import torch

order = torch.tensor([4, 2, 1, 5, 6, 3])
order_with_clipping = torch.arange(8)
