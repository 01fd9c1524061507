"""The lesson on trust: a made-up patient, four hospitals, and a town of noisy answers."""
