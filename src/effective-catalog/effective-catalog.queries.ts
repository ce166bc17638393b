import type { Sql } from '../eventsourcing/sql.js';
import type {
  AgentRow,
  ApprovalRow,
  AssignmentRow,
  CatalogRows,
  DependencyRow,
  EndpointRow,
  ExposureRow,
  LinkRow,
  SkillRow,
  TaxonomyRow,
  ToolRow,
  WorkflowRow,
} from './catalog.rows.js';
import { catalogStatement } from './effective-catalog.statement.js';

/** Whose catalog: the agent must be registered for one of these services and environments. */
export interface Registration {
  readonly hostId: string;
  readonly agentDefId: string;
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
}

/** What the database says of an agent's catalog, as of one snapshot. */
export interface Reading {
  /** End of the host's log in that snapshot. */
  readonly position: number;
  /** Version of the catalog; null where there is no such agent. */
  readonly version: number | null;
  /** Absent where there is no such agent, or where the version is the one that was known. */
  readonly rows?: CatalogRows;
}

type StatementRow =
  | { readonly kind: 'state'; readonly body: { readonly position: number; readonly version: number | null } }
  | { readonly kind: 'agent'; readonly body: AgentRow }
  | { readonly kind: 'assignment'; readonly body: AssignmentRow }
  | { readonly kind: 'skill'; readonly body: SkillRow }
  | { readonly kind: 'link'; readonly body: LinkRow }
  | { readonly kind: 'tool'; readonly body: ToolRow }
  | { readonly kind: 'endpoint'; readonly body: EndpointRow }
  | { readonly kind: 'dependency'; readonly body: DependencyRow }
  | { readonly kind: 'taxonomy'; readonly body: TaxonomyRow }
  | { readonly kind: 'workflow'; readonly body: WorkflowRow }
  | { readonly kind: 'approval'; readonly body: ApprovalRow }
  | { readonly kind: 'exposure'; readonly body: ExposureRow };

/**
 * Reads one agent's catalog with one prepared statement.
 *
 * @param known version that the caller has already: where it still holds, no rows are sent
 */
export async function readCatalog(sql: Sql, agent: Registration, known?: number): Promise<Reading> {
  const parameters = [...parametersOf(agent), known ?? null];
  return readingOf(agent.hostId, await sql.query(catalogStatement, parameters, 'effective_catalog'));
}

/** Reads it as it was at a position, with the statement of the past. */
export async function readPastCatalog(
  sql: Sql,
  statement: string,
  agent: Registration,
  position: number,
): Promise<Reading> {
  const parameters = [...parametersOf(agent), null, position];
  return readingOf(agent.hostId, await sql.query(statement, parameters, 'past_catalog'));
}

function parametersOf({ hostId, agentDefId, services, environments }: Registration): readonly unknown[] {
  return [hostId, agentDefId, services === 'all' ? null : services, environments];
}

function readingOf(hostId: string, answer: readonly StatementRow[]): Reading {
  const bodies = <Kind extends StatementRow['kind']>(kind: Kind): BodyOf<Kind>[] =>
    answer.filter((row) => row.kind === kind).map(({ body }) => body as BodyOf<Kind>);
  const [state] = bodies('state');
  if (state === undefined) throw new Error('The catalog statement gave no state.');
  const [profile] = bodies('agent');
  if (profile === undefined) return state;
  const rows = {
    hostId,
    agent: profile,
    assignments: bodies('assignment'),
    skills: bodies('skill'),
    links: bodies('link'),
    tools: bodies('tool'),
    endpoints: bodies('endpoint'),
    dependencies: bodies('dependency'),
    taxonomies: bodies('taxonomy'),
    workflows: bodies('workflow'),
    approvals: bodies('approval'),
    exposures: bodies('exposure'),
  };
  return { ...state, rows };
}

type BodyOf<Kind> = Extract<StatementRow, { readonly kind: Kind }>['body'];
