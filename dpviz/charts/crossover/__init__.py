"""Laplace or Gaussian noise: which is the smaller one, and from which δ on."""
