"""The page More questions: seven cards, each with a small still picture and a question."""
