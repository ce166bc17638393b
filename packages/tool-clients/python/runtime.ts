import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';
import { pythonCheck } from './check.js';

/** `tool_registry/_runtime.py` of packages in Python: what checks values and fills in defaults; the standard library alone. */
export const pythonRuntime = String.raw`
from __future__ import annotations

import json
import math
import re
import typing as _t
from collections.abc import Mapping
from dataclasses import dataclass

Json: _t.TypeAlias = _t.Any


@dataclass(frozen=True)
class Spec:
    """What a tool's specification says."""

    name: str
    version: str
    title: str
    description: str
    input_schema: Mapping[str, Json]
    digest: str
    host: str | None = None
    output_schema: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Fault:
    """What is wrong with a value: where (RFC 6901), the id of the reason, and the reason in words."""

    pointer: str
    reason: str
    detail: str


class Invalid(ValueError):
    _what: _t.ClassVar[str]

    def __init__(self, faults: _t.Sequence[Fault]) -> None:
        super().__init__("\n".join(f"{fault.pointer or self._what} {fault.detail}" for fault in faults))
        self.faults = tuple(faults)


class InvalidArguments(Invalid):
    """The arguments are not what the input schema asks for."""

    _what = "The arguments"


class InvalidResult(Invalid):
    """The implementation's result is not what the output schema asks for."""

    _what = "The output"


class Output:
    """What a tool answers: its result, what is to be said of it, and what the agent should do next."""

    result: _t.Any
    metadata: Mapping[str, _t.Any] | None
    instruction: str | None

    def to_wire(self) -> dict[str, Json]:
        """JSON of result, metadata and instruction; the last two are left out where they are None."""
        faults: list[Fault] = []
        given = {"metadata": self.metadata, "instruction": self.instruction}
        wire = {"result": _plain(self.result, "/result", 0, faults)}
        wire.update({name: _plain(value, "/" + name, 0, faults) for name, value in given.items() if value is not None})
        if faults:
            raise InvalidResult(_ordered(faults))
        return wire


_PHRASES: dict[str, str] = json.loads(@REASONS@)
# Levels of a value, levels of checks within each other, checks of one value, and faults that are listed.
_MAX_DEPTH = 100
_MAX_NESTED = 200
_MAX_CHECKS = 1_000_000
_MAX_FAULTS = 1_000


class _TooMuch(Exception):
    pass


def _step(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _fault(pointer: str, reason: str, limit: Json = None) -> Fault:
    text = json.dumps(limit, ensure_ascii=False, separators=(",", ":"))[:500]
    return Fault(pointer, reason, _PHRASES.get(reason, reason).replace("{limit}", text))


def _plain(value: object, at: str, depth: int, faults: list[Fault]) -> Json:
    """A copy that is JSON and nothing else, whole numbers as int; what is none of it goes into the faults."""
    if depth > _MAX_DEPTH:
        raise _TooMuch
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, str):
        if not _is_unicode(value):
            faults.append(_fault(at, "unicode"))
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{at}/{index}", depth + 1, faults) for index, item in enumerate(value)]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        if not all(_is_unicode(name) for name in value):
            faults.append(_fault(at, "unicode"))
        return {name: _plain(member, at + _step(name), depth + 1, faults) for name, member in value.items()}
    faults.append(_fault(at, "json"))
    return None


def _number(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _key_of(value: Json) -> tuple[str, _t.Hashable]:
    """The same for values that JSON Schema takes for the same."""
    if isinstance(value, list):
        return ("list", tuple(_key_of(item) for item in value))
    if isinstance(value, dict):
        return ("object", frozenset((name, _key_of(member)) for name, member in value.items()))
    if isinstance(value, bool) or value is None:
        return ("word", value)
    return ("number", _number(value)) if isinstance(value, (int, float)) else ("text", str(value))


def _types_of(value: Json) -> list[str]:
    if value is None:
        return ["null"]
    if isinstance(value, bool):
        return ["boolean"]
    if isinstance(value, (int, float)):
        return ["integer", "number"] if isinstance(value, int) or value.is_integer() else ["number"]
    if isinstance(value, str):
        return ["string"]
    return ["array"] if isinstance(value, list) else ["object"]


@CHECK@
def _is_whole(value: float, limit: float) -> bool:
    quotient = value / limit
    return math.isfinite(quotient) and quotient.is_integer()


def _tells_apart(fault: Fault, at: str) -> bool:
    """Whether a fault says that an alternative is not the one meant: another type, or another constant in a member."""
    if fault.pointer == at:
        return fault.reason in ("type", "const")
    return fault.reason in ("const", "enum") and "/" not in fault.pointer[len(at) + 1 :]


def _ordered(faults: list[Fault]) -> list[Fault]:
    """By pointer and reason, each once."""
    distinct = {(fault.pointer, fault.reason): fault for fault in faults}
    return [distinct[key] for key in sorted(distinct)]


_Answer = _t.TypeVar("_Answer", bound=Output)


class Contract:
    """What a specification asks of arguments and results."""

    def __init__(self, text: str) -> None:
        contract = json.loads(text)
        spec = contract["spec"]
        self.spec = Spec(
            name=spec["name"],
            version=spec["version"],
            title=spec["title"],
            description=spec["description"],
            host=spec.get("host"),
            input_schema=spec["inputSchema"],
            output_schema=spec.get("outputSchema"),
            digest=spec["digest"],
        )
        self._patterns = {pattern: re.compile(source) for pattern, source in contract["patterns"].items()}
        self._parameters: dict[str, str] = contract["parameters"]
        self._further: bool = contract["further"]

    def parameters(self, given: object) -> dict[str, Json]:
        """Fills in defaults and checks. Gives arguments by the names of parameters; those that the specification does not
        name are left out, or are in additional_properties where it allows them.

        Raises InvalidArguments."""
        value, faults = self._checked(self.spec.input_schema, given, fills=True)
        if not faults and not isinstance(value, dict):
            faults.append(_fault("", "type", "object"))
        if faults:
            raise InvalidArguments(faults)
        named = {name: value[wire] for wire, name in self._parameters.items() if wire in value}
        if self._further:
            others = {wire: member for wire, member in value.items() if wire not in self._parameters}
            named["additional_properties"] = others
        return named

    def output(self, answer: _Answer) -> _Answer:
        """Gives the answer back.

        Raises InvalidResult."""
        if not isinstance(answer, Output):
            raise TypeError(f"_execute must return the tool's output, not {type(answer).__name__}")
        schema = True if self.spec.output_schema is None else self.spec.output_schema
        given: list[tuple[str, object, Json]] = [("result", answer.result, schema)]
        if answer.metadata is not None:
            given.append(("metadata", answer.metadata, {"type": "object"}))
        if answer.instruction is not None:
            given.append(("instruction", answer.instruction, {"type": "string"}))
        faults = [
            Fault(f"/{name}{fault.pointer}", fault.reason, fault.detail)
            for name, value, of in given
            for fault in self._checked(of, value, fills=False)[1]
        ]
        if faults:
            raise InvalidResult(faults)
        return answer

    def _checked(self, schema: Json, given: object, *, fills: bool) -> tuple[Json, list[Fault]]:
        faults: list[Fault] = []
        try:
            value = _plain(given, "", 0, faults)
            if not faults:
                check = _Check(schema, self._patterns)
                if fills:
                    check.fill(schema, value, 0, ())
                check.check(schema, value, "", 0, faults)
            return value, _ordered(faults)
        except (_TooMuch, RecursionError):
            return None, [_fault("", "limit")]
`
  .trimStart()
  .replace('@REASONS@', () => jsonLiteral(reasons))
  .replace('@CHECK@\n', () => pythonCheck);
