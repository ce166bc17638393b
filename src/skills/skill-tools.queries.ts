import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import type { SkillToolAnswer, SkillToolListQuery } from './skill-tool.schemas.js';
import type { SkillToolRow } from './skill-tools.row.js';
import { refuseUnseen, requireSkill } from './skills.filter.js';

interface SkillToolPage {
  readonly items: SkillToolAnswer[];
  readonly nextCursor?: string;
}

/** Throws NotFound where there is no such skill. */
export class ListSkillTools extends Query<SkillToolPage> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
    readonly filter: SkillToolListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetSkillTool extends Query<SkillToolAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
    readonly toolId: string,
  ) {
    super();
  }
}

/** Links with what a reader's token is compared with. */
const linkedTools = `(
  SELECT l.*, t.name AS tool_name, t.active AS tool_active, t.service_id, t.env_tag, t.sensitivity_tier
  FROM skill_tool_t l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id) AS linked`;
type Row = SkillToolRow & { readonly tool_name: string; readonly tool_active: boolean };

@QueryHandler(ListSkillTools)
export class ListSkillToolsHandler implements IQueryHandler<ListSkillTools> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId, filter }: ListSkillTools): Promise<SkillToolPage> {
    const { active, limit, cursor } = filter;
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    const where = visibleLinks(visibility, skillId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: linkedTools, where, text: 'tool_name', id: 'tool_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetSkillTool)
export class GetSkillToolHandler implements IQueryHandler<GetSkillTool> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId, toolId }: GetSkillTool): Promise<SkillToolAnswer> {
    refuseUnseen(visibility, skillId);
    const where = visibleLinks(visibility, skillId).add('tool_id = ? AND active', toolId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${linkedTools} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound(`link of skill ${skillId} to tool`, toolId);
    return answerOf(row);
  }
}

/** A link is seen by who sees its tool; of an agent's token by who is given the tool with this skill. */
function visibleLinks(visibility: Visibility, skillId: string): Conditions {
  return visibleRows(visibility, {
    limits: ['services', 'environments', 'tiers'],
    confined: ['tool_id', ({ links }) => links.get(skillId)?.toolIds ?? []],
  }).add('skill_id = ?', skillId);
}

function answerOf(row: Row): SkillToolAnswer {
  return {
    skillId: row.skill_id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    toolActive: row.tool_active,
    accessLevel: row.access_level,
    config: row.config,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
