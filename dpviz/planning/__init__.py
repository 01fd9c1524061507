"""From a typed amount to a budget, a noise level and a tier; presets and published practice."""
