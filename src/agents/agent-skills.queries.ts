import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type { AgentSkillAnswer, AgentSkillListQuery } from './agent-skill.schemas.js';
import type { AgentSkillRow } from './agent-skills.row.js';
import { visibleAgents } from './agents.filter.js';

interface AgentSkillPage {
  readonly items: AgentSkillAnswer[];
  readonly nextCursor?: string;
}

/** Throws NotFound where there is no such agent. */
export class ListAgentSkills extends Query<AgentSkillPage> {
  constructor(
    readonly visibility: Visibility,
    readonly agentDefId: string,
    readonly filter: AgentSkillListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetAgentSkill extends Query<AgentSkillAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly agentDefId: string,
    readonly skillId: string,
  ) {
    super();
  }
}

/** Assignments with what a reader's token is compared with: the agent's service and environment. */
const assignments = `(
  SELECT x.*, s.name AS skill_name, s.active AS skill_active, a.service_id, a.env_tag, EXISTS (
    SELECT FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
    WHERE l.host_id = x.host_id AND l.skill_id = x.skill_id AND l.active AND t.active) AS skill_has_active_tool
  FROM agent_skill_t x
  JOIN agent_read a ON a.host_id = x.host_id AND a.agent_def_id = x.agent_def_id
  JOIN skill_read s ON s.host_id = x.host_id AND s.skill_id = x.skill_id) AS assignment`;
interface Row extends AgentSkillRow {
  readonly skill_name: string;
  readonly skill_active: boolean;
  readonly skill_has_active_tool: boolean;
}

@QueryHandler(ListAgentSkills)
export class ListAgentSkillsHandler implements IQueryHandler<ListAgentSkills> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, agentDefId, filter }: ListAgentSkills): Promise<AgentSkillPage> {
    const { active, limit, cursor } = filter;
    const agent = visibleAgents(visibility).add('agent_def_id = ?', agentDefId);
    const found = await this.database
      .of(visibility.hostId)
      .query(`SELECT FROM agent_read ${agent.sql()}`, agent.values);
    if (found.length === 0) throw new NotFound('agent', agentDefId);
    const where = visibleAssignments(visibility, agentDefId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: assignments, where, text: 'skill_name', id: 'skill_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetAgentSkill)
export class GetAgentSkillHandler implements IQueryHandler<GetAgentSkill> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, agentDefId, skillId }: GetAgentSkill): Promise<AgentSkillAnswer> {
    const where = visibleAssignments(visibility, agentDefId).add('skill_id = ? AND active', skillId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${assignments} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound(`assignment to agent ${agentDefId} of skill`, skillId);
    return answerOf(row);
  }
}

function visibleAssignments(visibility: Visibility, agentDefId: string): Conditions {
  const where = visibleAgents(visibility).add('agent_def_id = ?', agentDefId);
  const { within } = visibility;
  return within === undefined ? where : where.add('skill_id = ANY(?::uuid[])', within.skillIds);
}

function answerOf(row: Row): AgentSkillAnswer {
  return {
    agentDefId: row.agent_def_id,
    skillId: row.skill_id,
    skillName: row.skill_name,
    skillActive: row.skill_active,
    skillHasActiveTool: row.skill_has_active_tool,
    config: row.config,
    priority: row.priority,
    sequenceId: row.sequence_id,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
