"""Forms of pictures: a topic hands a form a small tidy frame and a few words."""
