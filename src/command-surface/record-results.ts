/** What the commands on catalogs and their parts answer: as an agent is given it, or the record of the host. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { catalogAnswer } from '../effective-catalog/effective-catalog.schemas.js';
import { routingFacts } from '../formats/endpoint-facts.js';

const skill = catalogAnswer.properties.skills.items;
const tool = skill.properties.tools.items;
const { toolId, name, description, accessLevel, safety } = tool.properties;

export const catalogResult = {
  ...catalogAnswer,
  required: [...catalogAnswer.required, 'etag'],
  properties: {
    ...catalogAnswer.properties,
    etag: { type: 'string', description: 'Equal content, equal tag.' },
  },
} as const satisfies JSONSchema;

const both = ' Members that are not required are told where an agent is meant.';

/** With its tools in brief. */
export const skillResult = {
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

/** Null in an agent's catalog where nobody has said it; missing from the host's record then. */
const { domain, semanticNamespace, category, semanticDescription, fallbackEndpoint } =
  tool.properties.routingMetadata.properties;

export const toolResult = {
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
