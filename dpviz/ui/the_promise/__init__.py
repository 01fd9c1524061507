"""The lesson on the promise: a town with and without one person, and what its number may say."""
