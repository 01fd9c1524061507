"""The lesson on how the trick works: the cast, one path of noise, and numbers in any order."""
