"""The page Composition."""
