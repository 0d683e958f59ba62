# জান্নাতুল ফেরদৌস
order = "move_batch -> zero_grad -> forward -> backward -> step -> update"
order_with_clipping = order.replace("step", "unscale -> clip -> step")
