/** The schema of the graph as an answer, in as much detail as is wanted, and as the page docs/graph.md. Pure. */
import { canonicalJson, sha256Hex } from '../kernel/canonical-json.js';
import { Invalid } from '../kernel/errors.js';
import { links, nodeNames, nodeTypes, relationshipNames, relationshipTypes } from './ontology.js';
import type { NodeType, Property, PropertyKind, RelationshipType } from './ontology.types.js';
import { queryLanguageVersion } from './reading/query.schema.js';

const format = 'portal_catalog.schema.v1';
/** Revision, which changes with the ontology. */
export const revision = `${queryLanguageVersion}#${sha256Hex(canonicalJson([nodeTypes, relationshipTypes])).slice(0, 12)}`;

export interface SchemaOptions {
  /** Expands everything. */
  readonly expand_schema?: boolean;
  readonly expand_nodes?: readonly string[];
  readonly expand_relationship_types?: readonly string[];
  /** Revision of the caller: while it is current, only what is expanded is given. */
  readonly revision?: string;
}

export interface PropertyAnswer extends Pick<
  Property,
  'name' | 'description' | 'nullable' | 'values' | 'operators'
> {
  readonly type: string;
}

interface Expanded {
  readonly description: string;
  readonly properties: readonly PropertyAnswer[];
}

interface ExpandedNode extends Expanded {
  readonly name: string;
  readonly default_columns: readonly string[];
  readonly relationships: { readonly outgoing: readonly string[]; readonly incoming: readonly string[] };
}

interface RelationshipEnds {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface SchemaAnswer {
  readonly format: string;
  readonly revision: string;
  /** Set where the caller's revision is current. */
  readonly unchanged?: true;
  readonly node_types?: readonly ({ readonly name: string } | ExpandedNode)[];
  readonly relationship_types?: readonly (RelationshipEnds | (RelationshipEnds & Expanded))[];
}

/** Throws Invalid where a name is not one of the graph's. */
export function schemaAnswer(options: SchemaOptions): SchemaAnswer {
  refuseUnknown('expand_nodes', options.expand_nodes ?? [], nodeNames);
  refuseUnknown('expand_relationship_types', options.expand_relationship_types ?? [], relationshipNames);
  const wanted = (name: string, names: readonly string[] = []): boolean =>
    options.expand_schema === true || names.includes(name);
  const node_types = nodeTypes.map((type: NodeType) =>
    wanted(type.name, options.expand_nodes) ? expandedNode(type) : { name: type.name },
  );
  const relationship_types = links.map(({ type, from, to }) => ({
    ...{ name: type.name, from: from.name, to: to.name },
    ...(wanted(type.name, options.expand_relationship_types) && expandedRelationship(type)),
  }));
  if (options.revision !== revision) return { format, revision, node_types, relationship_types };
  const nodes = node_types.filter((node) => 'properties' in node);
  const types = relationship_types.filter((type) => 'properties' in type);
  return {
    ...{ format, revision, unchanged: true },
    ...(nodes.length > 0 && { node_types: nodes }),
    ...(types.length > 0 && { relationship_types: types }),
  };
}

function expandedNode(type: NodeType): ExpandedNode {
  const names = (which: 'from' | 'to'): string[] => [
    ...new Set(links.filter((link) => link[which] === type).map((link) => link.type.name)),
  ];
  return {
    name: type.name,
    description: type.description,
    default_columns: ['id', ...type.defaults],
    properties: type.properties.map(propertyAnswer),
    relationships: { outgoing: names('from'), incoming: names('to') },
  };
}

function expandedRelationship({ description, properties }: RelationshipType): Expanded {
  return { description, properties: properties.map(propertyAnswer) };
}

const typeNames: Readonly<Record<PropertyKind, string>> = {
  id: 'id',
  text: 'string',
  choice: 'enum',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  datetime: 'datetime',
  list: 'string[]',
};

function propertyAnswer({ name, description, kind, nullable, values, operators }: Property): PropertyAnswer {
  return {
    ...{ name, type: typeNames[kind], nullable, description },
    ...(values !== undefined && { values }),
    operators,
  };
}

function refuseUnknown(member: string, names: readonly string[], known: readonly string[]): void {
  const faults = names.flatMap((name, index) =>
    known.includes(name)
      ? []
      : [{ pointer: `/${member}/${index}`, detail: `must be one of ${known.join(', ')}` }],
  );
  const [first] = faults;
  if (first === undefined) return;
  throw new Invalid(
    'unknown_graph_name',
    `The schema has no such name: ${first.pointer} ${first.detail}.`,
    faults,
  );
}

const head = `# The graph of the catalog

Made of \`src/graph/ontology.ts\` by \`npm run openapi\`; query language ${queryLanguageVersion}. How queries are written and answered:
[contract, 11](contract.md). A property of the kind \`id\` names a node; \`list\` is a list of texts.`;

export function graphPage(): string {
  const runs = links.map(
    ({ type, from, to }) => `| \`${type.name}\` | ${from.name} | ${to.name} | ${type.description} |`,
  );
  return [
    head,
    '## Relationships',
    ['| name | from | to | meaning |', '|---|---|---|---|', ...runs].join('\n'),
    ...relationshipTypes.filter(({ properties }) => properties.length > 0).map(section),
    '## Nodes',
    ...nodeTypes.map(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function section({ name, description, properties }: NodeType | RelationshipType): string {
  const rows = [
    '| property | kind | null | operators | meaning |',
    '|---|---|---|---|---|',
    ...properties.map(rowOf),
  ];
  return `### ${name}\n\n${description}\n\n${rows.join('\n')}`;
}

function rowOf({ name, kind, nullable, operators, values, description }: Property): string {
  const choices = values === undefined ? '' : ` One of ${values.join(', ')}.`;
  return `| \`${name}\` | ${kind} | ${nullable ? 'yes' : ''} | ${operators.join(' ')} | ${description}${choices} |`;
}
