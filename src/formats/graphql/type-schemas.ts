import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import type { Json, JsonObject } from '../../documents/json.js';
import type { Selected } from './selection.js';

const scalars: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
};

/** Describes a leaf: what a scalar is that the schema declares itself, nobody knows. */
function leafSchema({ name, description }: GraphQLNamedType): JsonObject {
  return scalars[name] ?? { ...described(description), title: name };
}

const referenceTo = ({ name }: GraphQLNamedType): JsonObject => ({ $ref: `#/definitions/${name}` });

/** Describes a type, null included unless it says otherwise; `ofNamed` describes what it is of. */
function typeSchema(type: GraphQLType, ofNamed: (named: GraphQLNamedType) => JsonObject): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType, ofNamed);
  const schema = presentSchema(type, ofNamed);
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
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
    ...argumentsSchema(Object.values(type.getFields())),
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
}

/** Describes the arguments of a field, or the fields of an input: an object with nothing else in it. */
export function argumentsSchema(args: readonly (GraphQLArgument | GraphQLInputField)[]): JsonObject {
  const required = args.filter(isNeeded).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map((arg) => [arg.name, argumentSchema(arg)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function isNeeded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function argumentSchema(argument: GraphQLArgument | GraphQLInputField): JsonObject {
  const { type, description, defaultValue, deprecationReason } = argument;
  return {
    ...typeSchema(type, (named) => (isScalarType(named) ? leafSchema(named) : referenceTo(named))),
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
  const properties = parts.map(({ field, parts: inner = [] }): [string, Json] => [
    field.name,
    { ...answerSchema(field.type, inner), ...described(field.description) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function described(description: string | null | undefined): JsonObject {
  return description ? { description } : {};
}
