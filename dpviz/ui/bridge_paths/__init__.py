"""The page Bridge paths."""
