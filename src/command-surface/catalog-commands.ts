/** Declares the commands on agents' catalogs: names, parameters, results. Pure. */
import { agentReport } from '../diagnostics/shared.js';
import { catalogAnswer, explanationAnswer, explanationQuery } from '../effective-catalog/shared.js';
import { newSkill, skillToolBody, skillToolReceipt } from '../skills/shared.js';
import { agentSkillFields } from '../agents/shared.js';
import { shownOf } from '../platform/records/fields.js';
import { receiptAnswer, text, uuid } from '../platform/http/schemas.js';
import { searchAnswer, searchBody } from '../search/shared.js';
import type { CommandSpec } from './agent-command.js';
import { readers } from './graph-commands.js';
import type { JSONSchema } from 'json-schema-to-ts';
import { routingFacts } from '../formats/shared.js';

const skill = catalogAnswer.properties.skills.items;
const tool = skill.properties.tools.items;
const { toolId, name, description, accessLevel, safety } = tool.properties;

const catalogResult = {
  ...catalogAnswer,
  required: [...catalogAnswer.required, 'etag'],
  properties: {
    ...catalogAnswer.properties,
    etag: { type: 'string', description: 'Equal content, equal tag.' },
  },
} as const satisfies JSONSchema;

const both = ' Members that are not required are given where an agent is meant.';

/** A skill with its tools in short. */
const skillResult = {
  ...skill,
  description: `A skill.${both}`,
  required: ['skillId', 'name', 'description', 'contentMarkdown', 'version', 'tools'],
  properties: {
    ...skill.properties,
    tools: {
      type: 'array',
      description: 'By name, then id; get_tool tells the rest.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['toolId', 'name', 'description', 'accessLevel', 'safety'],
        properties: { toolId, name, description, accessLevel, safety },
      },
    },
  },
} as const satisfies JSONSchema;

/** Fields that are null in an agent's catalog, and missing from the host's record, where they are not set. */
const { domain, semanticNamespace, category, semanticDescription, fallbackEndpoint } =
  tool.properties.routingMetadata.properties;

const toolResult = {
  ...tool,
  description: `A tool.${both}`,
  required: [
    ...(['toolId', 'name', 'description', 'version', 'implementationType', 'lifecycleStatus'] as const),
    ...(['inputSchema', 'params', 'routingMetadata', 'safety'] as const),
  ],
  properties: {
    ...tool.properties,
    routingMetadata: {
      ...routingFacts,
      properties: {
        ...routingFacts.properties,
        ...{ domain, semanticNamespace, category, semanticDescription, fallbackEndpoint },
      },
    },
  },
} as const satisfies JSONSchema;

const reading = { scope: readers, writes: false, execution: 'direct' } as const;
const authoring = {
  scope: ['catalog:write'],
  writes: true,
  execution: 'direct',
  result: receiptAnswer,
} as const;

const administering = { scope: ['catalog:admin'], writes: false, confined: 'refused' } as const;
const { prompt, filters, context, limit, explain } = searchBody.properties;
const searching = {
  ...reading,
  result: searchAnswer,
  properties: { prompt, filters, context, limit, explain },
  required: ['prompt'],
} as const;

export const catalogSpecs = [
  {
    ...reading,
    name: 'get_effective_catalog',
    result: catalogResult,
    summary: 'All skills and tools that the agent is given',
    description:
      'The agent’s whole effective catalog with instructions and schemas. Large: search_tools, find_nodes, get_skill and get_tool give parts of it.',
    properties: {
      serviceId: { ...text(512), description: 'Service that the agent is registered for.' },
      envTag: { ...text(64), description: 'Environment that the agent is registered for.' },
      context: {
        type: 'string',
        maxLength: 4000,
        description: 'Names of the context at hand, comma-separated.',
      },
      examples: { type: 'boolean', description: 'Adds example prompts.' },
    },
  },
  {
    ...searching,
    name: 'search_tools',
    summary: 'The right tools for a prompt, best first',
    description:
      'Tools that fit what is wanted, ranked; get_tool tells how one is called. Say it as a person would.',
  },
  {
    ...searching,
    name: 'search_skills',
    summary: 'The right skills for a prompt, best first',
    description: 'Skills that fit what is wanted, ranked; get_skill gives the instructions of one.',
  },
  {
    ...reading,
    name: 'get_skill',
    result: skillResult,
    summary: 'One skill: instructions and tools',
    description: 'A skill by its id or its name: instructions, and the tools that it uses.',
    properties: { skillId: uuid, name: text(126) },
  },
  {
    ...reading,
    name: 'get_tool',
    result: toolResult,
    summary: 'One tool: schemas, safety, routing',
    description: 'A tool by its id or its name: input schema, parameters, safety and routing.',
    properties: { toolId: uuid, name: text(64) },
  },
  {
    ...authoring,
    name: 'draft_skill',
    summary: 'Write a new skill',
    description: 'Writes a skill; link_tool gives it tools, assign_skill gives it to an agent.',
    properties: newSkill.properties,
    required: newSkill.required ?? [],
  },
  {
    ...authoring,
    result: skillToolReceipt,
    name: 'link_tool',
    idempotent: true,
    overwrites: true,
    summary: 'Let a skill use a tool',
    description:
      'Writes the link between a skill and a tool; what is left out takes its default. With dryRun it says whom the range moves.',
    properties: { skillId: uuid, toolId: uuid, ...skillToolBody.properties },
    required: ['skillId', 'toolId'],
  },
  {
    ...authoring,
    name: 'assign_skill',
    idempotent: true,
    overwrites: true,
    summary: 'Give a skill to an agent',
    description:
      'Assigns a skill that is active and has an active tool. On other terms than it is assigned, only with the expectedVersion of the assignment.',
    properties: { agentDefId: uuid, skillId: uuid, ...shownOf(agentSkillFields) },
    required: ['agentDefId', 'skillId'],
  },
  {
    ...administering,
    name: 'explain_disclosure',
    execution: 'direct',
    result: explanationAnswer,
    summary: 'Why an agent is given a tool, or not',
    description:
      'For one tool, each skill of the agent that offers it, and for each every rule with what it compared. The first rule that withholds gives the reason.',
    properties: explanationQuery.properties,
    required: ['tool'],
  },
  {
    ...administering,
    name: 'diagnose_agent',
    execution: 'intercepted',
    route: 'GET /v1/hosts/{hostId}/diagnostics/agents/{agentDefId}',
    reachesOut: true,
    result: agentReport,
    summary: 'Tools that an agent could not call now, and why',
    description:
      'Asks the agent’s live gateways and compares what they list with its catalog; tells what that withholds, too.',
    properties: {},
  },
] as const satisfies readonly CommandSpec[];

export type CatalogCommandName = (typeof catalogSpecs)[number]['name'];
