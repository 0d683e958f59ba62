why = {
    "move_batch": "the model is on the device, so the batch must be there",
    "zero_grad": "backward adds",
    "forward": "makes the loss",
    "backward": "makes the gradients",
    "step": "uses the gradients",
    "update": "uses what step found",
}
order = why.keys()
order_with_clipping = dict.fromkeys([*list(why)[:4], "unscale", "clip", *list(why)[4:]]).keys()
