import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { exportedSkill } from './skill-export.lookup.js';
import type { ExportedSkill } from './skill-export.js';

/** Throws NotFound. */
export class ExportSkill extends Query<ExportedSkill> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
  ) {
    super();
  }
}

@QueryHandler(ExportSkill)
export class ExportSkillHandler implements IQueryHandler<ExportSkill> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId }: ExportSkill): Promise<ExportedSkill> {
    const found = await exportedSkill(this.database.of(visibility.hostId), visibility, skillId);
    if (found === undefined) throw new NotFound('skill', skillId);
    return found;
  }
}
