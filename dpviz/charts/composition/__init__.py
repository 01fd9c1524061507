"""Frames and figures of what many private answers cost together."""
