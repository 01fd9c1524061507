"""The page Social network: one person's circle, what its rings are told, who pools answers."""
