"""Items that appear in a sparse histogram, and the cost of a large domain."""
