"""A quiz for an LMS: one module per format, and what they share: texts, decimals, orders, and what is lost on the way."""
