/**
 * The ontology of the graph: kinds of nodes (`ontology.nodes.ts`), relationships, and their properties. The schema
 * answer, the JSON Schema of queries, the names in SQL and docs/graph.md are made of it.
 */
import { nodeTypes } from './ontology.nodes.js';
import {
  boolean,
  choice,
  integer,
  list,
  type NodeType,
  orNull,
  type Pair,
  type Property,
  type RelationshipType,
  text,
} from './ontology.types.js';

export { nodeTypes };

export const relationshipTypes = [
  {
    name: 'HAS_VERSION',
    description: 'An API has a version.',
    properties: [],
    pairs: [{ from: 'Api', to: 'ApiVersion', reference: 'api_id' }],
  },
  {
    name: 'HAS_ENDPOINT',
    description: 'An API version has an endpoint.',
    properties: [],
    pairs: [{ from: 'ApiVersion', to: 'Endpoint', reference: 'api_version_id' }],
  },
  {
    name: 'PROJECTED_AS',
    description: 'An endpoint is published as a tool.',
    properties: [],
    pairs: [{ from: 'Endpoint', to: 'Tool', reference: 'endpoint_id' }],
  },
  {
    name: 'HAS_PARAM',
    description: 'A tool has a parameter.',
    properties: [],
    pairs: [{ from: 'Tool', to: 'ToolParam', reference: 'tool_id' }],
  },
  {
    name: 'USES_TOOL',
    description: 'A skill may use a tool.',
    properties: [
      choice('accessLevel', ['read', 'write', 'execute'], 'What the skill may do with the tool.'),
      orNull(text('version', 'Version of the tool that the skill is given; null where there is none.')),
    ],
    pairs: [{ from: 'Skill', to: 'Tool', link: 'graph_uses_tool' }],
  },
  {
    name: 'USES_WORKFLOW',
    description: 'A skill may start a workflow.',
    properties: [
      list('workflowRoles', 'What it is for: primary, validation, remediation, test.'),
      list('startModes', 'Who starts it: manual, agent, scheduled, portal.'),
    ],
    pairs: [{ from: 'Skill', to: 'Workflow', link: 'graph_uses_workflow' }],
  },
  {
    name: 'DEPENDS_ON',
    description: 'A skill builds on another.',
    properties: [boolean('required', 'Without the other it is withheld.')],
    pairs: [{ from: 'Skill', to: 'Skill', link: 'graph_depends_on' }],
  },
  {
    name: 'EXPOSES',
    description: 'A gateway carries out calls of a tool.',
    properties: [],
    pairs: [{ from: 'Gateway', to: 'Tool', link: 'graph_exposes' }],
  },
  {
    name: 'PARENT_OF',
    description: 'One stands above the other.',
    properties: [],
    pairs: [
      { from: 'Skill', to: 'Skill', reference: 'parent_skill_id' },
      { from: 'Category', to: 'Category', reference: 'parent_category_id' },
    ],
  },
  {
    name: 'ASSIGNED',
    description: 'An agent is given a skill.',
    properties: [
      integer('priority', 'Higher ones come first among those of one sequence.'),
      integer('sequenceId', 'Lower ones come first.'),
    ],
    pairs: [{ from: 'Agent', to: 'Skill', link: 'graph_assigned' }],
  },
  {
    name: 'IN_CATEGORY',
    description: 'Something is found under a category.',
    properties: [],
    pairs: [
      { from: 'Skill', to: 'Category', link: 'graph_skill_in_category' },
      { from: 'Tool', to: 'Category', link: 'graph_tool_in_category' },
      { from: 'Endpoint', to: 'Category', link: 'graph_endpoint_in_category' },
      { from: 'Workflow', to: 'Category', link: 'graph_workflow_in_category' },
    ],
  },
  {
    name: 'HAS_TAG',
    description: 'Something is marked with a tag.',
    properties: [],
    pairs: [
      { from: 'Skill', to: 'Tag', link: 'graph_skill_has_tag' },
      { from: 'Tool', to: 'Tag', link: 'graph_tool_has_tag' },
      { from: 'Endpoint', to: 'Tag', link: 'graph_endpoint_has_tag' },
      { from: 'Workflow', to: 'Tag', link: 'graph_workflow_has_tag' },
    ],
  },
] as const satisfies readonly RelationshipType[];

export type NodeName = (typeof nodeTypes)[number]['name'];
export type RelationshipName = (typeof relationshipTypes)[number]['name'];

/** One kind of edge: a relationship between two kinds of nodes. */
export interface Link {
  readonly type: RelationshipType;
  readonly pair: Pair;
  readonly from: NodeType;
  readonly to: NodeType;
}

/** A link that is walked along its direction or against it. */
export interface Step {
  readonly link: Link;
  readonly forward: boolean;
  readonly start: NodeType;
  readonly end: NodeType;
}

export const nodeNames = nodeTypes.map(({ name }) => name);
export const relationshipNames = relationshipTypes.map(({ name }) => name);

const nodes: ReadonlyMap<string, NodeType> = new Map(nodeTypes.map((type) => [type.name, type]));
const relationships: ReadonlyMap<string, RelationshipType> = new Map(
  relationshipTypes.map((type) => [type.name, type]),
);
const properties: ReadonlyMap<object, ReadonlyMap<string, Property>> = new Map(
  [...nodeTypes, ...relationshipTypes].map((type) => [
    type,
    new Map(type.properties.map((property): [string, Property] => [property.name, property])),
  ]),
);

export function nodeType(name: string): NodeType | undefined {
  return nodes.get(name);
}

/** Finds a node type that the ontology itself names. */
export function knownNodeType(name: string): NodeType {
  const type = nodes.get(name);
  if (type === undefined) throw new Error(`The ontology has no node ${name}.`);
  return type;
}

export function relationshipType(name: string): RelationshipType | undefined {
  return relationships.get(name);
}

export function propertyOf(type: NodeType | RelationshipType, name: string): Property | undefined {
  return properties.get(type)?.get(name);
}

export function idOf(type: NodeType): Property {
  const property = propertyOf(type, 'id');
  if (property === undefined) throw new Error(`${type.name} has no id.`);
  return property;
}

/** Names the column of a property: `sensitivity_tier` of `sensitivityTier`. */
export function columnOf({ name }: Property): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const links: readonly Link[] = relationshipTypes.flatMap((type: RelationshipType) =>
  type.pairs.map((pair) => ({ type, pair, from: knownNodeType(pair.from), to: knownNodeType(pair.to) })),
);

/** Steps from a node: along, against, or both, by the relationships named or by all. */
export function stepsFrom(
  start: NodeType,
  direction: 'outgoing' | 'incoming' | 'both',
  only?: readonly RelationshipType[],
): readonly Step[] {
  const open = only === undefined ? links : links.filter(({ type }) => only.includes(type));
  const along = direction === 'incoming' ? [] : open.filter(({ from }) => from === start);
  const against = direction === 'outgoing' ? [] : open.filter(({ to }) => to === start);
  return [
    ...along.map((link) => ({ link, forward: true, start, end: link.to })),
    ...against.map((link) => ({ link, forward: false, start, end: link.from })),
  ];
}
