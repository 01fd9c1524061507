"""A module per page: every number that the page says, in one frozen record made from settings."""
