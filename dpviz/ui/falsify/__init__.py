"""The page Falsify."""
