"""The law of each tier’s error as a hill."""
