"""The page Top-k."""
