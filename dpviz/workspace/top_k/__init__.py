"""Top-k on the visitor's data: what is counted, lists with their counts, truncated histograms."""
