"""The page Linear queries."""
