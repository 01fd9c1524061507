"""Figures: pure functions from a tidy frame to a Plotly figure; `theme.dress` adds the inks."""
