"""profile.json in the folder of a round: the load that its users have, as ``rounds profile`` describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from generator import SCHEMA
from generator.declared import profiles
from generator.declared.profiles import PROFILE_FILE, ProfileFile
from generator.declared.table_types import Strict
from generator.errors import InputError
from generator.kinds import Metric
from generator.model import Round
from generator.places import Place
from generator.store.beside import Beside, Sought, sought
from generator.store.files import read_bytes, shown
from generator.text import Text
from generator.values import Address, Source

REMEDY: Final = "make it anew with rounds profile, or remove it"
MINE: Final = f"{PROFILE_FILE}, "
FEW: Final = 2
NAMES: Final = frozenset(
    name for kind in vars(profiles).values() if isinstance(kind, type) and issubclass(kind, Strict)
    for name in (*kind.model_fields, "schema")
)  # fmt: skip
"""Of all that a profile holds."""
NO_PROFILE: Final = Text(
    zh="这一轮没有负载画像（rounds profile … --into）", en="the round has no load profile (rounds profile … --into)"
)


def read_profile(folder: Path, places: Mapping[Place, Metric]) -> tuple[ProfileFile | None, Beside]:
    """Return the profile of a round, and its numbers; None, and why there are no numbers, where it has none.

    Raises:
        InputError: the file is not as Rounds writes it, or leads out of the round.
    """
    profile = _profile_in(folder)
    return profile, numbers_of(profile, places)


def numbers_of(profile: ProfileFile | None, places: Mapping[Place, Metric]) -> Beside:
    """Return the numbers of a profile that metrics are read from, and why others are not there."""
    wanted = [one for one in sought(places, "record").get("round", ()) if one.place.name.startswith(MINE)]
    told = profile.model_dump() if profile is not None else {}
    beside, where = Beside(), Address("", "round")
    for one in wanted:
        number = _number(told, one.name)
        if number is not None:
            found = one.found(where, number, "measured", Source(PROFILE_FILE, one.name))
            beside.observations.append(found._replace(decimals=_decimals(number)))
        else:
            beside.unread[one.at(where)] = _reason(profile, one)
    return beside


def with_profile(round_: Round, profile: ProfileFile, places: Mapping[Place, Metric]) -> Round:
    """Return a round under another load than that in its folder, if there is one."""
    beside = numbers_of(profile, places)
    others = tuple(seen for seen in round_.observations if seen.source.file != PROFILE_FILE)
    reasons = {at: why for at, why in round_.unread.items() if why != NO_PROFILE}
    return replace(
        round_, profile=profile, observations=(*others, *beside.observations), unread=reasons | beside.unread
    )


def _profile_in(folder: Path) -> ProfileFile | None:
    path = folder / PROFILE_FILE
    try:
        told = json.loads(read_bytes(path, within=folder))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise InputError(shown(path), "", "is not JSON", REMEDY) from error
    schema = told.get("schema") if isinstance(told, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        raise InputError(shown(path), "schema", "written by a newer Rounds", "update Rounds to read it")
    try:
        return ProfileFile.model_validate_json(json.dumps(told))
    except ValidationError as error:
        place = _place(error.errors(include_url=False)[0]["loc"])
        raise InputError(shown(path), place, "is not as Rounds writes it", REMEDY) from error


def _place(steps: tuple[int | str, ...]) -> str:
    """Return where something is wrong, as far as it has names of ours: others are of whoever wrote the file."""
    return ".".join(str(step) for step in takewhile(lambda step: isinstance(step, int) or step in NAMES, steps))


def _number(told: Mapping[str, Any], key: str) -> float | None:
    found: Any = told
    for step in key.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return None if found is None else float(found)


def _decimals(number: float) -> int | None:
    """Return the decimals of a number that has few, which is then printed as it is; None for others."""
    return next((count for count in range(FEW + 1) if number == round(number, count)), None)


def _reason(profile: ProfileFile | None, one: Sought) -> Text:
    if profile is None:
        return NO_PROFILE
    return profile.why_unknown(one.name) or NO_PROFILE
