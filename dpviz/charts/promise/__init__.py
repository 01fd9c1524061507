"""The pictures of the lesson on the promise: two tables, a ratio, its loss, and its price."""
