"""Every command with its arguments, options and exit codes, off click's own tree: in English, as click prints them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

import click

from generator.reference.markdown import code, table
from generator.terminal import EXITS
from generator.text import Lang, same

PROGRAM: Final = "rounds"
OPTION: Final = tuple(map(same, ("option", "takes", "default", "meaning")))
EXIT: Final = tuple(map(same, ("exit code", "meaning")))


def commands_of(program: click.Group, lang: Lang) -> str:
    """Return a chapter for each command: how it is called, what it takes, how it ends."""
    context = click.Context(program, info_name=PROGRAM)
    found = {name: program.get_command(context, name) for name in program.list_commands(context)}
    return "\n\n".join(_chapter(name, command, context, lang) for name, command in found.items() if command is not None)


def table_of_exits(lang: Lang) -> str:
    """Return what each exit code means."""
    return table(EXIT, ((code(number), meaning) for number, meaning in EXITS.items()), lang)


def _chapter(name: str, command: click.Command, above: click.Context, lang: Lang) -> str:
    context = click.Context(command, parent=above, info_name=name)
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    paragraphs = inspect.cleandoc(command.help or "").replace("\b", "").split("\n\n")
    told = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    parts = (f"## {PROGRAM} {name}", f"    {usage}", told, _options(command, context, lang), command.epilog)
    return "\n\n".join(part for part in parts if part)


def _options(command: click.Command, context: click.Context, lang: Lang) -> str:
    """Return the options of a command; its arguments are named in its usage and its text. ``--help`` all have."""
    rows = [_row(option, context) for option in command.params if isinstance(option, click.Option)]
    return table(OPTION, rows, lang) if rows else ""


def _row(option: click.Option, context: click.Context) -> tuple[str, ...]:
    variable = f" ({code(option.envvar)})" if option.envvar else ""
    return ", ".join(map(code, option.opts)) + variable, _takes(option, context), _default(option), option.help or ""


def _takes(option: click.Option, context: click.Context) -> str:
    if option.is_flag:
        return ""
    choices: Iterable[str] = getattr(option.type, "choices", ())
    kind = ", ".join(map(code, choices)) or code(option.make_metavar(context))
    return f"{kind}{'; may be repeated' if option.multiple else ''}{'; required' if option.required else ''}"


def _default(option: click.Option) -> str:
    shown = isinstance(option.default, str | int | float | PurePath) and not option.is_flag
    return code(option.default) if shown else ""
