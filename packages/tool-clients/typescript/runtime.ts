import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';
import { typescriptCheck } from './check.js';

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

@CHECK@
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
  .replace('@REASONS@', () => jsonLiteral(reasons))
  .replace('@CHECK@\n', () => typescriptCheck);
