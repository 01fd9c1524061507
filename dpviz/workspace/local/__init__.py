"""What a visitor has of the local model: clients, circles, hospitals, a market."""
