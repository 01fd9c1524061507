"""Charts of one value at every budget."""
