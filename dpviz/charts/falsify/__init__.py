"""Pictures of samplers on trial: an event on two tables, and four samplers side by side."""
