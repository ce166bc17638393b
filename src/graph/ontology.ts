/* eslint-disable max-lines -- the one list of all that can be asked for */
/**
 * The graph of the catalog: what kinds of nodes and relationships there are, and what can be asked of each. The one
 * source of the schema answer, the JSON Schema of queries, the names that may stand in SQL, and docs/graph.md.
 *
 * A property `sensitivityTier` is the column `sensitivity_tier` of the node's view (migrations/catalog/0016_graph.sql).
 */
import { boolean, choice, datetime, id, integer, list, number, orNull, text } from './ontology.properties.js';
import type { NodeType, RelationshipType } from './ontology.types.js';

const tiers = ['public', 'internal', 'confidential', 'restricted'] as const;
const apiTypes = ['openapi', 'mcp', 'lightapi', 'openrpc', 'grpc', 'graphql', 'agent'] as const;
const tier = choice('sensitivityTier', tiers, 'How sensitive what it reads or changes is.');
const service = text('serviceId', 'Service that provides it.');
const environment = orNull(text('envTag', 'Environment that it serves; null for every one.'));
const changed = datetime('updatedAt', 'Time of its last change.');
const routing = [
  orNull(text('domain', 'Business domain, parts separated by dots.')),
  orNull(text('semanticNamespace', 'Namespace of its meaning, parts separated by dots.')),
  tier,
  number('semanticWeight', 'How much search prefers it; 1 is neutral.'),
  list('targetPersonas', 'Personas that it is meant for; empty for all.'),
  text('lifecycleStatus', 'Stage of its life: active, deprecated, retired, …'),
  boolean('readOnly', 'It changes nothing.'),
  boolean('idempotent', 'Calling it twice is calling it once.'),
  boolean('destructive', 'It may destroy what can’t be brought back.'),
  boolean('humanApprovalRequired', 'A person has to approve its calls.'),
];

export const nodeTypes = [
  {
    name: 'Api',
    description: 'An API, with all its versions.',
    view: 'graph_api',
    defaults: ['name', 'description'],
    properties: [
      id('text', 'The apiId.'),
      text('name', 'Display name.'),
      orNull(text('description', 'What it is for.')),
      orNull(text('businessGroup', 'Business group that owns it.')),
      orNull(text('lob', 'Line of business.')),
      orNull(text('platform', 'Platform that it runs on.')),
      orNull(text('capability', 'Business capability.')),
      orNull(text('region', 'Region.')),
      changed,
    ],
  },
  {
    name: 'ApiVersion',
    description: 'One version of an API, provided by one service.',
    view: 'graph_api_version',
    byService: true,
    defaults: ['name', 'version', 'apiType', 'serviceId'],
    properties: [
      id('uuid', 'The apiVersionId; of an agent also its agentDefId.'),
      text('name', 'Display name of the API.'),
      text('apiId', 'The API that it is a version of.'),
      text('version', 'Version as its owner writes it.'),
      choice('apiType', apiTypes, 'Kind of description that it comes from.'),
      service,
      environment,
      boolean('quarantine', 'Changes beneath its tools withhold them until they are accepted.'),
      changed,
    ],
  },
  {
    name: 'Endpoint',
    description: 'One operation of an API version.',
    view: 'graph_endpoint',
    byService: true,
    byTier: true,
    defaults: ['name', 'endpoint', 'description'],
    properties: [
      id('uuid', 'The endpointId.'),
      text('name', 'Short name.'),
      text('description', 'What it does.'),
      text('endpoint', 'Key: path@method, method@call, …'),
      text('method', 'HTTP method in lower case, or call.'),
      text('path', 'Templated path.'),
      id('text', 'The API that it belongs to.', 'apiId'),
      id('uuid', 'The API version that it belongs to.', 'apiVersionId'),
      text('sourceProtocol', 'Protocol that it is called by.'),
      ...routing,
      orNull(text('costTier', 'What a call costs.')),
      choice('enrichment', ['none', 'partial', 'full'], 'How much of its meaning is described.'),
      service,
      environment,
      changed,
    ],
  },
  {
    name: 'Tool',
    description: 'A published capability that skills may use.',
    view: 'graph_tool',
    byService: true,
    byTier: true,
    defaults: ['name', 'description', 'version'],
    properties: [
      id('uuid', 'The toolId.'),
      text('name', 'Name by which agents call it.'),
      text('description', 'What it does and when to use it.'),
      text('version', 'Semantic version.'),
      text('implementationType', 'How it is carried out: endpoint, python, …'),
      orNull(text('sourceProtocol', 'Protocol of its endpoint.')),
      orNull(id('uuid', 'The endpoint that it was made of.', 'endpointId')),
      orNull(id('uuid', 'The API version of that endpoint.', 'apiVersionId')),
      orNull(text('capabilityRef', 'Reference to a capability outside of the catalog.')),
      ...routing,
      boolean('changed', 'Something beneath it has changed, and nobody has accepted it yet.'),
      orNull(text('changeGrade', 'How grave that change is.')),
      orNull(text('serviceId', 'Service that provides it; null for a script.')),
      environment,
      changed,
    ],
  },
  {
    name: 'ToolParam',
    description: 'A top-level parameter of a tool.',
    view: 'graph_tool_param',
    belongsTo: { node: 'Tool', property: 'toolId' },
    byService: true,
    byTier: true,
    defaults: ['name', 'paramType', 'required'],
    properties: [
      id('uuid', 'Id of the parameter.'),
      text('name', 'Name of the parameter.'),
      id('uuid', 'The tool that it belongs to.', 'toolId'),
      text('paramType', 'JSON type.'),
      boolean('required', 'The tool can’t be called without it.'),
      orNull(text('description', 'What it means.')),
      integer('orderIndex', 'Its place among the parameters, from 0.'),
    ],
  },
  {
    name: 'Skill',
    description: 'Instructions that tell an agent how to use tools.',
    view: 'graph_skill',
    defaults: ['name', 'description', 'version'],
    properties: [
      id('uuid', 'The skillId.'),
      text('name', 'Name.'),
      text('description', 'When to use it.'),
      text('version', 'Semantic version.'),
      text('contentMarkdown', 'The instructions.'),
      orNull(id('uuid', 'The skill that it stands below.', 'parentSkillId')),
      changed,
    ],
  },
  {
    name: 'Agent',
    description: 'A program that is given skills: the profile of an API version of type agent.',
    view: 'graph_agent',
    byService: true,
    defaults: ['name', 'version', 'maxSensitivityTier'],
    properties: [
      id('uuid', 'The agentDefId.'),
      text('name', 'Display name.'),
      text('version', 'Version as its owner writes it.'),
      service,
      text('envTag', 'Environment that it works in.'),
      orNull(text('modelProvider', 'Who runs its model.')),
      orNull(text('modelName', 'Its model.')),
      choice('maxSensitivityTier', tiers, 'The highest tier that it is given.'),
      list('personas', 'Personas that it takes.'),
      list('domains', 'Domains that it is confined to; empty for all.'),
    ],
  },
  {
    name: 'Workflow',
    description: 'A defined sequence of steps that skills start.',
    view: 'graph_workflow',
    defaults: ['name', 'namespace', 'version', 'status'],
    properties: [
      id('uuid', 'The wfDefId.'),
      text('name', 'Name.'),
      text('namespace', 'Namespace of the name.'),
      text('version', 'Version of the definition.'),
      text('status', 'Stage of its life: DRAFT, PUBLISHED, DEPRECATED.'),
      changed,
    ],
  },
  {
    name: 'Gateway',
    description: 'A gateway that carries out calls of tools for one service and environment.',
    view: 'graph_gateway',
    byService: true,
    defaults: ['serviceId', 'envTag', 'maxSensitivityTier'],
    properties: [
      id('uuid', 'The gatewayId.'),
      service,
      text('envTag', 'Environment that it works in.'),
      choice('maxSensitivityTier', tiers, 'The highest tier that it carries out.'),
      changed,
    ],
  },
  {
    name: 'Category',
    description: 'A heading that things of one kind are found under.',
    view: 'graph_category',
    defaults: ['name', 'entityType'],
    properties: [
      id('uuid', 'The categoryId.'),
      text('name', 'Name.'),
      orNull(text('description', 'What belongs here.')),
      text('entityType', 'Kind of thing that it is for: skill, tool, endpoint, workflow.'),
      orNull(id('uuid', 'The category that it stands below.', 'parentCategoryId')),
    ],
  },
  {
    name: 'Tag',
    description: 'A word that things of one kind are marked with.',
    view: 'graph_tag',
    defaults: ['name', 'entityType'],
    properties: [
      id('uuid', 'The tagId.'),
      text('name', 'The word.'),
      orNull(text('description', 'What it means.')),
      text('entityType', 'Kind of thing that it is for: skill, tool, endpoint, workflow.'),
    ],
  },
] as const satisfies readonly NodeType[];

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
    properties: [choice('accessLevel', ['read', 'write', 'execute'], 'What the skill may do with the tool.')],
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
