/** Calls that are no requests of OpenAPI: those of GraphQL are judged by graphql-js, those of MCP by the schema of the server. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  buildClientSchema,
  buildSchema,
  getVariableValues,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { isObject, type JsonObject } from '../../src/documents/json.js';
import { asNamed, graphqlBody } from '../../src/development-gateway/call-result.js';
import type { FlatEndpoint } from '../flat-endpoints.js';
import { argumentSets } from './argument-sets.js';
import type { TriedDocument } from './documents.js';
import type { TriedCall } from './judged-calls.js';

/** The calls of the tools of a document; none where it is of another protocol. */
export function otherCalls(
  { document, format }: TriedDocument,
  endpoints: readonly FlatEndpoint[],
): readonly TriedCall[] {
  if (typeof document !== 'string') return [];
  if (format === 'graphql')
    return endpoints.flatMap((endpoint) => graphqlCalls(endpoint, schemaIn(document)));
  if (format !== 'mcp') return [];
  const read = JSON.parse(document) as { readonly tools?: unknown } | readonly unknown[];
  const tools = 'tools' in read ? read.tools : read;
  return endpoints.flatMap((endpoint) => mcpCalls(endpoint, Array.isArray(tools) ? tools : []));
}

function schemaIn(document: string): GraphQLSchema {
  if (!document.trimStart().startsWith('{')) return buildSchema(document);
  const read = JSON.parse(document) as { readonly data?: IntrospectionQuery } & IntrospectionQuery;
  return buildClientSchema(read.data ?? read);
}

type Judge = (args: Readonly<Record<string, unknown>>) => readonly string[];

function callsOf({ key, inputSchema }: FlatEndpoint, judge: Judge): readonly TriedCall[] {
  const sets = argumentSets(inputSchema as JsonObject, () => 'argument');
  if (sets.length === 0)
    return [{ key, kind: '', verdict: 'unjudged', reasons: ['no arguments were found that fit its schema'] }];
  return sets.map(({ kind, args }) => {
    const reasons = judge(args);
    return { key, kind, verdict: reasons.length === 0 ? 'right' : 'wrong', reasons };
  });
}

function graphqlCalls(endpoint: FlatEndpoint, schema: GraphQLSchema): readonly TriedCall[] {
  return callsOf(endpoint, (args) => {
    const toolMetadata = { routing: { parameters: endpoint.parameters } };
    const { graphql } = endpoint.extras;
    const body = graphqlBody({ ...endpoint, graphql, toolMetadata } as never, args) as {
      readonly query: string;
      readonly variables: Readonly<Record<string, unknown>>;
    };
    const parsed = parse(body.query);
    const [operation] = parsed.definitions.filter(
      (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
    );
    const { errors = [] } = getVariableValues(schema, operation?.variableDefinitions ?? [], body.variables);
    return [...validate(schema, parsed), ...errors].map(({ message }) => message);
  });
}

function mcpCalls(endpoint: FlatEndpoint, tools: readonly unknown[]): readonly TriedCall[] {
  const own = tools.find((tool) => isObject(tool) && tool['name'] === endpoint.key.replace(/@call$/, ''));
  const schema = isObject(own) && isObject(own['inputSchema']) ? own['inputSchema'] : {};
  return callsOf(endpoint, (args) => {
    const Validator = JSON.stringify(schema['$schema'] ?? '').includes('2020-12') ? Ajv2020 : Ajv;
    const ajv = new Validator({ strict: false, logger: false, validateFormats: false });
    const { $schema: _, ...plain } = schema;
    const isFit = ajv.validate(plain, asNamed(endpoint.parameters, args));
    return isFit ? [] : [ajv.errorsText(ajv.errors)];
  });
}
