"""Simulated worlds and attacks: draws that are no releases."""
