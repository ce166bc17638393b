import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type { AilingSkill, DiagnosticsQuery } from './diagnostics.schemas.js';
import { ailingSkills } from './skill-diagnostics.statement.js';

interface AilingSkillPage {
  readonly items: AilingSkill[];
  readonly nextCursor?: string;
}

export class DiagnoseSkills extends Query<AilingSkillPage> {
  constructor(
    readonly visibility: Visibility,
    readonly page: DiagnosticsQuery,
  ) {
    super();
  }
}

interface Row extends Pick<AilingSkill, 'tools' | 'agents' | 'name'> {
  readonly skill_id: string;
}

@QueryHandler(DiagnoseSkills)
export class DiagnoseSkillsHandler implements IQueryHandler<DiagnoseSkills> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, page }: DiagnoseSkills): Promise<AilingSkillPage> {
    const { hostId, services, environments } = visibility;
    // The conditions come first: they make $1 to $3 of the statement, and say nothing more.
    const where = new Conditions()
      .add('host_id = ?', hostId)
      .add('?::text[] IS NULL OR true', services === 'all' ? null : services)
      .add('?::text[] IS NOT NULL', environments);
    const { rows, ...next } = await listPage<Row>(this.database.of(hostId), {
      ...{ select: '*', from: ailingSkills, where, text: 'name', id: 'skill_id', ...page },
    });
    const items = rows.map(({ skill_id: skillId, name, tools, agents }) => ({
      skillId,
      name,
      tools,
      agents,
    }));
    return { items, ...next };
  }
}
