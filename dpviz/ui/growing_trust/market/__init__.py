"""The story of a data market: an owner sells a value by its ε, to buyers in any order."""
