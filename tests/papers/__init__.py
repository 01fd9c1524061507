"""The figures and numbers of the four papers, computed again by the library: `make papers`."""
