import {
  buildASTSchema,
  buildClientSchema,
  GraphQLError,
  parse,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { UnreadableDocument, type Json } from '../imported.js';
import { isObject } from '../json-reading.js';
import { introspectionMember } from './introspection.js';

/** Far more than any schema that people maintain; GitHub's has 190,000. */
const MOST_TOKENS = 600_000;

/**
 * Reads SDL, or the answer to an introspection query. Directives that nobody declares pass: gateways write them.
 *
 * @throws UnreadableDocument `malformed_graphql` with line and column
 */
export function readSchema(document: Json): GraphQLSchema {
  try {
    if (typeof document !== 'string')
      return buildClientSchema(introspectionOf(document), { assumeValid: true });
    return buildASTSchema(parse(document, { maxTokens: MOST_TOKENS }), {
      assumeValid: true,
      assumeValidSDL: true,
    });
  } catch (fault) {
    // Deeper than the stack: told elsewhere.
    if (!(fault instanceof Error) || fault instanceof RangeError || fault instanceof UnreadableDocument)
      throw fault;
    throw malformed(fault);
  }
}

function malformed(fault: Error): UnreadableDocument {
  const [place] = fault instanceof GraphQLError ? (fault.locations ?? []) : [];
  const where = place === undefined ? '' : ` at line ${String(place.line)}, column ${String(place.column)}`;
  return new UnreadableDocument(
    'malformed_graphql',
    `This is no GraphQL schema: ${fault.message.slice(0, 300)}${where}. Mend it there and send it again.`,
  );
}

function introspectionOf(document: Json): IntrospectionQuery {
  const __schema = introspectionMember(document);
  if (isObject(__schema)) return { __schema } as unknown as IntrospectionQuery;
  throw new UnreadableDocument(
    'malformed_graphql',
    'This is neither SDL nor the answer to an introspection query (`__schema`).',
    '/__schema',
  );
}
