import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { SelectionAnswer } from '../taxonomy/entity-taxonomy.schemas.js';
import { selectionOf } from '../taxonomy/taxonomy.lookup.js';
import { requireWorkflow } from './workflows.filter.js';

/** Throws NotFound where there is no such workflow. */
export class GetWorkflowTaxonomy extends Query<SelectionAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly wfDefId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWorkflowTaxonomy)
export class GetWorkflowTaxonomyHandler implements IQueryHandler<GetWorkflowTaxonomy> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, wfDefId }: GetWorkflowTaxonomy): Promise<SelectionAnswer> {
    await requireWorkflow(this.database.of(visibility.hostId), visibility, wfDefId);
    return selectionOf(this.database.of(visibility.hostId), visibility.hostId, {
      entityType: 'workflow',
      entityId: wfDefId,
    });
  }
}
