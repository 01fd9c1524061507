"""The list of all sentences leaves none out, and has no docstring in it."""

from tests.all_words import sentences

SOURCE = '''
"""Not this one."""
class A:
    """Nor this one."""
    LABEL = "Who sees what"
    def f(self, x):
        """Nor that."""
        raise ValueError(f"{x + 1} people, " "each once")
    async def key(self):
        return "key", "two words", f"{self}"
'''


def test_texts_of_several_words_are_found_where_they_stand():
    assert sorted(sentences(SOURCE)) == [
        (5, "Who sees what"),
        (8, "{x + 1} people, each once"),
        (10, "two words"),
    ]
