import {
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  validate,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { endpointKey } from './endpoint-key.js';
import { costOf } from './operation-cost.js';

/** The schema of a GraphQL API, as it was read. */
export type ApiSchema = GraphQLSchema;

/** What an operation may cost that a tool carries out, by fields or by the weights of its schema. */
const MAX_COST = 200;
/** Far more than such an operation has. */
const MAX_TOKENS = 20_000;
/** Fields as they are written; what they cost is counted first, validating is quadratic in them. */
const MAX_FIELDS = 1_000;
const MAX_FAULTS = 20;

/** What somebody has written for a tool to carry out. */
export interface Written {
  /** A document with one operation. */
  readonly operation: string;
  /** The field whose data is the result, by the name under which it is answered; that of the only one where left out. */
  readonly operationName?: string;
}

/** An operation by itself, before its schema is known. */
export interface ReadOperation {
  readonly kind: 'query' | 'mutation';
  /** Its own name in the document, which is sent along. */
  readonly name: string | undefined;
  /** Under which its result is answered. */
  readonly field: string;
  /** Keys of the endpoints that it calls: of the fields at its root, each once. */
  readonly endpoints: readonly string[];
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/** Reads what holds of an operation under any schema; a text says what is wrong, with line and column. Never throws. */
export function readOperation({ operation, operationName }: Written): ReadOperation | string {
  const document = parsed(operation);
  if (typeof document === 'string') return document;
  const [definition, ...others] = document.definitions.filter(
    (node) => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (definition === undefined || others.length > 0)
    return `The document must have one operation: it has ${String(definition === undefined ? 0 : others.length + 1)}.`;
  const kind = definition.operation;
  if (kind === OperationTypeNode.SUBSCRIPTION)
    return 'A subscription is a stream, nothing that is called once. Write a query or a mutation.';
  const fault = selectionFault(document);
  if (fault !== undefined) return fault;
  const root = rootFields(definition.selectionSet, document);
  const fields = [...root.keys()];
  if (kind === OperationTypeNode.MUTATION && fields.length !== 1)
    return `A mutation has one field at its root: one call changes one thing. This one has ${String(fields.length)}.`;
  const [only = ''] = fields;
  const field = operationName ?? (fields.length === 1 ? only : '');
  if (!fields.includes(field))
    return `operationName must say whose data is the result, one of: ${fields.join(', ')}.`;
  const called = new Set(root.values());
  called.delete('__typename');
  const endpoints = [...called].map((name) => endpointKey(kind, name));
  return { kind, name: definition.name?.value, field, endpoints, document, definition };
}

function selectionFault(document: DocumentNode): string | undefined {
  let selections = 0;
  let introspected: string | undefined;
  visit(document, {
    SelectionSet(node) {
      selections += node.selections.length;
    },
    Field({ name: { value } }) {
      if (value.startsWith('__') && value !== '__typename') introspected = value;
    },
  });
  if (introspected !== undefined) return `${introspected} asks for the schema, which is no tool's to tell.`;
  return selections > MAX_FIELDS ? `The document selects more than ${String(MAX_FIELDS)} fields.` : undefined;
}

/** An operation that its schema takes. */
export interface WrittenOperation extends ReadOperation {
  readonly cost: number;
  /** Why its type does not take some variables, each with the place; none where it does. */
  readonly variableFaults: (variables: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Holds an operation against the schema of its API; texts say what is wrong, with line and column. Never throws. */
export function writtenOperation(
  written: Written,
  schema: GraphQLSchema,
): WrittenOperation | readonly string[] {
  const read = readOperation(written);
  if (typeof read === 'string') return [read];
  const { document, definition, kind } = read;
  if (schema.getRootType(definition.operation) == null) return [`The schema of the API has no ${kind}.`];
  const { fields, weight = fields } = costOf(schema, document, definition);
  if (fields === Infinity) return ['A fragment spreads itself.'];
  if (weight > MAX_COST || fields > MAX_FIELDS) {
    const [cost, most] = weight > MAX_COST ? [weight, MAX_COST] : [fields, MAX_FIELDS];
    return [
      `The operation costs ${String(Math.ceil(cost))}, and at most ${String(most)} are allowed: select fewer fields.`,
    ];
  }
  const faults = validate(schema, document, undefined, { maxErrors: MAX_FAULTS }).map(placed);
  if (faults.length > 0) return faults;
  const declared = definition.variableDefinitions ?? [];
  const known = new Set(declared.map(({ variable }) => variable.name.value));
  return {
    ...read,
    cost: weight,
    variableFaults(variables) {
      const unknown = Object.keys(variables).filter((name) => !known.has(name));
      const { errors = [] } = getVariableValues(schema, declared, variables, { maxErrors: MAX_FAULTS });
      return [
        ...unknown.map((name) => `The operation has no variable $${name}.`),
        ...new Set(errors.map(({ message }) => withoutValue(message))),
      ];
    },
  };
}

/** Leaves out the value, of which every other argument makes another. */
function withoutValue(message: string): string {
  const [, name, rest = ''] = /^Variable "(\$\w+)" got invalid value (.*)$/s.exec(message) ?? [];
  if (name === undefined) return message;
  const end = rest.lastIndexOf('; ');
  const [, path] = / at "([^"]+)"$/.exec(rest.slice(0, end)) ?? [];
  return `${path === undefined ? name : `$${path}`}: ${rest.slice(end + 2)}`;
}

function parsed(text: string): DocumentNode | string {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return placed(error);
    // Selections nested by the thousand.
    if (error instanceof RangeError) return 'The document is nested too deep.';
    throw error;
  }
}

function placed({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const at =
    place === undefined
      ? ''
      : ` (line ${String(place.line)}, column ${String(place.column)} of the operation)`;
  return `${message.slice(0, 500)}${at}`;
}

/** The root fields: names under which they are answered to their own. */
function rootFields(selected: SelectionSetNode, document: DocumentNode): ReadonlyMap<string, string> {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node.selectionSet]),
  );
  const found = new Map<string, string>();
  const left = new Set(fragments.keys());
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) found.set(answeredAs(node), node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (left.delete(node.name.value)) collect(fragments.get(node.name.value));
    }
  };
  collect(selected);
  return found;
}

const answeredAs = ({ alias, name }: FieldNode): string => (alias ?? name).value;
