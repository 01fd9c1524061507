"""The six figures of [BCT20], from our own functions."""
