import { modernise } from '../../../packages/schema-reading/modern-schema.js';
import { isTooLong } from '../../../packages/schema-reading/long-numbers.js';
import { judgePattern } from '../../../packages/schema-reading/patterns.js';
import {
  allowsBoolean,
  fits,
  isAnnotation,
  isExclusive,
  kindOf,
  type Mended,
  negatesAll,
  patternFault,
  readEnum,
  readPattern,
  readRequired,
  readType,
  withoutLeftovers,
} from '../../../packages/schema-reading/keywords.js';
import type { WarningSink } from '../../documents/findings.js';
import { below, entriesOf, isObject, textMember, type Json, type JsonObject } from '../../documents/json.js';
import { MAX_ITEMS } from '../../documents/limits.js';
import { namedBranches, withoutSubtypes } from './discriminator.js';
import { enumText, joined, withEnumText } from './enum-texts.js';
import { shownExamples } from './examples.js';
import { circle, noExample, tooLong, unfollowed } from './faults.js';
import { isLeaf, longList } from './measures.js';
import { HiddenProperties, withoutOneOf, type Direction } from './openapi-keywords.js';
import type { SchemaSource, Target } from './source.js';

/** What a copied schema needs beside itself, and how far it is from what the document says. */
export interface Trace {
  /** Pointers of the definitions that it refers to. */
  readonly references: Set<string>;
  /** Some constraint was left out: it accepts more than the document says. */
  loose: boolean;
  /** Holds keywords that accept less when what is in them accepts more (`oneOf`, `not`, …). */
  exclusive: boolean;
}

export interface Copied {
  readonly schema: JsonObject;
  readonly trace: Trace;
}

export function newTrace(): Trace {
  return { references: new Set(), loose: false, exclusive: false };
}

/**
 * Copies schemas of a document as JSON Schema 2020-12, each definition once: keywords of known kind only, references
 * as `#/$defs/<name>`, properties that don't concern the direction left out. What can't be kept is left out with
 * a warning, so that a copy accepts at least what the original does. Of an API's schemas `oneOf` becomes `anyOf`: where
 * branches exclude each other it says the same, and where they overlap (two texts, a number and an integer) `oneOf`
 * refuses what the API takes.
 */
export class SchemaCopier {
  readonly hidden: HiddenProperties;
  private readonly definitions = new Map<string, Copied>();

  constructor(
    readonly source: SchemaSource,
    readonly direction: Direction,
    readonly warnings: WarningSink,
  ) {
    this.hidden = new HiddenProperties(source, direction);
  }

  /** Copies the definition at a pointer of the document, at first use. */
  definition(pointer: string): Copied {
    const known = this.definitions.get(pointer);
    if (known) return known;
    const trace = newTrace();
    const around = { ...NOTHING, open: [pointer] };
    const given = this.facing(this.source.at(pointer) ?? {});
    const schema = new SchemaWriter(this, trace).write(given, pointer, around);
    const copied = { schema, trace };
    this.definitions.set(pointer, copied);
    return copied;
  }

  /** Follows a reference to what it means in the direction. */
  find(reference: string): Target {
    const target = this.source.find(reference);
    return target.kind === 'local' ? { ...target, schema: this.facing(target.schema) } : target;
  }

  private facing(schema: Json): Json {
    return this.direction === 'output' ? withoutSubtypes(schema) : schema;
  }

  /** Copies a schema; one that is no more than a reference is what it refers to. */
  copyTarget(schema: Json, pointer: string): Copied {
    const reference = textMember(schema, '$ref');
    const isBare = isObject(schema) && Object.keys(schema).length === 1;
    const target = isBare && reference !== undefined ? this.source.find(reference) : undefined;
    return target?.kind === 'local' ? this.definition(target.pointer) : this.copyRoot(schema, pointer);
  }

  copyRoot(schema: Json, pointer: string): Copied {
    const trace = newTrace();
    return { schema: this.copy(schema, pointer, trace), trace };
  }

  /** Copies a schema that is a part of something larger, whose trace it adds to. */
  copy(schema: Json, pointer: string, trace: Trace): JsonObject {
    return new SchemaWriter(this, trace).write(schema, pointer);
  }
}

/** Definitions written within one that is on a circle with them. */
const MAX_UNFOLDED = 50;
const LONGEST_DEFAULT = 2_000;
/** Keywords whose schemas speak of the same value. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/** What a schema is a part of, that speaks of the same value. */
interface Around {
  /** Properties hidden there. */
  readonly hidden: ReadonlySet<string>;
  /** Pointers of the definitions that are being written, from the outermost. */
  readonly open: readonly string[];
}
const NOTHING: Around = { hidden: new Set(), open: [] };

/** Writes one schema of a document anew, noting on its way what it needs and what it leaves out. */
class SchemaWriter {
  private unfolded = 0;

  constructor(
    private readonly copier: SchemaCopier,
    private readonly trace: Trace,
  ) {}

  write(schema: Json, at: string, around = NOTHING): JsonObject {
    if (typeof schema === 'boolean') return schema ? {} : { not: {} };
    if (!isObject(schema)) {
      this.report(at, { code: 'schema_mended', detail: 'This is no schema; anything is accepted.' });
      return {};
    }
    const long = longList(schema);
    if (long !== undefined) {
      const detail = `The list of ${long} has more than ${String(MAX_ITEMS)} items; anything is accepted.`;
      this.report(at, { code: 'schema_pruned', detail });
      return {};
    }
    const modern = withEnumText(modernise(schema));
    const reference = modern['$ref'] ?? modern['$dynamicRef'];
    if (typeof reference !== 'string') return this.keywords(modern, at, around);
    const { $ref: _ref, $dynamicRef: _dynamicRef, ...rest } = modern;
    const beside = this.keywords(rest, at, { ...NOTHING, open: around.open });
    return this.reference(reference, beside, { at, open: around.open });
  }

  /** A reference and what is written beside it; a small definition without references is written out. */
  private reference(
    reference: string,
    beside: JsonObject,
    { at, open }: { readonly at: string; readonly open: readonly string[] },
  ): JsonObject {
    const { source } = this.copier;
    const target = this.copier.find(reference);
    if (target.kind === 'local' && source.composition.isCircle(target.pointer, open)) {
      if (open.includes(target.pointer) || ++this.unfolded > MAX_UNFOLDED) {
        this.report(at, circle);
        return beside;
      }
      const around = { ...NOTHING, open: [...open, target.pointer] };
      return bothOf(this.write(target.schema, target.pointer, around), beside);
    }
    if (target.kind !== 'local') {
      this.report(at, unfollowed[target.kind]);
      return beside;
    }
    if (isLeaf(target.schema) && Object.keys(beside).every(isAnnotation)) {
      const text = beside['description'] === undefined ? undefined : enumText(target.schema);
      return {
        ...this.write(target.schema, target.pointer),
        ...beside,
        ...(text !== undefined && { description: joined(beside['description'], text) }),
      };
    }
    this.trace.references.add(target.pointer);
    return { $ref: `#/$defs/${source.nameOf(target.pointer)}`, ...beside };
  }

  private keywords(schema: JsonObject, at: string, { hidden: above, open }: Around): JsonObject {
    const copy: JsonObject = {};
    const hidden = this.copier.hidden.of(schema, above);
    const around = { hidden, open };
    const branches = namedBranches(schema, this.copier.source, this.copier.direction);
    for (const [keyword, given] of Object.entries(schema)) {
      if (isTooLong(keyword, given, schema['type']) && !this.isNoise(keyword, given)) {
        this.report(below(at, keyword), tooLong);
        continue;
      }
      const value =
        keyword === 'enum'
          ? this.kept(readEnum(given, schema['type']), below(at, keyword))
          : this.keyword(keyword, branches[keyword] ?? given, below(at, keyword), around);
      if (value === undefined) continue;
      if (isExclusive(keyword)) this.trace.exclusive = true;
      copy[keyword] = value;
    }
    const kept = withoutLeftovers(copy, schema);
    return this.copier.direction === 'both' ? kept : withoutOneOf(kept);
  }

  private keyword(keyword: string, value: Json, at: string, around: Around): Json | undefined {
    const { hidden } = around;
    if (keyword === 'type') return this.kept(readType(value), at);
    if (keyword === 'pattern') return this.kept(readPattern(value), at);
    if (keyword === 'required') {
      if (Array.isArray(value) && value.some((name) => typeof name === 'string' && hidden.has(name))) {
        this.trace.loose = true;
      }
      return this.kept(readRequired(value, hidden), at);
    }
    if (kindOf(keyword) === undefined || this.isNoise(keyword, value)) return undefined;
    const copied = this.value(keyword, value, at, around);
    if (copied === undefined && !isAnnotation(keyword)) {
      const detail = `The value of ${keyword} is not of the right kind; it was left out.`;
      this.report(at, { code: 'schema_mended', detail });
    }
    return negatesAll(keyword, copied, value) ? undefined : copied;
  }

  /** Annotations that only make a schema long. */
  private isNoise(keyword: string, value: Json): boolean {
    if (keyword === 'default') return JSON.stringify(value).length > LONGEST_DEFAULT;
    return keyword === 'examples' && this.copier.direction === 'output';
  }

  private value(keyword: string, value: Json, at: string, around: Around): Json | undefined {
    const kind = kindOf(keyword);
    const inner = IN_PLACE.has(keyword) ? around : NOTHING;
    if (kind === 'schema') {
      if (typeof value === 'boolean' && allowsBoolean(keyword)) return value;
      return isObject(value) || typeof value === 'boolean' ? this.write(value, at, inner) : undefined;
    }
    if (kind === 'schemas') {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      const all = [...value.entries()];
      const kept = all.filter(([index, item]) => !this.isCut(item, below(at, index), inner.open));
      return (kept.length > 0 ? kept : all).map(([index, item]) => this.write(item, below(at, index), inner));
    }
    if (kind === 'namedSchemas')
      return isObject(value) ? this.named(keyword, value, at, around.hidden) : undefined;
    if (keyword === 'examples' && Array.isArray(value))
      return shownExamples(value, this.copier.source, () => {
        this.copier.warnings.warn(noExample.code, at, noExample.detail);
      });
    return fits(keyword, value) ? value : undefined;
  }

  /** Tells of a part that is what it is a part of: it adds nothing to it. */
  private isCut(item: Json, at: string, open: readonly string[]): boolean {
    const reference = textMember(item, '$ref');
    const isBare = isObject(item) && Object.keys(item).length === 1;
    if (open.length === 0 || !isBare || reference === undefined) return false;
    const target = this.copier.source.find(reference);
    if (target.kind !== 'local' || !open.includes(target.pointer)) return false;
    this.report(at, circle);
    return true;
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
    this.copier.warnings.warn(code, at, detail);
  }
}

/** What a schema says, and what is written beside a reference to it. */
function bothOf(schema: JsonObject, beside: JsonObject): JsonObject {
  return Object.keys(beside).every(isAnnotation) ? { ...schema, ...beside } : { allOf: [schema, beside] };
}
