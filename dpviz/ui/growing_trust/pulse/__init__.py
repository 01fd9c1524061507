"""The story of a patient’s pulse: one number at every trust."""
