import {
  BREAK,
  buildASTSchema,
  buildClientSchema,
  GraphQLError,
  parse,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
  type NamedTypeNode,
} from 'graphql';
import { UnreadableDocument } from '../../documents/findings.js';
import { isObject, type Json } from '../../documents/json.js';
import { completed } from './complete-sdl.js';
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
    return build(parse(document, { maxTokens: MOST_TOKENS }));
  } catch (fault) {
    // Deeper than the stack: told elsewhere.
    if (!(fault instanceof Error) || fault instanceof RangeError || fault instanceof UnreadableDocument)
      throw fault;
    throw malformed(fault);
  }
}

function build(document: DocumentNode): GraphQLSchema {
  try {
    return buildASTSchema(completed(document), { assumeValid: true, assumeValidSDL: true });
  } catch (fault) {
    const name = /^Unknown type: "(\w+)"/.exec(fault instanceof Error ? fault.message : '')?.[1];
    if (name === undefined) throw fault;
    throw new GraphQLError(`the type ${name} is declared nowhere (send the files that declare it along)`, {
      nodes: firstNamed(name, document) ?? null,
    });
  }
}

function firstNamed(name: string, document: DocumentNode): NamedTypeNode | undefined {
  let found: NamedTypeNode | undefined;
  visit(document, {
    NamedType(node) {
      if (node.name.value !== name) return undefined;
      found = node;
      return BREAK;
    },
  });
  return found;
}

function malformed(fault: Error): UnreadableDocument {
  const [place] = fault instanceof GraphQLError ? (fault.locations ?? []) : [];
  const where = place === undefined ? '' : ` at line ${String(place.line)}, column ${String(place.column)}`;
  return new UnreadableDocument(
    'malformed_graphql',
    `This is no GraphQL schema: ${fault.message.slice(0, 300).replace(/\.$/, '')}${where}. Mend it there and send it again.`,
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
