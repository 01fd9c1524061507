"""The figures of the front page that no other lesson has: a town, blurs, a plucked string."""
