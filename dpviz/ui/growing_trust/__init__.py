"""The page Growing trust: one mechanism in three stories, each with its picture and its act."""
