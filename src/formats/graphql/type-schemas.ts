import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import { byCodePoint, type Json, type JsonObject } from '../../documents/json.js';
import { givenScalarSchema, leafSchema } from './scalar-schemas.js';

const referenceTo = ({ name }: GraphQLNamedType): JsonObject => ({ $ref: `#/definitions/${name}` });

/** Describes a type, null included unless it says otherwise; `ofNamed` describes what it is of. */
function typeSchema(type: GraphQLType, ofNamed: (named: GraphQLNamedType) => JsonObject): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType, ofNamed);
  const schema = presentSchema(type, ofNamed);
  const { type: kinds } = schema;
  if (typeof kinds === 'string') return { ...schema, type: [kinds, 'null'] };
  if (Array.isArray(kinds)) return { ...schema, type: [...kinds, 'null'] };
  return schema['$ref'] === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
}

function presentSchema(type: GraphQLType, ofNamed: (named: GraphQLNamedType) => JsonObject): JsonObject {
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, ofNamed) };
  return ofNamed(getNamedType(type));
}

/** Lists enums and input objects as definitions, by name. */
export function inputDefinitions(schema: GraphQLSchema): JsonObject {
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const entries = types.flatMap((type): [string, JsonObject][] => {
    if (isEnumType(type)) return [[type.name, enumSchema(type)]];
    return isInputObjectType(type) ? [[type.name, inputSchema(type)]] : [];
  });
  return Object.fromEntries(entries);
}

function enumSchema(type: GraphQLEnumType): JsonObject {
  const values = type.getValues().map(({ name }) => name);
  return { ...described(type.description), type: 'string', enum: values };
}

function inputSchema(type: GraphQLInputObjectType): JsonObject {
  return {
    ...described(type.description),
    ...argumentsSchema(Object.values(type.getFields()), type.isOneOf),
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
}

/**
 * Describes the arguments of a field, or the fields of an input: an object with nothing else in it.
 *
 * @param isOneOf of these one is given, and not as null
 */
export function argumentsSchema(
  args: readonly (GraphQLArgument | GraphQLInputField)[],
  isOneOf = false,
): JsonObject {
  const required = args.filter(isNeeded).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map((arg) => [arg.name, argumentSchema(arg, isOneOf)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function isNeeded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function argumentSchema(argument: GraphQLArgument | GraphQLInputField, isOneOf: boolean): JsonObject {
  const { type, description, defaultValue, deprecationReason } = argument;
  return {
    ...(isOneOf ? presentSchema : typeSchema)(type, (named) =>
      isScalarType(named) ? givenScalarSchema(named) : referenceTo(named),
    ),
    ...described(description),
    // It comes from the schema's text: plain JSON.
    ...(defaultValue !== undefined && { default: defaultValue as Json }),
    ...(deprecationReason && { deprecated: true }),
  };
}

/** Describes what the selected parts of a field answer. Whatever is not required may be null, or missing in another type. */
export function answerSchema(type: GraphQLOutputType, parts: readonly Selected[]): JsonObject {
  return typeSchema(type, (named) => {
    if (isEnumType(named)) return referenceTo(named);
    if (parts.length > 0) return objectSchema(parts);
    return isCompositeType(named) ? { type: 'object' } : leafSchema(named);
  });
}

function objectSchema(parts: readonly Selected[]): JsonObject {
  const properties = parts.map((part): [string, Json] => [
    answeredAs(part),
    { ...answerSchema(part.field.type, part.parts ?? []), ...described(part.field.description) },
  ]);
  const isOfSeveral = parts.some(({ on }) => on !== undefined);
  return {
    type: 'object',
    properties: { ...(isOfSeveral && { __typename: { type: 'string' } }), ...Object.fromEntries(properties) },
  };
}

function described(description: string | null | undefined): JsonObject {
  return description ? { description } : {};
}

/** What is asked of one field; `on` of one type where the field may be of several. */
export interface Selected {
  readonly field: GraphQLField<unknown, unknown>;
  readonly on?: string;
  /** Under which it is answered, where another type has a field of that name that answers something else. */
  readonly alias?: string;
  /** Undefined of a leaf. */
  readonly parts?: readonly Selected[];
}

const answeredAs = ({ field, alias }: Selected): string => alias ?? field.name;

/** With the root field itself. */
const MAX_FIELDS = 200;
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
    const all = [...own];
    const shared = new Set(isUnionType(type) ? [] : Object.keys(type.getFields()));
    // By the name under which it is answered: what one name means in one answer.
    const kinds = new Map<string, string>();
    const types = [...this.schema.getPossibleTypes(type)].sort((a, b) => byCodePoint(a.name, b.name));
    for (const possible of types.slice(0, MAX_TYPES)) {
      const fresh = Object.values(possible.getFields()).filter(({ name }) => !shared.has(name));
      const parts = this.fields(fresh, depth);
      if (parts === undefined) return undefined;
      for (const part of parts) {
        const { name, type: kind } = part.field;
        const isFree = [undefined, String(kind)].includes(kinds.get(name));
        const alias = isFree ? undefined : `${name}_${possible.name}`;
        kinds.set(alias ?? name, String(kind));
        all.push({ ...part, on: possible.name, ...(alias !== undefined && { alias }) });
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

function fieldText({ field, alias, parts }: Selected): string {
  const name = alias === undefined ? field.name : `${alias}: ${field.name}`;
  return parts === undefined ? name : `${name} ${textOf(parts)}`;
}

export function countOf(parts: readonly Selected[]): number {
  return parts.reduce((sum, { parts: inner = [] }) => sum + 1 + countOf(inner), 0);
}
