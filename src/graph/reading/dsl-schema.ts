/** The query language as a JSON Schema, with the filters that each kind of node takes. Pure. */
import type { NodeType, Operator, Property, RelationshipType } from '../ontology.types.js';
import { nodeTypes, relationshipTypes } from '../ontology.js';
import { queryLanguageVersion, querySchema } from './query.schema.js';

type Json = Readonly<Record<string, unknown>>;

export const dslFormat = 'portal_catalog.query_dsl.v1';

/** Answer of `get_query_dsl`. */
export function dslAnswer(): Json {
  return { format: dslFormat, version: queryLanguageVersion, schema: dslSchema };
}

const text = { type: 'string', maxLength: 1024 } as const;
const node = querySchema.properties.nodes.items;
const relationship = querySchema.properties.relationships.items;

export const dslSchema: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Query of the catalog graph',
  ...querySchema,
  properties: {
    ...querySchema.properties,
    nodes: {
      ...querySchema.properties.nodes,
      items: {
        ...node,
        allOf: nodeTypes.map((type: NodeType) => ({
          if: { properties: { entity: { const: type.name } } },
          then: {
            properties: {
              filters: filtersOf(type),
              columns: {
                anyOf: [{ const: '*' }, { items: { enum: type.properties.map(({ name }) => name) } }],
              },
            },
          },
        })),
      },
    },
    relationships: {
      ...querySchema.properties.relationships,
      items: {
        ...relationship,
        allOf: relationshipTypes
          .filter(({ properties }) => properties.length > 0)
          .map((type: RelationshipType) => ({
            if: { properties: { type: { const: type.name } } },
            then: { properties: { filters: filtersOf(type) } },
          })),
      },
    },
  },
};

function filtersOf({ properties }: NodeType | RelationshipType): Json {
  const members = properties.map((property): [string, Json] => [property.name, filterOf(property)]);
  return { additionalProperties: false, properties: Object.fromEntries(members) };
}

function filterOf(property: Property): Json {
  const operators = Object.fromEntries(
    property.operators.map((operator): [Operator, Json] => [operator, operandOf(property, operator)]),
  );
  const byOperator = { type: 'object', minProperties: 1, additionalProperties: false, properties: operators };
  const single = property.operators.includes('eq') ? [valueOf(property), byOperator] : [byOperator];
  const one = single.length === 1 ? byOperator : { anyOf: single };
  return {
    description: property.description,
    anyOf: [...single, { type: 'array', minItems: 1, maxItems: 10, items: one }],
  };
}

function operandOf(property: Property, operator: Operator): Json {
  switch (operator) {
    case 'in':
      return { type: 'array', minItems: 1, maxItems: 100, items: valueOf(property) };
    case 'is_null':
    case 'is_not_null':
      return { type: 'boolean' };
    case 'contains':
      return property.kind === 'list' ? text : { ...text, minLength: 3 };
    case 'starts_with':
    case 'ends_with':
      return { ...text, minLength: 3 };
    case 'token_match':
      return text;
    case 'all_tokens':
    case 'any_tokens':
      return { anyOf: [text, { type: 'array', items: text }] };
    default:
      return valueOf(property);
  }
}

function valueOf({ kind, values, sqlType }: Property): Json {
  switch (kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: -2147483647, maximum: 2147483647 };
    case 'number':
      return { type: 'number' };
    case 'choice':
      return { enum: values };
    case 'datetime':
      return { type: 'string', description: 'A day or a time like 2026-11-21T08:00:00Z.' };
    case 'id':
      return sqlType === 'uuid' ? { type: 'string', format: 'uuid' } : text;
    default:
      return text;
  }
}
