import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { likeText } from '../platform/database/visible-rows.js';
import type { AgentAnswer, AgentListQuery } from './agent.schemas.js';
import { visibleAgents } from './agents.filter.js';
import type { AgentRow } from './agents.row.js';

interface AgentPage {
  readonly items: AgentAnswer[];
  readonly nextCursor?: string;
}

export class ListAgents extends Query<AgentPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: AgentListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetAgent extends Query<AgentAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly agentDefId: string,
  ) {
    super();
  }
}

const agents = `(
  SELECT r.*, a.temperature, a.max_tokens, a.aggregate_version, a.update_ts, a.update_user
  FROM agent_read r JOIN agent_definition_t a ON a.host_id = r.host_id AND a.agent_def_id = r.agent_def_id) AS agent`;
interface Row extends AgentRow {
  readonly name: string;
  readonly api_version: string;
  readonly service_id: string;
  readonly env_tag: string;
}

@QueryHandler(ListAgents)
export class ListAgentsHandler implements IQueryHandler<ListAgents> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListAgents): Promise<AgentPage> {
    const { active, serviceId, envTag, q, limit, cursor } = filter;
    const where = visibleAgents(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (serviceId !== undefined) where.add('service_id = ?', serviceId);
    if (envTag !== undefined) where.add('env_tag = ?', envTag);
    if (q !== undefined) where.add('name ILIKE ?', likeText(q));
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: agents, where, text: 'name', id: 'agent_def_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetAgent)
export class GetAgentHandler implements IQueryHandler<GetAgent> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, agentDefId }: GetAgent): Promise<AgentAnswer> {
    const where = visibleAgents(visibility).add('agent_def_id = ?', agentDefId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${agents} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('agent', agentDefId);
    return answerOf(row);
  }
}

function answerOf(row: Row): AgentAnswer {
  return {
    agentDefId: row.agent_def_id,
    name: row.name,
    apiVersion: row.api_version,
    serviceId: row.service_id,
    envTag: row.env_tag,
    modelProvider: row.model_provider,
    modelName: row.model_name,
    temperature: row.temperature,
    maxTokens: row.max_tokens,
    personas: [...row.personas],
    maxSensitivityTier: row.max_sensitivity_tier,
    gatewayIds: [...row.gateway_ids],
    domains: [...row.domains],
    semanticNamespaces: [...row.semantic_namespaces],
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
