"""A table and a statistic on it: columns, influence of one person, what bounding costs."""
