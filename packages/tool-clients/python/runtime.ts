import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';

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


class _Check:
    """Checks one value against one schema."""

    def __init__(self, root: Json, patterns: Mapping[str, re.Pattern[str]]) -> None:
        self._root = root
        self._patterns = patterns
        self._left = _MAX_CHECKS

    def fill(self, schema: Json, value: Json, nested: int, within: tuple[Json, ...]) -> None:
        """Fills in defaults, not within alternatives and conditions. A default does not fill itself again."""
        if not isinstance(schema, dict):
            return
        self._count(nested)
        if "$ref" in schema:
            self.fill(self._target(schema["$ref"]), value, nested + 1, within)
        for part in schema.get("allOf", []):
            self.fill(part, value, nested + 1, within)
        if isinstance(value, dict):
            self._fill_members(schema, value, nested, within)
        if isinstance(value, list):
            places = schema.get("prefixItems", [])
            for index, item in enumerate(value):
                place = places[index] if index < len(places) else schema.get("items")
                self.fill(place, item, nested + 1, within)

    def _fill_members(self, schema: Json, value: dict[str, Json], nested: int, within: tuple[Json, ...]) -> None:
        properties = schema.get("properties", {})
        given = list(value)
        for name, member in properties.items():
            if name in value:
                self.fill(member, value[name], nested + 1, within)
            elif isinstance(member, dict) and "default" in member and not any(one is member for one in within):
                value[name] = _plain(member["default"], "", 0, [])
                self.fill(member, value[name], nested + 1, (*within, member))
        if isinstance(schema.get("additionalProperties"), dict):
            for name in given:
                if name not in properties:
                    self.fill(schema["additionalProperties"], value[name], nested + 1, within)

    def check(self, schema: Json, value: Json, at: str, nested: int, faults: list[Fault]) -> None:
        self._count(nested)
        if schema is False:
            self._add(faults, at, "false")
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            self.check(self._target(schema["$ref"]), value, at, nested + 1, faults)
        self._check_kind(schema, value, at, faults)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self._check_number(schema, _number(value), at, faults)
        elif isinstance(value, str):
            self._check_text(schema, value, at, faults)
        elif isinstance(value, list):
            self._check_list(schema, value, at, nested + 1, faults)
        elif isinstance(value, dict):
            self._check_object(schema, value, at, nested + 1, faults)
        self._check_parts(schema, value, at, nested + 1, faults)

    def _count(self, nested: int) -> None:
        self._left -= 1
        if self._left < 0 or nested > _MAX_NESTED:
            raise _TooMuch

    def _add(self, faults: list[Fault], at: str, reason: str, limit: Json = None) -> None:
        if len(faults) < _MAX_FAULTS:
            faults.append(_fault(at, reason, limit))

    def _target(self, reference: str) -> Json:
        place = self._root
        for part in reference.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            if isinstance(place, dict) and name in place:
                place = place[name]
            elif isinstance(place, list) and name.isdecimal() and int(name) < len(place):
                place = place[int(name)]
            else:
                return True
        return place

    def _found(self, schema: Json, value: Json, at: str, nested: int) -> list[Fault]:
        faults: list[Fault] = []
        self.check(schema, value, at, nested, faults)
        return faults

    def _check_kind(self, schema: Json, value: Json, at: str, faults: list[Fault]) -> None:
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if kind is not None and not any(name in kinds for name in _types_of(value)):
            self._add(faults, at, "type", kind)
        if "const" in schema and _key_of(value) != _key_of(schema["const"]):
            self._add(faults, at, "const", schema["const"])
        if "enum" in schema and _key_of(value) not in [_key_of(one) for one in schema["enum"]]:
            self._add(faults, at, "enum", schema["enum"])

    def _check_number(self, schema: Json, value: float, at: str, faults: list[Fault]) -> None:
        def limited(keyword: str, is_wrong: _t.Callable[[float], bool]) -> None:
            if keyword in schema and is_wrong(_number(schema[keyword])):
                self._add(faults, at, keyword, schema[keyword])

        limited("minimum", lambda limit: value < limit)
        limited("maximum", lambda limit: value > limit)
        limited("exclusiveMinimum", lambda limit: value <= limit)
        limited("exclusiveMaximum", lambda limit: value >= limit)
        limited("multipleOf", lambda limit: not _is_whole(value, limit))

    def _check_text(self, schema: Json, value: str, at: str, faults: list[Fault]) -> None:
        self._check_size(schema, len(value), "Length", at, faults)
        expression = self._patterns.get(schema.get("pattern", ""))
        if "pattern" in schema and expression is not None and not expression.search(value):
            self._add(faults, at, "pattern", schema["pattern"])

    def _check_size(self, schema: Json, size: int, of: str, at: str, faults: list[Fault]) -> None:
        if size < schema.get("min" + of, 0):
            self._add(faults, at, "min" + of, schema["min" + of])
        if size > schema.get("max" + of, math.inf):
            self._add(faults, at, "max" + of, schema["max" + of])

    def _check_list(self, schema: Json, value: list[Json], at: str, nested: int, faults: list[Fault]) -> None:
        self._check_size(schema, len(value), "Items", at, faults)
        if schema.get("uniqueItems") is True and len({_key_of(item) for item in value}) < len(value):
            self._add(faults, at, "uniqueItems")
        places = schema.get("prefixItems", [])
        for index, item in enumerate(value):
            place = places[index] if index < len(places) else schema.get("items")
            self.check(place, item, f"{at}/{index}", nested, faults)
        if "contains" in schema:
            count = sum(not self._found(schema["contains"], item, at, nested) for item in value)
            if not schema.get("minContains", 1) <= count <= schema.get("maxContains", math.inf):
                self._add(faults, at, "contains")

    def _check_object(self, schema: Json, value: dict[str, Json], at: str, nested: int, faults: list[Fault]) -> None:
        self._check_size(schema, len(value), "Properties", at, faults)
        for name in schema.get("required", []):
            if name not in value:
                self._add(faults, at + _step(name), "required")
        for cause, needed in schema.get("dependentRequired", {}).items():
            for name in needed if cause in value else []:
                if name not in value:
                    self._add(faults, at + _step(name), "dependentRequired")
        for cause, dependent in schema.get("dependentSchemas", {}).items():
            if cause in value:
                self.check(dependent, value, at, nested, faults)
        for name, member in value.items():
            if "propertyNames" in schema and self._found(schema["propertyNames"], name, at, nested):
                self._add(faults, at + _step(name), "propertyNames")
            self._check_member(schema, name, member, at + _step(name), nested, faults)

    def _check_member(self, schema: Json, name: str, value: Json, at: str, nested: int, faults: list[Fault]) -> None:
        properties = schema.get("properties", {})
        is_further = name not in properties
        if not is_further:
            self.check(properties[name], value, at, nested, faults)
        for pattern, member in schema.get("patternProperties", {}).items():
            expression = self._patterns.get(pattern)
            if expression is None:
                is_further = False
            elif expression.search(name):
                is_further = False
                self.check(member, value, at, nested, faults)
        if not is_further or "additionalProperties" not in schema:
            return
        if schema["additionalProperties"] is False:
            self._add(faults, at, "additionalProperties")
        else:
            self.check(schema["additionalProperties"], value, at, nested, faults)

    def _check_parts(self, schema: Json, value: Json, at: str, nested: int, faults: list[Fault]) -> None:
        for part in schema.get("allOf", []):
            self.check(part, value, at, nested, faults)
        for keyword in ("anyOf", "oneOf"):
            if keyword not in schema:
                continue
            found = [self._found(branch, value, at, nested) for branch in schema[keyword]]
            fitting = sum(not branch for branch in found)
            if fitting == 1 or (fitting > 1 and keyword == "anyOf"):
                continue
            meant = [] if fitting else [one for one in found if not any(_tells_apart(each, at) for each in one)]
            if len(meant) == 1:
                faults.extend(meant[0][: _MAX_FAULTS - len(faults)])
            else:
                self._add(faults, at, keyword)
        if "not" in schema and not self._found(schema["not"], value, at, nested):
            self._add(faults, at, "not")
        if "if" in schema:
            then = "else" if self._found(schema["if"], value, at, nested) else "then"
            if then in schema:
                self.check(schema[then], value, at, nested, faults)


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
        except _TooMuch:
            return None, [_fault("", "limit")]
`
  .trimStart()
  .replace('@REASONS@', () => jsonLiteral(reasons));
