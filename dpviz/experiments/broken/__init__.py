"""Samplers that are wrong on purpose, to be caught: for the page Falsify and the tests alone.

Nothing here keeps what it promises. A test of the architecture lets nobody else import this room.
"""
