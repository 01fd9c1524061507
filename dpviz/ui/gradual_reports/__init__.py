"""The page Gradual reports."""
