"""Count people per group, slowly and literally, in plain Python over a list of rows."""

Rows = list[dict[str, str]]


def count_people(
    rows: Rows, column: str, groups: list[str], person: str | None, groups_per_person: int
) -> list[int]:
    """Follow the definition word by word; an empty text is a missing value."""
    counts = [0] * len(groups)
    if person is None:
        for row in rows:
            if row[column] in groups:
                counts[groups.index(row[column])] += 1
        return counts
    for one in sorted({row[person] for row in rows}):
        if one != "":
            visited = [row[column] for row in rows if row[person] == one]
            for position in first_groups(visited, groups, groups_per_person):
                counts[position] += 1
    return counts


def first_groups(visited: list[str], groups: list[str], at_most: int) -> list[int]:
    """Positions of the first groups of the list that a person visited."""
    kept: list[int] = []
    for position, group in enumerate(groups):
        if group in visited and len(kept) < at_most:
            kept.append(position)
    return kept
