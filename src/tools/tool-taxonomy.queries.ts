import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { SelectionAnswer } from '../taxonomy/entity-taxonomy.schemas.js';
import { selectionOf } from '../taxonomy/taxonomy.lookup.js';
import { requireTool } from './tools.filter.js';

/** Throws NotFound where there is no such tool. */
export class GetToolTaxonomy extends Query<SelectionAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly toolId: string,
  ) {
    super();
  }
}

@QueryHandler(GetToolTaxonomy)
export class GetToolTaxonomyHandler implements IQueryHandler<GetToolTaxonomy> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, toolId }: GetToolTaxonomy): Promise<SelectionAnswer> {
    await requireTool(this.database.of(visibility.hostId), visibility, toolId);
    return selectionOf(this.database.of(visibility.hostId), visibility.hostId, {
      entityType: 'tool',
      entityId: toolId,
    });
  }
}
