"""One value at every budget at once: the whole Laplace path."""
