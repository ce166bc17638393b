import { below, entriesOf, isObject, type Json, type JsonObject } from '../../documents/json.js';
import type { Copying, Trace } from './copied.js';
import { modernise } from '../../../packages/schema-reading/dialects.js';
import { namedBranches } from './discriminators.js';
import {
  allowsBoolean,
  fits,
  isAnnotation,
  isExclusive,
  kindOf,
} from '../../../packages/schema-reading/keywords.js';
import {
  patternFault,
  readEnum,
  readPattern,
  readRequired,
  readType,
  type Mended,
} from '../../../packages/schema-reading/leaf-keywords.js';
import { negatesAll, withoutLeftovers } from '../../../packages/schema-reading/left-out.js';
import { judgePattern } from '../../../packages/schema-reading/judge-pattern.js';
import { withoutOneOf } from './relax.js';

/** Definitions of no more values and characters than this that refer to nothing are written where they are used. */
const LEAF_NODES = 24;
const LEAF_LENGTH = 500;
const LONGEST_EXAMPLE = 300;
const LONGEST_DEFAULT = 2_000;
/** Keywords whose schemas speak of the same value. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);
const NONE: ReadonlySet<string> = new Set();

/** Writes one schema of a document anew, noting on its way what it needs and what it leaves out. */
export class SchemaWriter {
  constructor(
    private readonly copying: Copying,
    private readonly trace: Trace,
  ) {}

  /** @param above properties hidden by what this schema is a part of */
  write(schema: Json, at: string, above = NONE): JsonObject {
    if (typeof schema === 'boolean') return schema ? {} : { not: {} };
    if (!isObject(schema)) {
      this.report(at, { code: 'schema_mended', detail: 'This is no schema; anything is accepted.' });
      return {};
    }
    const modern = modernise(schema);
    const reference = modern['$ref'] ?? modern['$dynamicRef'];
    if (typeof reference !== 'string') return this.keywords(modern, at, above);
    const { $ref: _ref, $dynamicRef: _dynamicRef, ...rest } = modern;
    return this.reference(reference, this.keywords(rest, at, NONE), at);
  }

  /** A reference and what is written beside it; a small definition without references is written out. */
  private reference(reference: string, beside: JsonObject, at: string): JsonObject {
    const { source } = this.copying;
    const target = source.find(reference);
    if (target.kind !== 'local') {
      this.report(at, unfollowed[target.kind]);
      return beside;
    }
    if (isLeaf(target.schema) && Object.keys(beside).every(isAnnotation)) {
      return { ...this.write(target.schema, target.pointer), ...beside };
    }
    this.trace.references.add(target.pointer);
    return { $ref: `#/$defs/${source.nameOf(target.pointer)}`, ...beside };
  }

  private keywords(schema: JsonObject, at: string, above: ReadonlySet<string>): JsonObject {
    const copy: JsonObject = {};
    const hidden = this.copying.hidden.of(schema, above);
    const branches = namedBranches(schema, this.copying.source);
    for (const [keyword, given] of Object.entries(schema)) {
      const value =
        keyword === 'enum'
          ? this.kept(readEnum(given, schema['type']), below(at, keyword))
          : this.keyword(keyword, branches[keyword] ?? given, below(at, keyword), hidden);
      if (value === undefined) continue;
      if (isExclusive(keyword)) this.trace.exclusive = true;
      copy[keyword] = value;
    }
    const kept = withoutLeftovers(copy, schema);
    return this.copying.direction === 'both' ? kept : withoutOneOf(kept);
  }

  private keyword(keyword: string, value: Json, at: string, hidden: ReadonlySet<string>): Json | undefined {
    if (keyword === 'type') return this.kept(readType(value), at);
    if (keyword === 'pattern') return this.kept(readPattern(value), at);
    if (keyword === 'required') {
      if (Array.isArray(value) && value.some((name) => typeof name === 'string' && hidden.has(name))) {
        this.trace.loose = true;
      }
      return this.kept(readRequired(value, hidden), at);
    }
    if (kindOf(keyword) === undefined || this.isNoise(keyword, value)) return undefined;
    const copied = this.value(keyword, value, at, hidden);
    if (copied === undefined && !isAnnotation(keyword)) {
      const detail = `The value of ${keyword} is not of the right kind; it was left out.`;
      this.report(at, { code: 'schema_mended', detail });
    }
    return negatesAll(keyword, copied, value) ? undefined : copied;
  }

  /** Annotations that only make a schema long. */
  private isNoise(keyword: string, value: Json): boolean {
    if (keyword === 'default') return JSON.stringify(value).length > LONGEST_DEFAULT;
    if (keyword !== 'examples') return false;
    return this.copying.direction === 'output' || JSON.stringify(value).length > LONGEST_EXAMPLE;
  }

  private value(keyword: string, value: Json, at: string, hidden: ReadonlySet<string>): Json | undefined {
    const kind = kindOf(keyword);
    const above = IN_PLACE.has(keyword) ? hidden : NONE;
    if (kind === 'schema') {
      if (typeof value === 'boolean' && allowsBoolean(keyword)) return value;
      return isObject(value) || typeof value === 'boolean' ? this.write(value, at, above) : undefined;
    }
    if (kind === 'schemas') {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      return value.map((item, index) => this.write(item, below(at, index), above));
    }
    if (kind === 'namedSchemas') return isObject(value) ? this.named(keyword, value, at, hidden) : undefined;
    return fits(keyword, value) ? value : undefined;
  }

  private named(keyword: string, schemas: JsonObject, at: string, hidden: ReadonlySet<string>): JsonObject {
    const all = entriesOf(schemas);
    const kept = all.filter(([name]) => {
      if (keyword === 'properties') return !hidden.has(name);
      return keyword !== 'patternProperties' || this.isUsable(name, at);
    });
    if (kept.length < all.length) this.trace.loose = true;
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.write(schema, below(at, name))]));
  }

  private isUsable(pattern: string, at: string): boolean {
    const usable = judgePattern(pattern) === 'fine';
    if (!usable) this.report(below(at, pattern), patternFault);
    return usable;
  }

  private kept({ value, fault }: Mended, at: string): Json | undefined {
    if (fault) this.report(at, fault);
    return value;
  }

  private report(at: string, { code, detail }: { readonly code: string; readonly detail: string }): void {
    this.trace.loose = true;
    this.copying.warnings.warn(code, at, detail);
  }
}

const unfollowed = {
  external: {
    code: 'external_reference',
    detail: 'A reference out of the document is not followed; anything is accepted there.',
  },
  missing: { code: 'broken_reference', detail: 'A reference leads nowhere; anything is accepted there.' },
} as const;

/** A small schema without references: an enum, a formatted text. */
function isLeaf(schema: Json): boolean {
  let nodes = 0;
  let length = 0;
  const holdsNone = (value: Json): boolean => {
    if (typeof value === 'string') length += value.length;
    if (++nodes > LEAF_NODES || length > LEAF_LENGTH) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.entries(value).every(
      ([key, inner]) => key !== '$ref' && key !== '$dynamicRef' && holdsNone(inner),
    );
  };
  return holdsNone(schema);
}
