"""Read a plan file from anybody: what is no plan is refused with one sentence, field by field.

A file is JSON in UTF-8. Python's own reader finds what a strict one lets pass (a field that is
there twice) or cannot say (which program wrote it, in which version); pydantic finds all else.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.workspace.plan_file.schema import FORMAT, VERSION, File

MAX_BYTES = 1 << 20
_INSTEAD = "choose a file that was saved with “Save the plan”"
_SUBJECT = re.compile("^[A-Z][a-z]+ should ")  # of pydantic's sentences
_TAGGED = ("statistic", "by")  # after these a mistake's path holds the kind, which is no field


def read_file(content: bytes) -> File:
    """The fields of a plan file, each of its type; their values are not looked at yet.

    Args:
        content: the bytes, from anybody.

    Raises:
        ParameterError: one sentence: what is wrong, in which field, and what to do instead.
    """
    if len(content) > MAX_BYTES:
        raise ParameterError(f"This file is larger than any plan (1 MB); {_INSTEAD}")
    try:
        text = content.decode("utf-8-sig")
        found = json.loads(text, object_pairs_hook=_each_once)
    except ParameterError:
        raise
    except (ValueError, RecursionError):
        raise ParameterError(
            f"This file is not a plan, because it cannot be read as JSON in UTF-8; {_INSTEAD}"
        ) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ParameterError(f"This file is not a plan of dpviz; {_INSTEAD}")
    _check_version(found.get("version"))
    try:
        return File.model_validate_json(text)
    except ValidationError as error:
        raise ParameterError(sentence_of(error)) from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ParameterError(f"The plan file has the field {quoted(twice)} twice; delete one")
    return made


def _check_version(version: object) -> None:
    if type(version) is int and version > VERSION:
        raise ParameterError(
            f"This plan is of a newer format than this dpviz reads ({VERSION}); update dpviz, or "
            "save the plan again with this one"
        )
    if type(version) is not int or version < VERSION:
        raise ParameterError(
            f"The plan file states no version of its format; write “version”: {VERSION}"
        )


def sentence_of(error: ValidationError) -> str:
    """What is wrong first with the fields of a plan, as one sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    path, kind = _fields(first["loc"]), first["type"]
    if kind == "json_invalid":  # what Python's reader lets pass, such as half a character
        return f"This file is not a plan, because it cannot be read as JSON in UTF-8; {_INSTEAD}"
    if kind == "extra_forbidden":
        return f"The plan file has a field that no plan has, {_place(path)}; delete it"
    if kind == "missing":
        return f"The plan file lacks the field {_place(path)}; add it"
    if kind == "union_tag_not_found":
        return f"The plan file lacks the field {_place((*path, 'kind'))}; add it"
    if kind == "union_tag_invalid":
        kinds = str(first["ctx"]["expected_tags"]).replace("'", "")
        return f"The plan file has an unknown kind, {_place((*path, 'kind'))}; write one of {kinds}"
    wanted = _SUBJECT.sub("it should ", first["msg"])
    return f"The plan file has a wrong value, {_place(path)}: {wanted}; correct it"


def _fields(path: Sequence[str | int]) -> tuple[str | int, ...]:
    """The path of a mistake without the kinds that were met on the way."""
    kinds = {n + 1 for n, step in enumerate(path) if step in _TAGGED}
    shown = [step for n, step in enumerate(path) if n not in kinds]
    return tuple(shown[:1] if shown[:1] == ["expected_sizes"] else shown)


def _place(path: Sequence[str | int]) -> str:
    """A path in words, the innermost first.

    >>> _place(("tiers", 0, "name"))
    '“name” of entry 1 of “tiers”'
    """
    return " of ".join(
        f"entry {step + 1}" if isinstance(step, int) else quoted(step) for step in reversed(path)
    )
