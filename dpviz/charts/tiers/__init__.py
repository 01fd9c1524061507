"""How exact a plan makes every tier, and which groups it can tell from zero."""
