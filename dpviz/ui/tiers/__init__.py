"""The page Tiers."""
