"""The records of a model's architecture: what each layer keeps of a sequence, and which weights a step reads.

They are what ``architecture.json`` holds, so they are checked as they are read: that file comes from outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

SCHEMA: Final = 1
MOST_LAYERS: Final = 10_000
MOST_GROUPS: Final = 1_000

Keeps = Literal["all", "window", "state", "nothing"]
"""What a layer keeps of a sequence: keys and values of all its tokens, of the last ones only, a state of one size."""

Count = Annotated[int, Field(ge=0, le=10**16)]
Whole = Annotated[int, Field(ge=1, le=10**16)]
Bytes = Annotated[float, Field(ge=0, le=1e16)]


class UnknownArchitectureError(Exception):
    """Why nothing can be said of a model: its kind is not known, or a key is missing or wrong. One clear line.

    Attributes:
        place: the key at fault; empty for the whole.
        problem: what was found and what was expected.
    """

    def __init__(self, place: str, problem: str) -> None:
        """Keep both halves of the line that the user is shown."""
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place, self.problem = place, problem


@contextmanager
def sized(file: str) -> Iterator[None]:
    """Refuse sizes that are each possible and together are those of no model.

    Raises:
        UnknownArchitectureError: the records do not take them.
    """
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise UnknownArchitectureError(file, f"comes to sizes of no model ({place}: {first['msg']})") from error


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Layers(_Record):
    """Layers that are alike in what they keep of a sequence.

    Attributes:
        count: how many there are.
        keeps: what each keeps.
        kv_heads: its key-value heads; None where it has none of its own (a latent, a state).
        key_elements: elements of the keys of one token; of a latent that serves as both, all are here.
        value_elements: elements of its values.
        pair_flops: operations of one query with one key, over all heads: 2 × heads × (key dim + value dim).
        window: tokens that it looks back on, itself among them; where it keeps a window only.
        state_elements: elements of its state, whatever the length.
    """

    count: Annotated[int, Field(ge=1, le=MOST_LAYERS)]
    keeps: Keeps
    kv_heads: Whole | None = None
    key_elements: Count = 0
    value_elements: Count = 0
    pair_flops: Count = 0
    window: Whole | None = None
    state_elements: Count = 0

    @model_validator(mode="after")
    def _window_where_one_is_kept(self) -> Self:
        if (self.window is not None) != (self.keeps == "window"):
            raise ValueError("window stands where keeps is window, and only there")
        return self

    @property
    def elements(self) -> int:
        """Return the elements that one layer keeps of one token."""
        return self.key_elements + self.value_elements


class Experts(_Record):
    """The routed experts of a mixture.

    Attributes:
        layers: layers that have them.
        count: experts of such a layer.
        used: experts that a token is sent to there.
        params: parameters of one expert.
        bytes: bytes of one expert; None where that is not known.
    """

    layers: Annotated[int, Field(ge=1, le=MOST_LAYERS)]
    count: Whole
    used: Whole
    params: Count
    bytes: Bytes | None = None

    @model_validator(mode="after")
    def _fewer_used_than_there_are(self) -> Self:
        if self.used >= self.count:
            raise ValueError("used is below count: where every expert is used, they count among the dense weights")
        return self


class Weights(_Record):
    """The weights outside the routed experts.

    Attributes:
        body_params: parameters in matrix products that every token passes, without the output head.
        head_params: those of the output head; where it shares the table of the input, that table.
        other_params: norms and biases: read, and no matrix product.
        embedding_params: the input table where it is not the head's: a step looks up single rows of it.
        step_bytes: bytes that every decode step reads: body, head and others; None where they are not known.
        embedding_bytes: bytes of the input table; 0 where the head shares it, None where they are not known.
    """

    body_params: Count
    head_params: Count
    other_params: Count = 0
    embedding_params: Count
    step_bytes: Bytes | None = None
    embedding_bytes: Bytes | None = None


class Architecture(_Record):
    """A model, as far as bytes and operations go.

    Attributes:
        type: what its files call its kind: ``qwen2``, ``deepseek_v3``, ``gemma3``.
        source: what it was read from.
        kv_element_bytes: bytes of an element of the KV cache unless the server is told otherwise.
        layers: the layers, those alike together, in order of their first.
        weights: the weights outside the routed experts.
        experts: the routed experts; None where there are none, or where all are used.
    """

    schema_: Annotated[Literal[1], Field(alias="schema")] = SCHEMA
    type: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
    source: Literal["config.json", "gguf"]
    kv_element_bytes: Annotated[float, Field(gt=0, le=16)]
    layers: Annotated[list[Layers], Field(min_length=1, max_length=MOST_GROUPS)]
    weights: Weights
    experts: Experts | None = None

    @property
    def depth(self) -> int:
        """Return the number of layers."""
        return sum(one.count for one in self.layers)

    def keeping(self, keeps: Keeps) -> list[Layers]:
        """Return the layers that keep this of a sequence."""
        return [one for one in self.layers if one.keeps == keeps]
