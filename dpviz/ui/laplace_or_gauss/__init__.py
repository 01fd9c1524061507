"""The page Laplace or Gauss."""
