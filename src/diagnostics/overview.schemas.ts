import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../platform/http/schemas.js';
import { ailingSkill, ailingSkillExample } from './diagnostics.schemas.js';

const string = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The first few of a kind, and whether there are more. */
const few = <Item extends JSONSchema>(items: Item, description: string) =>
  ({ ...objectOf({ items: { type: 'array', items }, more: { type: 'boolean' } }), description }) as const;

const counts = objectOf({
  ...{ apis: count, endpoints: count, tools: count, skills: count, agents: count, gateways: count },
  assignments: { ...count, description: 'Active skills of active agents.' },
  exposures: { ...count, description: 'Tools that gateways carry out.' },
});

const begun = objectOf({
  inactiveSkill: {
    ...objectOf({ skillId: uuid, name: string }),
    type: ['object', 'null'],
    description: 'The last written one that is not active.',
  },
  agent: {
    ...objectOf({ agentDefId: uuid, name: string, skills: count }),
    type: ['object', 'null'],
    description: 'The agent that was written last, with how many active skills it has.',
  },
});

const waiting = objectOf(
  {
    reviews: few(
      objectOf({
        ...{ toolId: uuid, name: string, version: string, authors: { type: 'array', items: string } },
        evaluated: { type: ['boolean', 'null'], description: 'Whether it passed; null: not evaluated.' },
        reach: objectOf({ skills: count, agents: count, gateways: count }),
      }),
      'Versions of tools that wait for a review.',
    ),
    changedTools: few(
      objectOf({
        ...{ toolId: uuid, name: string },
        withheld: { type: 'boolean', description: 'Whether agents are not given it meanwhile.' },
      }),
      'Tools whose source says something else than what was accepted, without those in review.',
    ),
    conflicts: few(
      objectOf({ endpointId: uuid, name: string, apiId: string, endpoint: string }),
      'Endpoints of which a source offers something else than what is kept.',
    ),
    gateways: few(
      objectOf({
        ...{ gatewayId: uuid, serviceId: string, envTag: string },
        failure: { type: ['string', 'null'], description: 'Why it could not be asked.' },
        toolNames: { type: 'array', items: string },
      }),
      'Gateways that differed from the catalog, or gave no answer, when they were last checked.',
    ),
    skills: few(ailingSkill, 'Active skills with tools that can’t be called.'),
    evaluations: few(
      objectOf({
        ...{ id: uuid, dataSet: string, hit1: { type: 'number' }, forbiddenHits: count },
        before: { type: ['number', 'null'], description: 'hit1 of the run before.' },
      }),
      'Last runs that found less than the one before, or what must not be found.',
    ),
    webhooks: few(
      objectOf({ webhookId: uuid, url: string, count, lastError: { type: ['string', 'null'] } }),
      'Webhooks with deliveries that were given up.',
    ),
  },
  ['reviews', 'changedTools', 'conflicts', 'gateways', 'skills', 'evaluations', 'webhooks'],
);

export const overviewAnswer = { title: 'Overview', ...objectOf({ counts, begun, waiting }) } as const;
export type OverviewAnswer = FromSchema<typeof overviewAnswer>;

const tool = { toolId: '0198c0de-0000-7000-8000-00000000c001', name: 'getAccountByNo' };

export const overviewExample = {
  counts: {
    ...{ apis: 4, endpoints: 212, tools: 87, skills: 12, agents: 5, gateways: 1 },
    ...{ assignments: 9, exposures: 80 },
  },
  begun: {
    inactiveSkill: null,
    agent: { agentDefId: '0198c0de-0000-7000-8000-00000000a001', name: 'Account Agent', skills: 2 },
  },
  waiting: {
    reviews: {
      items: [
        {
          ...{ ...tool, version: '2.0.0', authors: ['ada'], evaluated: null },
          reach: { skills: 1, agents: 2, gateways: 0 },
        },
      ],
      more: false,
    },
    skills: { items: [ailingSkillExample], more: false },
  },
};
