"""The page Present."""
