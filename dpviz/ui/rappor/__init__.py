"""The page RAPPOR."""
