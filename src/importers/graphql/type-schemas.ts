import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
} from 'graphql';
import type { Json, JsonObject } from '../../documents/json.js';

const scalars: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
};

/** Of a leaf: what a scalar is that the schema declares itself, nobody knows. */
export function leafSchema(name: string, description?: string | null): JsonObject {
  return scalars[name] ?? { ...(description ? { description } : {}), title: name };
}

/** Enums and input objects as definitions, by name. */
export function inputDefinitions(schema: GraphQLSchema): JsonObject {
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const entries = types.flatMap((type): [string, JsonObject][] => {
    if (isEnumType(type)) return [[type.name, enumSchema(type)]];
    return isInputObjectType(type) ? [[type.name, objectSchema(type)]] : [];
  });
  return Object.fromEntries(entries);
}

function enumSchema(type: GraphQLNamedInputType & { getValues(): readonly { name: string }[] }): JsonObject {
  return {
    ...described(type.description),
    type: 'string',
    enum: type.getValues().map(({ name }) => name),
  };
}

function objectSchema(
  type: GraphQLNamedInputType & { readonly isOneOf: boolean; getFields(): Record<string, GraphQLInputField> },
): JsonObject {
  return {
    ...described(type.description),
    ...argumentsSchema(Object.values(type.getFields())),
    ...(type.isOneOf ? { minProperties: 1, maxProperties: 1 } : {}),
  };
}

/** Arguments of a field, or fields of an input: an object with nothing else in it. */
export function argumentsSchema(args: readonly (GraphQLArgument | GraphQLInputField)[]): JsonObject {
  const required = args.filter(isNeeded).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map((arg) => [arg.name, argumentSchema(arg)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

export function isNeeded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function argumentSchema({
  type,
  description,
  defaultValue,
  deprecationReason,
}: GraphQLArgument | GraphQLInputField): JsonObject {
  return {
    ...valueSchema(type),
    ...described(description),
    // It comes from the schema's text: plain JSON.
    ...(defaultValue === undefined ? {} : { default: defaultValue as Json }),
    ...(deprecationReason ? { deprecated: true } : {}),
  };
}

function valueSchema(type: GraphQLInputType): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType);
  const schema = presentSchema(type);
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return schema['$ref'] === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
}

function presentSchema(type: GraphQLInputType): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType) };
  if (isScalarType(type)) return leafSchema(type.name, type.description);
  return { $ref: `#/definitions/${type.name}` };
}

function described(description: string | null | undefined): JsonObject {
  return description ? { description } : {};
}
