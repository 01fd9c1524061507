"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers."""
