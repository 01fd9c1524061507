"""Linear queries about the statistic in use: its numbers, what is asked of them, the session."""
