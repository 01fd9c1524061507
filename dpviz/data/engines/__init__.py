"""Engines that hold the rows of tables: DuckDB for uploads, and those where a table stays."""
