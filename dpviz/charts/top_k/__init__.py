"""Pictures of the page Top-k: two rankings side by side, and how near the counts come."""
