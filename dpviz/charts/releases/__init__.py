"""What the tiers hold, with intervals; the ledger and the meter."""
