"""Simulated worlds and attacks: draws that are not releases."""
