"""The lesson of the front page: a count gives Maria away, noise hides her, and comparing notes."""
