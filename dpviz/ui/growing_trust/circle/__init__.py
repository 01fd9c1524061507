"""The story of a circle of friends: what its rings are told, and who compares notes."""
