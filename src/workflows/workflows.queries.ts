import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { likeText } from '../platform/database/visible-rows.js';
import { addTaxonomyFilter, taxonomyColumns, type TaxonomyNames } from '../taxonomy/taxonomy.lookup.js';
import type { ListedWorkflow, WorkflowAnswer, WorkflowListQuery } from './workflow.schemas.js';
import { visibleWorkflows } from './workflows.filter.js';
import type { WorkflowRow } from './workflows.row.js';

interface WorkflowPage {
  readonly items: ListedWorkflow[];
  readonly nextCursor?: string;
}

export class ListWorkflows extends Query<WorkflowPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: WorkflowListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetWorkflow extends Query<WorkflowAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly wfDefId: string,
  ) {
    super();
  }
}

/** All but the definition, which may be long. */
const columns = `host_id, wf_def_id, namespace, name, version, lifecycle_status, active, position, aggregate_version,
  update_ts, update_user, ${taxonomyColumns('workflow', 'wf_definition_t', 'wf_def_id')}`;
type Row = Omit<WorkflowRow, 'definition' | 'tool_calls' | 'warnings'> & TaxonomyNames;

@QueryHandler(ListWorkflows)
export class ListWorkflowsHandler implements IQueryHandler<ListWorkflows> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListWorkflows): Promise<WorkflowPage> {
    const { active, namespace, name, version, lifecycleStatus, q, limit, cursor } = filter;
    const where = visibleWorkflows(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (namespace !== undefined) where.add('namespace = ?', namespace);
    if (name !== undefined) where.add('name = ?', name);
    if (version !== undefined) where.add('version = ?', version);
    if (lifecycleStatus !== undefined) where.add('lifecycle_status = ?', lifecycleStatus);
    if (q !== undefined) where.add(`concat_ws('/', namespace, name) ILIKE ?`, likeText(q));
    addTaxonomyFilter(where, visibility.hostId, { entityType: 'workflow', id: 'wf_def_id' }, filter);
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: columns, from: 'wf_definition_t', where, text: 'name', id: 'wf_def_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(listedOf), ...next };
  }
}

@QueryHandler(GetWorkflow)
export class GetWorkflowHandler implements IQueryHandler<GetWorkflow> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, wfDefId }: GetWorkflow): Promise<WorkflowAnswer> {
    const where = visibleWorkflows(visibility).add('wf_def_id = ?', wfDefId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row & WorkflowRow>(
        `SELECT ${columns}, definition, tool_calls, warnings FROM wf_definition_t ${where.sql()}`,
        where.values,
      );
    if (row === undefined) throw new NotFound('workflow', wfDefId);
    const narrowed = isNarrowed(visibility);
    return {
      ...listedOf(row),
      definition: narrowed ? null : row.definition,
      toolCalls: narrowed ? [] : [...row.tool_calls],
      warnings: narrowed ? [] : [...row.warnings],
    };
  }
}

function listedOf(row: Row): ListedWorkflow {
  return {
    wfDefId: row.wf_def_id,
    namespace: row.namespace,
    name: row.name,
    version: row.version,
    lifecycleStatus: row.lifecycle_status,
    categories: row.categories,
    tags: row.tags,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
