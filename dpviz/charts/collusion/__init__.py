"""What coalitions of tiers learn, and an attacker who tries."""
