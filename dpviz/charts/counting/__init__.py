"""Counts that grow hour by hour, the tree behind them, and how exact they are."""
