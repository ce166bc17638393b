/** Of the runtime: the class that fills in defaults and checks a value, the same step by step in every language. */
export const pythonCheck = String.raw`class _Check:
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


`;
