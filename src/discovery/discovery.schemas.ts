/** What the OpenAPI document says of the answers; the standards have more to say of each. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import type { OperationSpec } from '../platform/http/operation.js';
import { dateTime, objectOf } from '../platform/http/schemas.js';
import type { Shown, ShownSkill } from './shown.js';
import { agentCard } from './standards/agent-card.js';
import { ardManifest } from './standards/ard.js';
import { registryServer, registryServers, serverCard } from './standards/server-json.js';
import { skillsIndex } from './standards/skills-index.js';

/** What all these operations have in common: a token gives more, and none is needed. */
export const discovered = {
  scope: 'none',
  optionalToken: true,
  tag: 'discovery',
} as const satisfies Partial<OperationSpec>;

const texts = { type: 'array', items: { type: 'string' } } as const;
const open = { type: 'object' } as const;
const text = { type: 'string' } as const;
const line = { type: 'string', maxLength: 100 } as const;

const remotes = {
  type: 'array',
  items: objectOf(
    { type: { type: 'string' }, url: { type: 'string' }, headers: { type: 'array', items: open } },
    ['headers'],
  ),
} as const;
const server = {
  ...{ $schema: text, name: text, title: line, description: line, version: text, remotes },
} as const;

export const serverCardAnswer = { title: 'McpServerCard', ...objectOf(server) } as const;
export const serverAnswer = {
  title: 'McpRegistryServer',
  ...objectOf({ server: objectOf(server), _meta: open }),
} as const;
export const serversAnswer = {
  title: 'McpRegistryServers',
  ...objectOf({
    servers: { type: 'array', items: serverAnswer },
    metadata: objectOf({ count: { type: 'integer' }, nextCursor: { type: 'string' } }, ['nextCursor']),
  }),
} as const;

export const serversQuery = {
  type: 'object',
  // The standard gains parameters from version to version; those that are not known say nothing.
  additionalProperties: true,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
    cursor: { type: 'string', maxLength: 200, description: 'nextCursor of the page before.' },
    search: { type: 'string', maxLength: 200, description: 'Part of the name.' },
    updated_since: { ...dateTime, description: 'Only those that have changed since.' },
    version: { type: 'string', maxLength: 255, description: 'latest, or an exact version.' },
  },
} as const satisfies JSONSchema;

export const skillsIndexAnswer = {
  title: 'AgentSkillsIndex',
  ...objectOf({
    $schema: { type: 'string' },
    skills: {
      type: 'array',
      items: objectOf({
        ...{ name: { type: 'string' }, type: { enum: ['skill-md', 'archive'] } },
        ...{ description: { type: 'string' }, url: { type: 'string' } },
        digest: {
          type: 'string',
          description: 'sha256: and 64 hexadecimal digits, of what the address answers.',
        },
      }),
    },
  }),
} as const;

export const agentCardAnswer = {
  title: 'A2aAgentCard',
  ...objectOf({
    ...{ name: { type: 'string' }, description: { type: 'string' }, version: { type: 'string' } },
    ...{ supportedInterfaces: { type: 'array', items: open }, capabilities: open },
    ...{ defaultInputModes: texts, defaultOutputModes: texts, skills: { type: 'array', items: open } },
  }),
} as const;

export const ardAnswer = {
  title: 'AiCatalog',
  ...objectOf({
    ...{ specVersion: { type: 'string' }, host: objectOf({ displayName: { type: 'string' } }) },
    entries: {
      type: 'array',
      items: objectOf(
        {
          ...{ identifier: { type: 'string' }, displayName: { type: 'string' }, type: { type: 'string' } },
          ...{ url: { type: 'string' }, description: { type: 'string' }, version: { type: 'string' } },
          ...{ updatedAt: dateTime, capabilities: texts, representativeQueries: texts },
        },
        ['updatedAt', 'capabilities', 'representativeQueries'],
      ),
    },
  }),
} as const;

const origin = 'https://catalog.example.com';
const prompts = ['What is the balance of account 7?', 'Show my accounts.'];
const common = {
  name: 'accounts',
  title: 'accounts',
  description: 'Accounts of Example Bank.',
  tools: ['getAccount'],
  prompts,
};
const skill: ShownSkill = { ...common, skillId: '0198c0de-0000-7000-8000-00000000c001', version: '1.0.0' };
const gateway = {
  ...{ ...common, url: 'https://gateway.example.com/mcp', version: '1.1.1', needsToken: true },
  updatedAt: '2026-11-21T09:30:00.000Z',
};
const agent = { ...common, url: 'https://agents.example.com/a2a', version: '1.0.0', skills: [skill] };
const shown: Shown = { skills: [skill], gateways: [gateway], agents: [agent] };
const digest = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** What the API document shows of every answer. */
export const discoveryExamples = {
  server: registryServer(origin, gateway),
  servers: registryServers(origin, [gateway], {}),
  serverCard: serverCard(origin, gateway),
  agentCard: agentCard(agent),
  ard: ardManifest(origin, shown, () => 'skill-md'),
  skills: skillsIndex(origin, [[skill, { type: 'skill-md', digest }]]),
  skillMd: '---\nname: accounts\ndescription: Accounts of Example Bank.\n---\nAsk for the number first.\n',
};
