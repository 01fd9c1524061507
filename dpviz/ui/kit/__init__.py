"""What every page is made of: shell, state, buttons, parts, folds, panels."""
