import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';

/** `src/runtime.ts` of packages in TypeScript: what checks values and fills in defaults; needs nothing. */
export const typescriptRuntime = String.raw`
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** What a tool's specification says. */
export interface Spec {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly host?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly digest: string;
}

/** What is wrong with a value: where (RFC 6901), the id of the reason, and the reason in words. */
export interface Fault {
  readonly pointer: string;
  readonly reason: string;
  readonly detail: string;
}

/** What a tool answers. Members that are undefined, or null for the last two, are left out. */
export interface Output<Result> {
  readonly result: Result;
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
  /** What the agent should do next. */
  readonly instruction?: string | undefined;
}

class Invalid extends Error {
  constructor(what: string, readonly faults: readonly Fault[]) {
    super(faults.map(({ pointer, detail }) => (pointer === '' ? what : pointer) + ' ' + detail).join('\n'));
    this.name = new.target.name;
  }
}
/** The arguments are not what the input schema asks for. */
export class InvalidArguments extends Invalid {
  constructor(faults: readonly Fault[]) {
    super('The arguments', faults);
  }
}
/** The implementation's result is not what the output schema asks for. */
export class InvalidResult extends Invalid {
  constructor(faults: readonly Fault[]) {
    super('The output', faults);
  }
}

const PHRASES = JSON.parse(@REASONS@) as { [reason: string]: string };
/** Levels of a value, levels of checks within each other, checks of one value, and faults that are listed. */
const MAX_DEPTH = 100;
const MAX_NESTED = 200;
const MAX_CHECKS = 1_000_000;
const MAX_FAULTS = 1_000;

class TooMuch extends Error {}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (value: object, name: string): boolean => Object.hasOwn(value, name);
const step = (name: string): string => '/' + name.replaceAll('~', '~0').replaceAll('/', '~1');
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text);

function fault(pointer: string, reason: string, limit: Json = null): Fault {
  const detail = (PHRASES[reason] ?? reason).replace('{limit}', () => JSON.stringify(limit).slice(0, 500));
  return { pointer, reason, detail };
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, one] of left.entries()) {
    const difference = (one.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A copy that is JSON and nothing else; what is none of it goes into the faults. */
function plain(value: unknown, at: string, depth: number, faults: Fault[]): Json {
  if (depth > MAX_DEPTH) throw new TooMuch();
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string') {
    if (!isUnicode(value)) faults.push(fault(at, 'unicode'));
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => plain(item, at + '/' + String(index), depth + 1, faults));
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (typeof value === 'object' && (prototype === null || Object.getPrototypeOf(prototype) === null)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (!members.every(([name]) => isUnicode(name))) faults.push(fault(at, 'unicode'));
    return Object.fromEntries(members.map(([name, member]) => [name, plain(member, at + step(name), depth + 1, faults)]));
  }
  faults.push(fault(at, 'json'));
  return null;
}

/** The same text for values that JSON Schema takes for the same. */
function keyOf(value: Json): string {
  if (Array.isArray(value)) return '[' + value.map(keyOf).join() + ']';
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => JSON.stringify(name) + ':' + keyOf(member));
  return '{' + members.sort().join() + '}';
}

function typesOf(value: Json): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

const numberOf = (schema: JsonObject, keyword: string): number | undefined => {
  const value = has(schema, keyword) ? schema[keyword] : undefined;
  return typeof value === 'number' ? value : undefined;
};
const listOf = (schema: JsonObject, keyword: string): Json[] => {
  const value = has(schema, keyword) ? schema[keyword] : undefined;
  return Array.isArray(value) ? value : [];
};
const membersOf = (schema: JsonObject, keyword: string): JsonObject => {
  const value = has(schema, keyword) ? schema[keyword] : undefined;
  return isObject(value) ? value : {};
};

/** Checks one value against one schema. */
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

/** Whether a fault says that an alternative is not the one meant: another type, or another constant in a member. */
function tellsApart({ pointer, reason }: Fault, at: string): boolean {
  if (pointer === at) return reason === 'type' || reason === 'const';
  return (reason === 'const' || reason === 'enum') && !pointer.slice(at.length + 1).includes('/');
}

/** What a specification asks of arguments and results. */
export class Contract<Input, Answer extends Output<unknown>> {
  readonly spec: Spec;
  private readonly patterns: ReadonlyMap<string, RegExp>;
  private readonly names: readonly string[] | undefined;

  constructor(text: string) {
    const { spec, patterns, parameters, further } = JSON.parse(text) as {
      spec: Spec;
      patterns: { [pattern: string]: string };
      parameters: object;
      further: boolean;
    };
    this.spec = spec;
    this.patterns = new Map(Object.entries(patterns).map(([pattern, source]) => [pattern, new RegExp(source, 'u')]));
    this.names = further ? undefined : Object.keys(parameters);
  }

  /**
   * Fills in defaults and checks. Arguments that the specification does not name are left out.
   *
   * @throws InvalidArguments
   */
  input(given: unknown): Input {
    const { value, faults } = this.checked(this.spec.inputSchema, given, true);
    if (faults.length === 0 && !isObject(value)) faults.push(fault('', 'type', 'object'));
    if (faults.length > 0 || !isObject(value)) throw new InvalidArguments(faults);
    const names = (this.names ?? Object.keys(value)).filter((name) => has(value, name));
    return Object.fromEntries(names.map((name) => [name, value[name]])) as Input;
  }

  /** @throws InvalidResult */
  output(answer: Answer): Answer {
    const { result, metadata, instruction } = answer;
    const { value, faults } = this.checked(this.spec.outputSchema ?? true, result, false);
    const all = faults.map((each) => ({ ...each, pointer: '/result' + each.pointer }));
    const kept: JsonObject = { result: value };
    for (const [name, member, type] of [['metadata', metadata, 'object'], ['instruction', instruction, 'string']] as const) {
      if (member === undefined || member === null) continue;
      const other = this.checked({ type }, member, false);
      all.push(...other.faults.map((each) => ({ ...each, pointer: '/' + name + each.pointer })));
      kept[name] = other.value;
    }
    if (all.length > 0) throw new InvalidResult(all);
    return kept as unknown as Answer;
  }

  private checked(schema: Json, given: unknown, fills: boolean): { value: Json; faults: Fault[] } {
    const faults: Fault[] = [];
    try {
      const value = plain(given, '', 0, faults);
      if (faults.length > 0) return { value, faults: ordered(faults) };
      const check = new Check(schema, this.patterns);
      if (fills) check.fill(schema, value, 0, []);
      check.check(schema, value, '', 0, faults);
      return { value, faults: ordered(faults) };
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return { value: null, faults: [fault('', 'limit')] };
    }
  }
}

/** By pointer and reason, each once. */
function ordered(faults: readonly Fault[]): Fault[] {
  const distinct = new Map(faults.map((each) => [each.pointer + ' ' + each.reason, each]));
  return [...distinct.values()].sort((a, b) => byCodePoint(a.pointer, b.pointer) || byCodePoint(a.reason, b.reason));
}
`
  .trimStart()
  .replace('@REASONS@', () => jsonLiteral(reasons));
