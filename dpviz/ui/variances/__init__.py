"""The page Variances."""
