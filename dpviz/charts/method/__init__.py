"""The chart of the page Method."""
