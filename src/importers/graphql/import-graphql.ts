import {
  getNamedType,
  isCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { DocumentLimits } from '../../documents/limits.js';
import { UnreadableDocument, type WarningLog } from '../../documents/findings.js';
import type { ImportedDocument } from '../imported.js';
import type { Json } from '../../documents/json.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { newTrace } from '../schema/copied.js';
import { SchemaCopier } from '../schema/schema-copier.js';
import { SchemaSource } from '../schema/schema-source.js';
import { standalone } from '../schema/standalone.js';
import { answerSchema } from './answer-schema.js';
import { readSchema } from './read-schema.js';
import { countOf, select, textOf, type Selected } from './selection.js';
import { argumentsSchema, inputDefinitions } from './type-schemas.js';

type Field = GraphQLField<unknown, unknown>;

/** Schemas do not say which edition of the specification they are of; this is the one that they are read by. */
const EDITION = 'October2021';

interface RootField {
  readonly operation: 'query' | 'mutation';
  readonly field: Field;
}

/**
 * Makes an endpoint of every root field of queries and mutations, with an operation document of its own: whoever calls
 * it sends that text and the arguments as variables, and nobody sends text.
 */
export function importGraphQl(
  document: Json,
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
  const schema = readSchema(document);
  const fields = [
    ...rootFields('query', schema.getQueryType()),
    ...rootFields('mutation', schema.getMutationType()),
  ];
  if (fields.length === 0) {
    throw new UnreadableDocument(
      'no_operations',
      'The schema has no fields of Query or Mutation: there is nothing to import. Send the schema, not a query.',
    );
  }
  refuseTooMany(fields.length, limits, '');
  const subscriptions = rootFields('query', schema.getSubscriptionType()).length;
  if (subscriptions > 0) {
    const detail = `${String(subscriptions)} subscriptions are streams, nothing that is called once; they were left out.`;
    warnings.warn('subscriptions_left_out', '', detail);
  }
  const reader = new FieldReader(schema, limits, warnings);
  return {
    format: 'graphql',
    formatVersion: EDITION,
    ...(schema.description ? { description: schema.description } : {}),
    endpoints: namedEndpoints(fields.map((field) => reader.read(field))),
    warnings: warnings.all(),
  };
}

function rootFields(
  operation: RootField['operation'],
  type: GraphQLObjectType | null | undefined,
): RootField[] {
  const fields = Object.values(type?.getFields() ?? {}).filter(({ name }) => !name.startsWith('__'));
  return fields.map((field) => ({ operation, field }));
}

class FieldReader {
  private readonly inputs: SchemaCopier;
  private readonly outputs: SchemaCopier;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: DocumentLimits,
    warnings: WarningLog,
  ) {
    const source = new SchemaSource({ definitions: inputDefinitions(schema) }, '/definitions/');
    this.inputs = new SchemaCopier(source, 'both', warnings);
    this.outputs = new SchemaCopier(source, 'output', warnings);
  }

  read({ operation, field }: RootField): UnnamedEndpoint {
    const { name, args, description, deprecationReason } = field;
    const key = `${operation}/${name}`;
    const input = this.inputs.copyRoot(argumentsSchema(args), '');
    const parts = select(this.schema, field);
    const answer = answerSchema(field.type, parts);
    const trace = newTrace();
    const output = this.outputs.copy({ type: 'object', properties: { [name]: answer } }, '', trace);
    const { inputSchemaLength, outputSchemaLength } = this.limits;
    const readOnly = operation === 'query';
    return {
      key: `${key}@call`,
      method: 'call',
      path: key,
      sourceName: name,
      description: description ?? '',
      inputSchema: standalone(input, this.inputs, inputSchemaLength, ''),
      outputSchema: standalone({ schema: output, trace }, this.outputs, outputSchemaLength, ''),
      parameters: Object.fromEntries(
        args.map((arg) => [arg.name, { in: 'argument', name: arg.name } as const]),
      ),
      safety: { readOnly, idempotent: readOnly, destructive: false },
      lifecycleStatus: deprecationReason ? 'deprecated' : 'active',
      tags: [],
      scopes: [],
      extras: {
        graphql: { operation, ...documentOf({ operation, field }, parts), complexity: 1 + countOf(parts) },
      },
    };
  }
}

/** What is sent: fixed text, and the arguments as its variables. */
function documentOf(
  { operation, field }: RootField,
  parts: readonly Selected[],
): { readonly operationName: string; readonly document: string } {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isCompositeType(getNamedType(field.type)) ? ` ${textOf(parts)}` : '';
  const operationName = `${operation}_${field.name}`;
  const head = `${operation} ${operationName}${variables === '' ? '' : `(${variables})`}`;
  const call = `${field.name}${args === '' ? '' : `(${args})`}`;
  return { operationName, document: `${head} { ${call}${selection} }` };
}
