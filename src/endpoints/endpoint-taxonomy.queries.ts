import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { SelectionAnswer } from '../taxonomy/entity-taxonomy.schemas.js';
import { selectionOf } from '../taxonomy/taxonomy.lookup.js';
import { requireEndpoint } from './endpoints.filter.js';

/** Throws NotFound where there is no such endpoint. */
export class GetEndpointTaxonomy extends Query<SelectionAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly endpointId: string,
  ) {
    super();
  }
}

@QueryHandler(GetEndpointTaxonomy)
export class GetEndpointTaxonomyHandler implements IQueryHandler<GetEndpointTaxonomy> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, endpointId }: GetEndpointTaxonomy): Promise<SelectionAnswer> {
    await requireEndpoint(this.database.of(visibility.hostId), visibility, endpointId);
    return selectionOf(this.database.of(visibility.hostId), visibility.hostId, {
      entityType: 'endpoint',
      entityId: endpointId,
    });
  }
}
