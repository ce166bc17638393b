import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { byCodePoint } from '../../documents/json.js';

/** What is asked of one field; `on` of one type where the field may be of several. */
export interface Selected {
  readonly field: GraphQLField<unknown, unknown>;
  readonly on?: string;
  /** Undefined of a leaf. */
  readonly parts?: readonly Selected[];
}

/** With the root field itself. */
export const MAX_FIELDS = 200;
const MAX_DEPTH = 4;
const MAX_TYPES = 10;

/** How a payload says what went wrong: `errors`, `userErrors`, `validationErrors`. */
const ERRORS = /errors?$/i;

/**
 * What is asked of a field: all that can be asked without arguments, as deep as fits the limit of fields, ordered by
 * name; of objects that say what went wrong always something. Empty of a leaf.
 */
export function select(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): readonly Selected[] {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return [];
  for (let depth = MAX_DEPTH; depth > 1; depth--) {
    const selected = new Selector(schema).of(type, depth);
    if (selected !== undefined) return selected;
  }
  return new Selector(schema, true).of(type, 1) ?? [];
}

class Selector {
  private count = 1;

  constructor(
    private readonly schema: GraphQLSchema,
    /** What does not fit is left out, and does not undo the rest. */
    private readonly cut = false,
  ) {}

  /** Undefined where it is more than fits. */
  of(type: GraphQLCompositeType, depth: number): readonly Selected[] | undefined {
    const own = isUnionType(type) ? [] : this.fields(Object.values(type.getFields()), depth);
    if (own === undefined || !isAbstractType(type)) return own;
    const kinds = new Map(own.map(({ field }) => [field.name, String(field.type)]));
    const all = [...own];
    const types = [...this.schema.getPossibleTypes(type)].sort((a, b) => byCodePoint(a.name, b.name));
    for (const possible of types.slice(0, MAX_TYPES)) {
      // One name may mean one thing only in one answer.
      const fresh = Object.values(possible.getFields()).filter((field) => !kinds.has(field.name));
      const parts = this.fields(fresh, depth);
      if (parts === undefined) return undefined;
      for (const part of parts) {
        kinds.set(part.field.name, String(part.field.type));
        all.push({ ...part, on: possible.name });
      }
    }
    return all;
  }

  private fields(
    fields: readonly GraphQLField<unknown, unknown>[],
    depth: number,
  ): readonly Selected[] | undefined {
    const selected: Selected[] = [];
    const errorsFirst = (name: string) => (ERRORS.test(name) ? `0${name}` : `1${name}`);
    const sorted = [...fields].sort((a, b) => byCodePoint(errorsFirst(a.name), errorsFirst(b.name)));
    for (const field of sorted.filter(({ args }) => !args.some(isRequiredArgument))) {
      const type = getNamedType(field.type);
      const isError = isObjectType(type) && ERRORS.test(field.name);
      const below = isCompositeType(type) ? Math.max(depth - 1, isError ? 1 : 0) : 0;
      if (isCompositeType(type) && below === 0) continue;
      if (++this.count > MAX_FIELDS) {
        if (this.cut) return selected;
        return undefined;
      }
      if (!isCompositeType(type)) selected.push({ field });
      else {
        const parts = this.of(type, isError ? 1 : below);
        if (parts === undefined) return undefined;
        if (parts.length > 0) selected.push({ field, parts });
      }
    }
    return selected;
  }
}

/** The selection as text of a query. What could be asked nothing is asked for its type. */
export function textOf(parts: readonly Selected[]): string {
  const plain = parts.filter(({ on }) => on === undefined);
  const types = [...new Set(parts.flatMap(({ on }) => (on === undefined ? [] : [on])))];
  const names = [...(types.length > 0 || parts.length === 0 ? ['__typename'] : []), ...plain.map(fieldText)];
  const fragments = types.map((type) => {
    const own = parts.filter(({ on }) => on === type);
    return `... on ${type} { ${own.map(fieldText).join(' ')} }`;
  });
  return `{ ${[...names, ...fragments].join(' ')} }`;
}

function fieldText({ field, parts }: Selected): string {
  return parts === undefined ? field.name : `${field.name} ${textOf(parts)}`;
}

export function countOf(parts: readonly Selected[]): number {
  return parts.reduce((sum, { parts: inner = [] }) => sum + 1 + countOf(inner), 0);
}
