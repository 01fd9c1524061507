"""The page Continual counting."""
