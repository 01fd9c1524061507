"""Private lossless multiple release: several clearance tiers, any order, one budget."""
