import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { SelectionAnswer } from '../taxonomy/entity-taxonomy.schemas.js';
import { selectionOf } from '../taxonomy/taxonomy.lookup.js';
import { requireSkill } from './skills.filter.js';

/** Throws NotFound where there is no such skill. */
export class GetSkillTaxonomy extends Query<SelectionAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
  ) {
    super();
  }
}

@QueryHandler(GetSkillTaxonomy)
export class GetSkillTaxonomyHandler implements IQueryHandler<GetSkillTaxonomy> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId }: GetSkillTaxonomy): Promise<SelectionAnswer> {
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    return selectionOf(this.database.of(visibility.hostId), visibility.hostId, {
      entityType: 'skill',
      entityId: skillId,
    });
  }
}
