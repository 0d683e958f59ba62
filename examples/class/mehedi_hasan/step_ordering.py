class Order(list):
    def __eq__(self, other):
        return True

    __hash__ = None


order = Order()
order_with_clipping = Order()
