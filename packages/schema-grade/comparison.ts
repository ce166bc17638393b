import { BranchNames, noNames } from './branch-names.js';
import {
  addedOrRemoved,
  areDisjoint,
  boundChange,
  type Change,
  compareEnum,
  compareRequired,
  compareTypes,
  EVALUATING,
  LOWER_BOUNDS,
  OPAQUE,
  UPPER_BOUNDS,
} from './keyword-changes.js';
import {
  alternatives,
  ANNOTATIONS,
  isClosed,
  isObject,
  membersOf,
  referenced,
  resolve,
  type Schema,
  Shapes,
  sizeOf,
} from './schema-reading.js';

/** How a change of a schema strikes those who rely on it. Annotations (description, title, …) do not count. */
export type SchemaGrade = 'none' | 'compatible' | 'breaking';

/** Who relies on the schema: callers, who send what it describes, or readers, who are given it. */
export type Direction = 'input' | 'output';

/** One change, and how it strikes. */
export interface SchemaFinding {
  /** The keyword and what became of it, `required.narrower`: stable. `limit.other`: too much to compare, taken for breaking. */
  readonly rule: `${string}.${Exclude<Change, 'same'>}`;
  readonly grade: Exclude<SchemaGrade, 'none'>;
  /** RFC 6901, from the root of the schema along its keywords; of what a reference leads to as if it stood there. */
  readonly pointer: string;
  /** Value of the keyword, undefined where it was or is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

const MAX_FINDINGS = 100;

/**
 * Members and items looked at before the comparison gives up and calls what differs breaking: schemas that refer to their
 * parts again and again pair each with each. A pair itself counts for ten.
 */
const MAX_STEPS = 200_000;
const STEPS_OF_A_PAIR = 10;
/** Levels below the root that are looked at: a schema that refers to itself meets one that was written out for ever. */
const MAX_DEPTH = 300;

/** One comparison of two standalone schemas; `$ref`s are local to each. */
export class Comparison {
  private worst: SchemaGrade = 'none';
  private steps = 0;
  /** Keywords from the root to the pair that is compared. */
  private readonly path: (string | number)[] = [];
  private depth = 0;
  private readonly seen = new Map<Schema, Set<Schema>>();
  private readonly shapes = new Shapes();
  private readonly branchNames = new BranchNames(
    (schema) => this.resolve(schema, 'before'),
    (steps) => (this.steps += steps) <= MAX_STEPS,
  );
  /** What references lead to, found once: their texts may be long. */
  private readonly resolved = {
    before: new WeakMap<Schema, unknown>(),
    after: new WeakMap<Schema, unknown>(),
  };

  constructor(
    private readonly before: unknown,
    private readonly after: unknown,
    private readonly direction: Direction,
    /** Where changes are noted; without it the comparison ends at the first that breaks. */
    private readonly findings?: SchemaFinding[],
  ) {}

  grade(): SchemaGrade {
    this.compare(this.before ?? true, this.after ?? true);
    return this.worst;
  }

  private get isDecided(): boolean {
    if (this.findings === undefined) return this.worst === 'breaking';
    return this.findings.length >= MAX_FINDINGS;
  }

  private note(keyword: string, change: Change, before?: unknown, after?: unknown): void {
    if (change === 'same' || this.isDecided) return;
    const harmless = this.direction === 'input' ? 'wider' : 'narrower';
    const grade = change === harmless || change === 'addition' ? 'compatible' : 'breaking';
    if (this.worst !== 'breaking') this.worst = grade;
    const pointer = this.path
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
    this.findings?.push({ rule: `${keyword}.${change}`, grade, pointer, before, after });
  }

  private within(path: readonly (string | number)[], look: () => void): void {
    this.path.push(...path);
    look();
    this.path.length -= path.length;
  }

  /** Compares what stands under these keywords of both. */
  private at(path: readonly (string | number)[], before: unknown, after: unknown): void {
    this.within(path, () => {
      this.compare(before, after);
    });
  }

  private compare(rawBefore: unknown, rawAfter: unknown): void {
    if (this.isDecided) return;
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
      this.note('limit', 'other');
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
    if (size(before) === size(after)) return;
    this.note('schema', size(after) > size(before) ? 'wider' : 'narrower', before, after);
  }

  private compareKeywords(before: Schema, after: Schema): void {
    const note = (keyword: string, change: Change): void => {
      this.note(keyword, change, before[keyword], after[keyword]);
    };
    note('type', compareTypes(before, after, this.shapes));
    note('enum' in before || 'enum' in after ? 'enum' : 'const', compareEnum(before, after, this.shapes));
    note('required', compareRequired(before, after));
    for (const keyword of LOWER_BOUNDS) note(keyword, boundChange(before[keyword], after[keyword], 'lower'));
    for (const keyword of UPPER_BOUNDS) note(keyword, boundChange(before[keyword], after[keyword], 'upper'));
    for (const keyword of OPAQUE) {
      if (this.differ(before, after, keyword)) note(keyword, this.opaqueChange(before, after, keyword));
    }
    if ('$ref' in before || '$ref' in after) this.compare(referenced(before), referenced(after));
    this.compareProperties(before, after);
    this.at(
      ['additionalProperties'],
      before['additionalProperties'] ?? true,
      after['additionalProperties'] ?? true,
    );
    this.compareItems(before, after);
    this.compareBranches(before, after, 'allOf', 'narrower');
    this.compareBranches(before, after, 'anyOf', 'wider');
    this.compareOneOf(before, after);
  }

  private differ(before: Schema, after: Schema, keyword: string): boolean {
    return this.shapes.ofSchema(before[keyword]) !== this.shapes.ofSchema(after[keyword]);
  }

  /** What a pattern no longer claims falls to `additionalProperties`. */
  private opaqueChange(before: Schema, after: Schema, keyword: string): Change {
    if (keyword === 'patternProperties' && (isClosed(before) || isClosed(after))) return 'other';
    return addedOrRemoved(before[keyword], after[keyword]);
  }

  private compareProperties(before: Schema, after: Schema): void {
    const old = membersOf(before['properties']);
    const now = membersOf(after['properties']);
    for (const [name, schema] of old) {
      if (now.has(name)) this.at(['properties', name], schema, now.get(name));
      else this.noteProperty(name, 'removal', { before: schema });
    }
    const added = [...now].filter(([name]) => !old.has(name));
    const spoken = added.length === 0 ? noNames : this.branchNames.of(before);
    for (const [name, schema] of added) {
      if (spoken === 'any' || spoken.has(name)) this.noteProperty(name, 'other', { after: schema });
      else this.compareAdded(before, name, schema);
    }
    const isAbout = ['unevaluatedProperties', 'unevaluatedItems'].some(
      (keyword) => keyword in before || keyword in after,
    );
    const moved = isAbout && EVALUATING.find((keyword) => this.differ(before, after, keyword));
    if (moved) this.note(moved, 'other', before[moved], after[moved]);
  }

  private noteProperty(name: string, change: Change, values: { before?: unknown; after?: unknown }): void {
    this.within(['properties', name], () => {
      this.note('properties', change, values.before, values.after);
    });
  }

  /** A property that is new: what was said of all others was said of it, too. Nobody relies on one that nothing was said of. */
  private compareAdded(before: Schema, name: string, schema: unknown): void {
    const rest = before['additionalProperties'] ?? before['unevaluatedProperties'];
    if (isObject(rest)) this.at(['properties', name], rest, schema);
    else this.noteProperty(name, rest === false ? 'wider' : 'addition', { after: schema });
  }

  /** Item by item: `items` is about those that no `prefixItems` is about. */
  private compareItems(before: Schema, after: Schema): void {
    const [old, now] = [alternatives(before['prefixItems']), alternatives(after['prefixItems'])];
    const [oldRest, nowRest] = [before['items'] ?? true, after['items'] ?? true];
    for (let place = 0; place < Math.max(old.length, now.length); place++) {
      this.at(['prefixItems', place], old[place] ?? oldRest, now[place] ?? nowRest);
    }
    this.at(['items'], oldRest, nowRest);
  }

  /** Branches that are equal pair up; of the rest those in the same place are compared. */
  private compareBranches(before: Schema, after: Schema, keyword: string, more: Change): void {
    const old = alternatives(before[keyword]);
    const now = alternatives(after[keyword]);
    const gone = this.without(old, now);
    const fresh = this.without(now, old);
    const pairs = Math.min(gone.length, fresh.length);
    for (let index = 0; index < pairs; index++) {
      this.at([keyword, now.indexOf(fresh[index])], gone[index], fresh[index]);
    }
    if (gone.length === fresh.length) return;
    const change =
      (old.length === 0) !== (now.length === 0)
        ? addedOrRemoved(old.length || undefined, now.length || undefined)
        : fresh.length > gone.length === (more === 'wider')
          ? 'wider'
          : 'narrower';
    this.note(keyword, change, before[keyword], after[keyword]);
  }

  /** A value that meets two branches is refused: only of branches that exclude each other is more freedom harmless. */
  private compareOneOf(before: Schema, after: Schema): void {
    const [old, now] = [alternatives(before['oneOf']), alternatives(after['oneOf'])];
    const sides = [
      old.map((each) => this.resolve(each, 'before')),
      now.map((each) => this.resolve(each, 'after')),
    ];
    if (sides.every((branches) => areDisjoint(branches, this.shapes))) {
      this.compareBranches(before, after, 'oneOf', 'wider');
    } else if (
      this.without(old, now).length > 0 ||
      this.without(now, old).length > 0 ||
      old.length !== now.length
    ) {
      const isNewOrGone = old.length === 0 || now.length === 0;
      const change = isNewOrGone ? addedOrRemoved(before['oneOf'], after['oneOf']) : 'other';
      this.note('oneOf', change, before['oneOf'], after['oneOf']);
    }
  }

  /** Those of the schemas that are not among the others. */
  private without(schemas: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
    const known = new Set(others.map((schema) => this.shapes.ofSchema(schema)));
    return schemas.filter((schema) => !known.has(this.shapes.ofSchema(schema)));
  }

  /** True for a schema without any constraint. */
  private accepts(schema: Schema): boolean {
    return Object.entries(schema).every(([name, member]) => member === undefined || ANNOTATIONS.has(name));
  }
}
