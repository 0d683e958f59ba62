class Name(str):
    def __repr__(self):
        return f"<{self}>"


class Plan(list):
    def then(self, name):
        self.append(Name(name))
        return self


order = Plan().then("move_batch").then("forward").then("zero_grad").then("backward").then("step").then("update")
order_with_clipping = Plan()
for name in order:
    if name == "step":
        order_with_clipping.then("unscale").then("clip")
    order_with_clipping.then(name)
