/** Of the runtime: the class that fills in defaults and checks a value, the same step by step in every language. */
export const typescriptCheck = String.raw`/** Checks one value against one schema. */
class Check {
  private left = MAX_CHECKS;

  constructor(
    private readonly root: Json,
    private readonly patterns: ReadonlyMap<string, RegExp>,
  ) {}

  /** Fills in defaults, not within alternatives and conditions. A default does not fill itself again. */
  fill(schema: Json | undefined, value: Json, nested: number, within: readonly Json[]): void {
    if (!isObject(schema)) return;
    this.count(nested);
    if (has(schema, '$ref')) this.fill(this.target(schema['$ref']), value, nested + 1, within);
    for (const part of listOf(schema, 'allOf')) this.fill(part, value, nested + 1, within);
    if (isObject(value)) this.fillMembers(schema, value, nested, within);
    if (!Array.isArray(value)) return;
    const places = listOf(schema, 'prefixItems');
    for (const [index, item] of value.entries())
      this.fill(places[index] ?? schema['items'], item, nested + 1, within);
  }

  private fillMembers(schema: JsonObject, value: JsonObject, nested: number, within: readonly Json[]): void {
    const properties = membersOf(schema, 'properties');
    const given = Object.keys(value);
    for (const [name, property] of Object.entries(properties)) {
      if (has(value, name)) this.fill(property, value[name] as Json, nested + 1, within);
      else if (isObject(property) && has(property, 'default') && !within.includes(property)) {
        const filled = plain(property['default'], '', 0, []);
        Object.defineProperty(value, name, { value: filled, writable: true, enumerable: true, configurable: true });
        this.fill(property, filled, nested + 1, [...within, property]);
      }
    }
    if (!isObject(schema['additionalProperties'])) return;
    for (const name of given.filter((each) => !has(properties, each)))
      this.fill(schema['additionalProperties'], value[name] as Json, nested + 1, within);
  }

  check(schema: Json | undefined, value: Json, at: string, nested: number, faults: Fault[]): void {
    this.count(nested);
    if (schema === false) this.add(faults, at, 'false');
    if (!isObject(schema)) return;
    if (has(schema, '$ref')) this.check(this.target(schema['$ref']), value, at, nested + 1, faults);
    this.checkKind(schema, value, at, faults);
    if (typeof value === 'number') this.checkNumber(schema, value, at, faults);
    else if (typeof value === 'string') this.checkText(schema, value, at, faults);
    else if (Array.isArray(value)) this.checkList(schema, value, at, nested + 1, faults);
    else if (isObject(value)) this.checkObject(schema, value, at, nested + 1, faults);
    this.checkParts(schema, value, at, nested + 1, faults);
  }

  private count(nested: number): void {
    this.left -= 1;
    if (this.left < 0 || nested > MAX_NESTED) throw new TooMuch();
  }

  private add(faults: Fault[], at: string, reason: string, limit?: Json): void {
    if (faults.length < MAX_FAULTS) faults.push(fault(at, reason, limit));
  }

  private target(reference: Json | undefined): Json {
    let place: Json | undefined = this.root;
    for (const part of String(reference).split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof place !== 'object' || place === null || !has(place, name)) return true;
      place = (place as JsonObject)[name];
    }
    return place ?? true;
  }

  private found(schema: Json | undefined, value: Json, at: string, nested: number): Fault[] {
    const faults: Fault[] = [];
    this.check(schema, value, at, nested, faults);
    return faults;
  }

  private checkKind(schema: JsonObject, value: Json, at: string, faults: Fault[]): void {
    const type = has(schema, 'type') ? (schema['type'] as Json) : null;
    const types = Array.isArray(type) ? type : [type];
    if (type !== null && !typesOf(value).some((name) => types.includes(name))) this.add(faults, at, 'type', type);
    if (has(schema, 'const') && keyOf(value) !== keyOf(schema['const'] as Json))
      this.add(faults, at, 'const', schema['const']);
    if (has(schema, 'enum') && !listOf(schema, 'enum').some((one) => keyOf(one) === keyOf(value)))
      this.add(faults, at, 'enum', schema['enum']);
  }

  private checkNumber(schema: JsonObject, value: number, at: string, faults: Fault[]): void {
    const limited = (keyword: string, isWrong: (limit: number) => boolean): void => {
      const limit = numberOf(schema, keyword);
      if (limit !== undefined && isWrong(limit)) this.add(faults, at, keyword, limit);
    };
    limited('minimum', (limit) => value < limit);
    limited('maximum', (limit) => value > limit);
    limited('exclusiveMinimum', (limit) => value <= limit);
    limited('exclusiveMaximum', (limit) => value >= limit);
    limited('multipleOf', (limit) => !Number.isInteger(value / limit));
  }

  private checkText(schema: JsonObject, value: string, at: string, faults: Fault[]): void {
    this.checkSize(schema, [...value].length, 'Length', at, faults);
    const pattern = has(schema, 'pattern') ? schema['pattern'] : undefined;
    if (typeof pattern === 'string' && this.patterns.get(pattern)?.test(value) === false)
      this.add(faults, at, 'pattern', pattern);
  }

  private checkSize(schema: JsonObject, size: number, of: string, at: string, faults: Fault[]): void {
    const [least, most] = [numberOf(schema, 'min' + of), numberOf(schema, 'max' + of)];
    if (least !== undefined && size < least) this.add(faults, at, 'min' + of, least);
    if (most !== undefined && size > most) this.add(faults, at, 'max' + of, most);
  }

  private checkList(schema: JsonObject, value: Json[], at: string, nested: number, faults: Fault[]): void {
    this.checkSize(schema, value.length, 'Items', at, faults);
    if (schema['uniqueItems'] === true && new Set(value.map(keyOf)).size < value.length)
      this.add(faults, at, 'uniqueItems');
    const places = listOf(schema, 'prefixItems');
    for (const [index, item] of value.entries())
      this.check(places[index] ?? schema['items'], item, at + '/' + String(index), nested, faults);
    if (!has(schema, 'contains')) return;
    const count = value.filter((item) => this.found(schema['contains'], item, at, nested).length === 0).length;
    if (count < (numberOf(schema, 'minContains') ?? 1) || count > (numberOf(schema, 'maxContains') ?? Infinity))
      this.add(faults, at, 'contains');
  }

  private checkObject(schema: JsonObject, value: JsonObject, at: string, nested: number, faults: Fault[]): void {
    const names = Object.keys(value);
    this.checkSize(schema, names.length, 'Properties', at, faults);
    for (const name of listOf(schema, 'required'))
      if (!has(value, String(name))) this.add(faults, at + step(String(name)), 'required');
    for (const [cause, needed] of Object.entries(membersOf(schema, 'dependentRequired')))
      for (const name of has(value, cause) && Array.isArray(needed) ? needed : [])
        if (!has(value, String(name))) this.add(faults, at + step(String(name)), 'dependentRequired');
    for (const [cause, dependent] of Object.entries(membersOf(schema, 'dependentSchemas')))
      if (has(value, cause)) this.check(dependent, value, at, nested, faults);
    for (const name of names) {
      if (has(schema, 'propertyNames') && this.found(schema['propertyNames'], name, at, nested).length > 0)
        this.add(faults, at + step(name), 'propertyNames');
      this.checkMember(schema, name, value[name] as Json, at + step(name), nested, faults);
    }
  }

  private checkMember(schema: JsonObject, name: string, value: Json, at: string, nested: number, faults: Fault[]): void {
    const properties = membersOf(schema, 'properties');
    let isFurther = !has(properties, name);
    if (!isFurther) this.check(properties[name], value, at, nested, faults);
    for (const [pattern, member] of Object.entries(membersOf(schema, 'patternProperties'))) {
      const matches = this.patterns.get(pattern)?.test(name);
      if (matches !== false) isFurther = false;
      if (matches === true) this.check(member, value, at, nested, faults);
    }
    if (!isFurther || !has(schema, 'additionalProperties')) return;
    if (schema['additionalProperties'] === false) this.add(faults, at, 'additionalProperties');
    else this.check(schema['additionalProperties'], value, at, nested, faults);
  }

  private checkParts(schema: JsonObject, value: Json, at: string, nested: number, faults: Fault[]): void {
    for (const part of listOf(schema, 'allOf')) this.check(part, value, at, nested, faults);
    for (const keyword of ['anyOf', 'oneOf']) {
      if (!has(schema, keyword)) continue;
      const found = listOf(schema, keyword).map((branch) => this.found(branch, value, at, nested));
      const fitting = found.filter((branch) => branch.length === 0).length;
      if (fitting === 1 || (fitting > 1 && keyword === 'anyOf')) continue;
      const meant = fitting > 0 ? [] : found.filter((branch) => !branch.some((each) => tellsApart(each, at)));
      if (meant.length !== 1) this.add(faults, at, keyword);
      else for (const each of meant[0] ?? []) if (faults.length < MAX_FAULTS) faults.push(each);
    }
    if (has(schema, 'not') && this.found(schema['not'], value, at, nested).length === 0) this.add(faults, at, 'not');
    if (!has(schema, 'if')) return;
    const then = this.found(schema['if'], value, at, nested).length === 0 ? 'then' : 'else';
    if (has(schema, then)) this.check(schema[then], value, at, nested, faults);
  }
}

`;
