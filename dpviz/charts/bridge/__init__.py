"""One draw between two held releases: its law, and the paths that lead to it."""
