"""The overview of the further questions: seven cards, a small still picture on each."""
