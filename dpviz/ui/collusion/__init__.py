"""The page Collusion."""
