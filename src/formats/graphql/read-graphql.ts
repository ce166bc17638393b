import {
  BREAK,
  buildASTSchema,
  buildClientSchema,
  getNamedType,
  GraphQLError,
  isCompositeType,
  isNonNullType,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  parse,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
  type NamedTypeNode,
} from 'graphql';
import { UnreadableDocument } from '../../documents/findings.js';
import { isObject, type Json } from '../../documents/json.js';
import {
  argumentRoutes,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ReadContext,
} from '../format.js';
import { SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';
import { endpointKey, endpointPath } from './endpoint-key.js';
import { introspectionMember } from './introspection.js';
import {
  answerSchema,
  argumentsSchema,
  countOf,
  inputDefinitions,
  select,
  textOf,
  type Selected,
} from './type-schemas.js';
import { withWrittenDefaults, writeDefaults } from './written-defaults.js';

type Field = GraphQLField<unknown, unknown>;

/** Schemas do not say which edition of the specification they are of; this is the one that they are read by. */
const EDITION = 'October2021';

interface RootField {
  readonly operation: 'query' | 'mutation';
  readonly field: Field;
}

/**
 * Reads every root field of queries and mutations, with an operation document of its own: whoever calls
 * it sends that text and the arguments as variables, and nobody sends text.
 */
export function readGraphQl(document: Json, context: ReadContext): Description {
  const schema = readGraphqlSchema(document);
  const fields = [
    ...rootFields('query', schema.getQueryType()),
    ...rootFields('mutation', schema.getMutationType()),
  ];
  if (fields.length === 0) {
    const detail =
      'The schema has no fields of Query or Mutation: there is nothing to import. Send the schema, not a query.';
    throw new UnreadableDocument('no_operations', detail);
  }
  refuseTooMany(fields.length, context.limits, '');
  const subscriptions = rootFields('query', schema.getSubscriptionType()).length;
  if (subscriptions > 0) {
    const detail = `${String(subscriptions)} subscriptions are streams, nothing that is called once; they were left out.`;
    context.warnings.warn('subscriptions_left_out', '', detail);
  }
  const reader = new FieldReader(schema, context);
  return { formatVersion: EDITION, operations: fields.map((field) => reader.read(field)) };
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
    private readonly context: ReadContext,
  ) {
    const { warnings } = context;
    const source = new SchemaSource({ definitions: inputDefinitions(schema) }, '/definitions/');
    this.inputs = new SchemaCopier(source, 'both', warnings);
    this.outputs = new SchemaCopier(source, 'output', warnings);
  }

  read({ operation, field }: RootField): DescribedOperation {
    const { name, args, description, deprecationReason } = field;
    const path = endpointPath(operation, name);
    const given = argumentsSchema(args);
    const parts = select(this.schema, field);
    const answer = answerSchema(field.type, parts);
    const output = this.outputs.copyRoot({ type: 'object', properties: { [name]: answer } }, '');
    const { inputSchemaLength, outputSchemaLength } = this.context.limits;
    const readOnly = operation === 'query';
    return {
      endpoint: endpointKey(operation, name),
      facts: {
        ...{ method: 'call', path, sourceName: name, description: description ?? '' },
        inputSchema: standalone(this.inputs.copyRoot(given, ''), this.inputs, inputSchemaLength, ''),
        outputSchema: standalone(output, this.outputs, outputSchemaLength, ''),
        routing: { parameters: argumentRoutes(given) },
        safety: { readOnly, idempotent: readOnly, destructive: false },
        lifecycleStatus: deprecationReason ? 'deprecated' : 'active',
        extras: {
          graphql: { operation, ...documentOf({ operation, field }, parts), complexity: 1 + countOf(parts) },
        },
      },
    };
  }
}

/** What is sent: fixed text, and the arguments as its variables. */
function documentOf(
  { operation, field }: RootField,
  parts: readonly Selected[],
): { readonly operationName: string; readonly document: string } {
  const variables = field.args.map((arg) => `$${arg.name}: ${variableType(arg)}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isCompositeType(getNamedType(field.type)) ? ` ${textOf(parts)}` : '';
  const operationName = `${operation}_${field.name}`;
  const head = `${operation} ${operationName}${variables === '' ? '' : `(${variables})`}`;
  const call = `${field.name}${args === '' ? '' : `(${args})`}`;
  return { operationName, document: `${head} { ${call}${selection} }` };
}

/** A required argument with a default may be left out: its variable must be allowed to be, or the server refuses the call. */
function variableType({ type, defaultValue }: GraphQLArgument): string {
  return String(isNonNullType(type) && defaultValue !== undefined ? type.ofType : type);
}

/** Far more than any schema that people maintain; GitHub's has 190,000. */
const MAX_TOKENS = 600_000;

/**
 * Reads SDL, or the answer to an introspection query. Directives that nobody declares pass: gateways write them.
 *
 * @throws UnreadableDocument `malformed_graphql` with line and column
 */
export function readGraphqlSchema(document: Json): GraphQLSchema {
  try {
    if (typeof document !== 'string')
      return buildClientSchema(introspectionOf(document), { assumeValid: true });
    return build(withWrittenDefaults(parse(document, { maxTokens: MAX_TOKENS })));
  } catch (fault) {
    // Deeper than the stack: reported elsewhere.
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
  if (isObject(__schema)) {
    writeDefaults(__schema);
    return { __schema } as unknown as IntrospectionQuery;
  }
  throw new UnreadableDocument(
    'malformed_graphql',
    'This is neither SDL nor the answer to an introspection query (`__schema`).',
    '/__schema',
  );
}

/** Scalars that a platform knows without their being declared: AWS AppSync, Apollo Federation, The Graph. */
const platformScalars: readonly string[] = [
  ...['Date', 'DateTime', 'Email', 'IPAddress', 'JSON', 'Phone', 'Time', 'Timestamp', 'URL'].map(
    (name) => `AWS${name}`,
  ),
  ...['_Any', '_FieldSet', 'FieldSet', 'federation__FieldSet', 'federation__Scope', 'federation__Policy'],
  ...['link__Import', 'link__Purpose', 'Bytes', 'BigInt', 'BigDecimal', 'Int8', 'Timestamp'],
];

const definitionOf = {
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
} as const;

/**
 * The document with what stands elsewhere: a part of a larger schema (a subgraph, a module) extends types that it does
 * not declare, `Query` among them, and platforms have scalars of their own.
 */
function completed(document: DocumentNode): DocumentNode {
  const declared = new Set(document.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value));
  const definitions = document.definitions.map((node): DefinitionNode => {
    if (!isTypeExtensionNode(node) || declared.has(node.name.value)) return node;
    declared.add(node.name.value);
    return { ...node, kind: definitionOf[node.kind] } as DefinitionNode;
  });
  const scalars = platformScalars
    .filter((name) => !declared.has(name))
    .map((value): DefinitionNode => ({
      kind: Kind.SCALAR_TYPE_DEFINITION,
      name: { kind: Kind.NAME, value },
    }));
  return { ...document, definitions: [...definitions, ...scalars] };
}
