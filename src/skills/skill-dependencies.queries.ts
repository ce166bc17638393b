import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import type { SkillDependencyRow } from './skill-dependencies.row.js';
import type { SkillDependencyAnswer, SkillDependencyListQuery } from './skill-dependency.schemas.js';
import { refuseUnseen, requireSkill } from './skills.filter.js';

interface SkillDependencyPage {
  readonly items: SkillDependencyAnswer[];
  readonly nextCursor?: string;
}

/** Throws NotFound where there is no such skill. */
export class ListSkillDependencies extends Query<SkillDependencyPage> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
    readonly filter: SkillDependencyListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetSkillDependency extends Query<SkillDependencyAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
    readonly dependsOnSkillId: string,
  ) {
    super();
  }
}

const dependencies = `(
  SELECT d.*, s.name AS skill_name, s.active AS skill_active
  FROM skill_dependency_t d
  JOIN skill_t s ON s.host_id = d.host_id AND s.skill_id = d.depends_on_skill_id) AS dependency`;
type Row = SkillDependencyRow & { readonly skill_name: string; readonly skill_active: boolean };

@QueryHandler(ListSkillDependencies)
export class ListSkillDependenciesHandler implements IQueryHandler<ListSkillDependencies> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId, filter }: ListSkillDependencies): Promise<SkillDependencyPage> {
    const { active, limit, cursor } = filter;
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    const where = visibleDependencies(visibility, skillId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: dependencies, where, text: 'skill_name', id: 'depends_on_skill_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetSkillDependency)
export class GetSkillDependencyHandler implements IQueryHandler<GetSkillDependency> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({
    visibility,
    skillId,
    dependsOnSkillId,
  }: GetSkillDependency): Promise<SkillDependencyAnswer> {
    refuseUnseen(visibility, skillId);
    const where = visibleDependencies(visibility, skillId)
      .add('active')
      .add('depends_on_skill_id = ?', dependsOnSkillId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${dependencies} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound(`dependency of skill ${skillId} on skill`, dependsOnSkillId);
    return answerOf(row);
  }
}

/** A dependency is seen by who sees the skill at its other end. */
function visibleDependencies(visibility: Visibility, skillId: string): Conditions {
  return visibleRows(visibility, {
    limits: [],
    confined: ['depends_on_skill_id', ({ links }) => links.get(skillId)?.dependsOn ?? []],
  }).add('skill_id = ?', skillId);
}

function answerOf(row: Row): SkillDependencyAnswer {
  return {
    skillId: row.skill_id,
    dependsOnSkillId: row.depends_on_skill_id,
    skillName: row.skill_name,
    skillActive: row.skill_active,
    required: row.required,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
