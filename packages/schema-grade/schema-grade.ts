import { alternatives, isObject, membersOf, resolve, type Schema, Shapes } from './schema-reading.js';

/** How a change of a schema strikes those who rely on it. Annotations (description, title, …) do not count. */
export type SchemaGrade = 'none' | 'compatible' | 'breaking';

type Direction = 'input' | 'output';

/**
 * Grades the change of an input schema for callers: what was accepted must stay accepted. A new required
 * input, a narrowed type or enum, a tightened bound and a removed property break; more freedom does not.
 */
export function gradeInput(before: unknown, after: unknown): SchemaGrade {
  return gradeSchemaChange(before, after, 'input');
}

/**
 * Grades the change of an output schema for readers: what comes back must be what they could expect before.
 * A property that is gone or no longer certain, a wider type and a new enum value break. Either schema may be
 * absent: a promise taken back breaks, a new one does not.
 */
export function gradeOutput(before: unknown, after: unknown): SchemaGrade {
  return gradeSchemaChange(before, after, 'output');
}

function gradeSchemaChange(before: unknown, after: unknown, direction: Direction = 'input'): SchemaGrade {
  return new Comparison(before, after, direction).grade();
}

/**
 * Members and items looked at before the comparison gives up and calls what differs breaking: schemas that refer to their
 * parts again and again pair each with each. A pair itself counts for ten.
 */
const MAX_STEPS = 200_000;
const STEPS_OF_A_PAIR = 10;
/** Levels below the root that are looked at: a schema that refers to itself meets one that was written out for ever. */
const MAX_DEPTH = 300;

/** Keywords whose mere presence tightens, and whose values can't be ordered. */
const OPAQUE = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'contentEncoding',
  'contentMediaType',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** One comparison of two standalone schemas; `$ref`s are local to each. */
class Comparison {
  private worst: SchemaGrade = 'none';
  private steps = 0;
  private depth = 0;
  private readonly seen = new Map<Schema, Set<Schema>>();
  private readonly shapes = new Shapes();
  /** What references lead to, found once: their texts may be long. */
  private readonly resolved = {
    before: new WeakMap<Schema, unknown>(),
    after: new WeakMap<Schema, unknown>(),
  };

  constructor(
    private readonly before: unknown,
    private readonly after: unknown,
    private readonly direction: Direction,
  ) {}

  grade(): SchemaGrade {
    this.compare(this.before ?? true, this.after ?? true);
    return this.worst;
  }

  private note(change: Change): void {
    if (change === 'same' || this.worst === 'breaking') return;
    const harmless = this.direction === 'input' ? 'wider' : 'narrower';
    this.worst = change === harmless || change === 'addition' ? 'compatible' : 'breaking';
  }

  private compare(rawBefore: unknown, rawAfter: unknown): void {
    if (this.worst === 'breaking') return;
    const before = this.resolve(rawBefore, 'before');
    const after = this.resolve(rawAfter, 'after');
    if (!isObject(before) || !isObject(after)) {
      this.compareExtremes(before, after);
      return;
    }
    const met = this.seen.get(before) ?? new Set();
    if (met.has(after)) return;
    this.seen.set(before, met.add(after));
    this.steps += STEPS_OF_A_PAIR + sizeOf(before) + sizeOf(after);
    if (this.steps > MAX_STEPS || this.depth > MAX_DEPTH) {
      this.note('other');
      return;
    }
    this.depth += 1;
    this.compareKeywords(before, after);
    this.depth -= 1;
  }

  private resolve(schema: unknown, side: 'before' | 'after'): unknown {
    if (!isObject(schema) || !('$ref' in schema)) return schema;
    const known = this.resolved[side];
    if (!known.has(schema)) known.set(schema, resolve(schema, this[side]));
    return known.get(schema);
  }

  /** `true` accepts everything, `false` nothing. */
  private compareExtremes(before: unknown, after: unknown): void {
    const size = (schema: unknown) =>
      schema === false ? 0 : isObject(schema) && !this.accepts(schema) ? 1 : 2;
    if (size(before) !== size(after)) this.note(size(after) > size(before) ? 'wider' : 'narrower');
  }

  private compareKeywords(before: Schema, after: Schema): void {
    this.note(compareTypes(before, after));
    this.note(compareEnum(before, after, this.shapes));
    this.note(compareRequired(before, after));
    for (const keyword of LOWER_BOUNDS) this.note(boundChange(before[keyword], after[keyword], 'lower'));
    for (const keyword of UPPER_BOUNDS) this.note(boundChange(before[keyword], after[keyword], 'upper'));
    for (const keyword of OPAQUE) {
      if (this.shapes.ofSchema(before[keyword]) !== this.shapes.ofSchema(after[keyword]))
        this.note(addedOrRemoved(before[keyword], after[keyword]));
    }
    if ('$ref' in before || '$ref' in after) this.compare(referenced(before), referenced(after));
    this.compareProperties(before, after);
    this.compare(before['additionalProperties'] ?? true, after['additionalProperties'] ?? true);
    this.compare(before['items'] ?? true, after['items'] ?? true);
    this.compareBranches(before, after, 'prefixItems', 'both');
    this.compareBranches(before, after, 'allOf', 'narrower');
    this.compareBranches(before, after, 'anyOf', 'wider');
    this.compareBranches(before, after, 'oneOf', 'wider');
  }

  private compareProperties(before: Schema, after: Schema): void {
    const old = membersOf(before['properties']);
    const now = membersOf(after['properties']);
    for (const [name, schema] of old) {
      if (now.has(name)) this.compare(schema, now.get(name));
      else this.note('removal');
    }
    for (const name of now.keys()) if (!old.has(name)) this.note('addition');
  }

  /** Branches that are equal pair up; of the rest those in the same place are compared. */
  private compareBranches(before: Schema, after: Schema, keyword: string, more: Change | 'both'): void {
    const old = alternatives(before[keyword]);
    const now = alternatives(after[keyword]);
    const gone = this.without(old, now);
    const fresh = this.without(now, old);
    const pairs = Math.min(gone.length, fresh.length);
    for (let index = 0; index < pairs; index++) this.compare(gone[index], fresh[index]);
    if (gone.length === fresh.length) return;
    if (more === 'both' || (old.length === 0) !== (now.length === 0)) {
      this.note(addedOrRemoved(old.length || undefined, now.length || undefined));
    } else this.note(fresh.length > gone.length === (more === 'wider') ? 'wider' : 'narrower');
  }

  /** Those of the schemas that are not among the others. */
  private without(schemas: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
    const known = new Set(others.map((schema) => this.shapes.ofSchema(schema)));
    return schemas.filter((schema) => !known.has(this.shapes.ofSchema(schema)));
  }

  /** True for a schema without any constraint. */
  private accepts(schema: Schema): boolean {
    return this.shapes.ofSchema(schema) === this.shapes.ofSchema({});
  }
}

/** What is looked at one by one in a schema itself, what lies deeper left out. */
function sizeOf(schema: Schema): number {
  const lists = [schema['enum'], schema['required'], schema['type']].map((list) => alternatives(list).length);
  const branches = ['prefixItems', 'allOf', 'anyOf', 'oneOf'].map(
    (keyword) => alternatives(schema[keyword]).length,
  );
  return [...lists, ...branches, membersOf(schema['properties']).size].reduce((sum, size) => sum + size, 0);
}

/** What a `$ref` with other keywords beside it refers to. */
function referenced(schema: Schema): unknown {
  return '$ref' in schema ? { $ref: schema['$ref'] } : true;
}

/**
 * What a change of one keyword does to the set of values that are accepted. `other`: neither holds;
 * `removal` and `addition` are of named properties, which callers know by name.
 */
type Change = 'same' | 'wider' | 'narrower' | 'other' | 'removal' | 'addition';

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'string', 'number', 'integer'];

function compareTypes(before: Schema, after: Schema): Change {
  return inclusion(typesOf(before), typesOf(after));
}

function typesOf(schema: Schema): ReadonlySet<string> {
  const type = schema['type'];
  if (type === undefined) return new Set(ALL_TYPES);
  const types = new Set((Array.isArray(type) ? type : [type]).map(String));
  return types.has('number') ? types.add('integer') : types;
}

function inclusion<Item>(before: ReadonlySet<Item>, after: ReadonlySet<Item>): Change {
  const lost = [...before].some((item) => !after.has(item));
  const won = [...after].some((item) => !before.has(item));
  return change(won, lost);
}

function change(won: boolean, lost: boolean): Change {
  if (won) return lost ? 'other' : 'wider';
  return lost ? 'narrower' : 'same';
}

/** `enum` and `const` together: a const is an enum of one. */
function compareEnum(before: Schema, after: Schema, shapes: Shapes): Change {
  const old = valuesOf(before);
  const now = valuesOf(after);
  if (old === undefined || now === undefined) return addedOrRemoved(old, now);
  const shapesOf = (values: readonly unknown[]) => new Set(values.map((value) => shapes.ofValue(value)));
  return inclusion(shapesOf(old), shapesOf(now));
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

function compareRequired(before: Schema, after: Schema): Change {
  const old = new Set(alternatives(before['required']).map(String));
  const now = new Set(alternatives(after['required']).map(String));
  return inclusion(now, old);
}

/** A constraint that appears narrows, one that goes widens, one that changes does something else. */
function addedOrRemoved(before: unknown, after: unknown): Change {
  if (before === undefined) return after === undefined ? 'same' : 'narrower';
  return after === undefined ? 'wider' : 'other';
}

function boundChange(before: unknown, after: unknown, bound: 'lower' | 'upper'): Change {
  if (before === after) return 'same';
  if (typeof before !== 'number' || typeof after !== 'number') return addedOrRemoved(before, after);
  return after < before === (bound === 'lower') ? 'wider' : 'narrower';
}
