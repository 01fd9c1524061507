"""The page Data market: an owner sells a value by its ε, to buyers in any order."""
