"""Answers to linear queries and their errors."""
