import { type Deactivated, deactivation, impactRoute } from '../endpoints/public.js';
import { deactivationAnswer, impactExample } from '../endpoints/shared.js';
import { Invalid, RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { knownGateways } from '../gateways/public.js';
import { refuseLessGuarded } from '../platform/auth/claims.js';
import { exceeds } from '../platform/auth/sensitivity-tier.js';
import { text, uuid } from '../platform/http/schemas.js';
import { idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { refuseSecretsIn } from '../platform/validation/secrets-in-texts.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { agentExample, agentReceipt, profileExample } from './agent.examples.js';
import { agentProfile, type AgentProfile } from './agent.fields.js';
import { agentTierOf, coveredVersion, requireAgent, visibleAgents } from './agents.filter.js';

/** The profile of an API version of type `agent`, under the version's id. An inactive agent is given nothing. */
export const agent = record(
  {
    name: 'AgentDefinition',
    noun: 'agent',
    table: 'agent_definition_t',
    id: {
      agentDefId: {
        ...idField,
        answered: { ...uuid, description: 'Id of the API version that the profile belongs to.' },
      },
    },
    fixed: {},
    fields: agentProfile,
    lifecycle: 'switched',
    touches: 'itself',
    events: { activated: 'AgentActivatedEvent', deactivated: 'AgentDeactivatedEvent' },
  },
  {
    // The profile of an inactive agent may be written: it stays inactive.
    write({ id }, { apiType }: { readonly apiType: string }) {
      if (apiType === 'agent') return;
      const detail = `API version ${id} is of type ${apiType}; only versions of type agent have a profile.`;
      throw new RuleBroken('not_an_agent', detail);
    },
  },
);

interface Id {
  readonly agentDefId: string;
}

/** Writes the whole profile. */
export class PutAgent extends UseCase<Id & AgentProfile> {}
export class ActivateAgent extends UseCase<Id> {}
/** Switches an agent off, which is always allowed; profile and assignments stay. */
export class DeactivateAgent extends UseCase<Id, Deactivated> {}

export const agentHandlers = [
  ...recordHandlers(
    agent,
    { put: PutAgent, activate: ActivateAgent },
    {
      check: refuseSecretsIn,
      requireSeen: (sql, { visibility }, id) => requireAgent(sql, visibility, id),
      async facts(sql, { caller }, { id, given: { gatewayIds = [], maxSensitivityTier = 'internal' } }) {
        const { apiType } = await coveredVersion(sql, caller, id);
        const tier = await agentTierOf(sql, caller.hostId, id);
        await requireKnown(sql, caller.hostId, gatewayIds);
        refuseLessGuarded(caller, exceeds(maxSensitivityTier, tier ?? 'internal'));
        return { apiType };
      },
    },
  ),
  deactivation(DeactivateAgent, {
    ...{ kind: 'agent', id: 'agentDefId', requireSeen: requireAgent },
    command: (hostId, agentDefId) => agent.deactivate(hostId, agentDefId),
  }),
];

/** Throws Invalid with each gateway that the host does not have: the agent would silently be given no tool. */
async function requireKnown(sql: Sql, hostId: string, gatewayIds: readonly string[]): Promise<void> {
  if (gatewayIds.length === 0) return;
  const known = await knownGateways(sql, hostId, gatewayIds);
  const faults = gatewayIds.flatMap((gatewayId, index) =>
    known.has(gatewayId)
      ? []
      : [{ pointer: `/gatewayIds/${String(index)}`, detail: `There is no gateway ${gatewayId}.` }],
  );
  if (faults.length > 0)
    throw new Invalid('invalid_body', 'The profile names gateways that are not there.', faults);
}

export const agentReads = new RecordReads(agent.spec, {
  visible: visibleAgents,
  from: `(
    SELECT r.*, a.temperature, a.max_tokens, a.aggregate_version, a.update_ts, a.update_user
    FROM agent_read r JOIN agent_definition_t a ON a.host_id = r.host_id AND a.agent_def_id = r.agent_def_id) AS agent`,
  shows: {
    name: { sql: 'name', schema: { type: 'string', description: 'Display name: that of the API.' } },
    apiVersion: { sql: 'api_version', schema: { type: 'string' } },
    serviceId: { sql: 'service_id', schema: { type: 'string' } },
    envTag: { sql: 'env_tag', schema: { type: 'string' } },
    active: {
      sql: 'active',
      schema: { type: 'boolean', description: 'False: the agent, its API version or its API is inactive.' },
    },
  },
  orderBy: 'name',
  filters: {
    serviceId: { ...text(512), description: 'Only the agents of this service.' },
    envTag: { ...text(64), description: 'Only the agents of this environment.' },
  },
  search: { in: ['name'], description: 'Words of the name, or parts of them.' },
});

const hit = { ...impactExample, tools: [], skills: [] };

export const agentRoutes = [
  ...recordRoutes(agentReads, {
    path: 'agents',
    operations: { many: 'AgentDefinitions' },
    list: {
      description: 'Those whose service and environment the token covers, ordered by name.',
      example: { envTag: 'prod' },
    },
    put: {
      useCase: PutAgent,
      summary: 'Write the profile of an agent',
      description:
        'The id is that of an API version of type `agent` (`not_an_agent` otherwise). Writes the whole profile: 201 ' +
        'where it is the first; what is left out takes its default. Raising the tier also needs catalog:admin.',
    },
    deactivate: {
      useCase: DeactivateAgent,
      summary: 'Switch an agent off',
      description:
        'Its catalog is empty until it is activated again; profile and assignments stay, and may be changed meanwhile. ' +
        'The answer says what it is no longer given.',
      answer: deactivationAnswer,
      example: { answer: { impact: hit } },
    },
    activate: {
      useCase: ActivateAgent,
      summary: 'Switch an agent on again',
      description: 'It is given its skills again where its API version and its API are active.',
    },
    example: { body: profileExample, answer: agentExample, receipt: agentReceipt },
  }),
  impactRoute(
    'agents/:agentDefId',
    { kind: 'agent', requireSeen: (...asked) => agentReads.get(...asked) },
    {
      id: 'getAgentDefinitionImpact',
      noun: 'an agent',
      description: 'The skills that it would no longer be given; empty where it is inactive already.',
      example: hit,
    },
  ),
];
