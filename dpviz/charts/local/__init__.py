"""Charts of the local model."""
