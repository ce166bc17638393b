import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Conditions } from '../../platform/database/conditions.js';
import { listPage } from '../../platform/database/page.js';
import type { ListQuery } from '../../platform/http/schemas.js';
import type { intervalsOf } from './evaluation-intervals.js';
import type { Confusion, Expectation, Metrics, Result } from './evaluation-metrics.js';

export interface EvaluationSummary {
  readonly id: string;
  readonly dataSet: string;
  readonly agentDefId: string | null;
  readonly position: number;
  readonly metrics: Metrics & {
    readonly latency: { readonly p50: number; readonly p99: number };
    /** Runs of before did not have them. */
    readonly intervals?: Awaited<ReturnType<typeof intervalsOf>>;
    readonly unasked?: number;
  };
  readonly updateTs: string;
  readonly updateUser: string;
}

export interface StoredEvaluation extends EvaluationSummary {
  readonly confusions: readonly Confusion[];
  readonly results: readonly Result[];
}

const summary = `evaluation_id AS id, set_name AS "dataSet", agent_def_id AS "agentDefId", position, metrics,
  update_ts AS "updateTs", update_user AS "updateUser"`;

/** Runs that are kept of callers with the same rights; each further one takes the place of the oldest of these. */
const MAX_RUNS = 200;
/** Data sets of a host. */
const MAX_SETS = 100;

/** The rights of the caller as a key: a run is shown to callers with the same rights only. */
function readerOf({ services, environments, maxTier = 'restricted' }: Caller): string {
  const sorted = (values: readonly string[]): readonly string[] => [...values].sort();
  return JSON.stringify([services === 'all' ? 'all' : sorted(services), sorted(environments), maxTier]);
}

export async function insertEvaluation(
  sql: Sql,
  caller: Caller,
  run: Omit<StoredEvaluation, 'updateTs' | 'updateUser'>,
): Promise<StoredEvaluation> {
  const { id, dataSet, agentDefId, position, metrics, confusions, results } = run;
  const [row] = await sql.query<Pick<StoredEvaluation, 'updateTs' | 'updateUser'>>(
    `INSERT INTO evaluation_t (host_id, evaluation_id, set_name, agent_def_id, position, metrics, confusions, results,
       reader, update_user) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     RETURNING update_ts AS "updateTs", update_user AS "updateUser"`,
    [
      ...[
        caller.hostId,
        id,
        dataSet,
        agentDefId,
        position,
        JSON.stringify(metrics),
        JSON.stringify(confusions),
      ],
      ...[JSON.stringify(results), readerOf(caller), caller.actor.user],
    ],
  );
  if (row === undefined) throw new Error('The evaluation was not kept.');
  // Their ids are in the order of time.
  await sql.query(
    `DELETE FROM evaluation_t WHERE host_id = $1 AND reader = $3 AND evaluation_id <= (
       SELECT evaluation_id FROM evaluation_t WHERE host_id = $1 AND reader = $3 ORDER BY evaluation_id DESC OFFSET $2 LIMIT 1)`,
    [caller.hostId, MAX_RUNS, readerOf(caller)],
  );
  return { ...run, ...row };
}

/** Throws NotFound. */
export async function evaluationOf(sql: Sql, caller: Caller, id: string): Promise<StoredEvaluation> {
  const [row] = await sql.query<StoredEvaluation>(
    `SELECT ${summary}, confusions, results FROM evaluation_t
     WHERE host_id = $1 AND evaluation_id = $2 AND reader = $3`,
    [caller.hostId, id, readerOf(caller)],
  );
  if (row === undefined) throw new NotFound('evaluation', id);
  return row;
}

/** What rests on the run keeps its figures. Throws NotFound. */
export async function deleteEvaluation(sql: Sql, caller: Caller, id: string): Promise<EvaluationSummary> {
  const [row] = await sql.query<EvaluationSummary>(
    `DELETE FROM evaluation_t WHERE host_id = $1 AND evaluation_id = $2 AND reader = $3 RETURNING ${summary}`,
    [caller.hostId, id, readerOf(caller)],
  );
  if (row === undefined) throw new NotFound('evaluation', id);
  return row;
}

/** Neither runs nor data sets are ever deactivated. */
function listed(hostId: string, { active }: ListQuery): Conditions {
  const where = new Conditions().add('host_id = ?', hostId);
  return active === 'false' ? where.add('false') : where;
}

/** Lists runs by data set, the oldest first. */
export async function listEvaluations(
  sql: Sql,
  caller: Caller,
  page: ListQuery,
): Promise<{ items: EvaluationSummary[]; nextCursor?: string }> {
  const where = listed(caller.hostId, page).add('reader = ?', readerOf(caller));
  const { rows, ...next } = await listPage<EvaluationSummary & { set_name: string; evaluation_id: string }>(
    sql,
    {
      select: `${summary}, set_name, evaluation_id`,
      from: 'evaluation_t',
      where,
      text: 'set_name',
      id: 'evaluation_id',
      limit: page.limit,
      cursor: page.cursor,
    },
  );
  return { items: rows.map(({ set_name: _, evaluation_id: __, ...item }) => item), ...next };
}

/**
 * Of each data set that is kept, and of the catalog's own prompts, and of each agent that they were run for, the last run and the one
 * before it, newest first. Rows of a request are other ones each time, and are compared with nothing.
 */
export function lastEvaluations(sql: Sql, caller: Caller): Promise<EvaluationSummary[]> {
  return sql.query<EvaluationSummary>(
    `SELECT ${summary} FROM (
       SELECT *, row_number() OVER (PARTITION BY set_name, agent_def_id ORDER BY evaluation_id DESC) AS nth
       FROM evaluation_t e WHERE host_id = $1 AND reader = $2 AND (set_name = 'self' OR EXISTS (
         SELECT FROM evaluation_set_t s WHERE s.host_id = e.host_id AND s.set_name = e.set_name))) AS run
     WHERE nth <= 2 ORDER BY evaluation_id DESC`,
    [caller.hostId, readerOf(caller)],
  );
}

export interface DataSet {
  readonly name: string;
  readonly rowCount: number;
  readonly updateTs: string;
  readonly updateUser: string;
}

const dataSet = `set_name AS name, row_count AS "rowCount", update_ts AS "updateTs", update_user AS "updateUser"`;

/** Throws RuleBroken `too_many_sets`. */
export async function putDataSet(
  sql: Sql,
  { hostId, actor }: Caller,
  name: string,
  rows: readonly Expectation[],
): Promise<DataSet> {
  const [row] = await sql.query<DataSet>(
    `INSERT INTO evaluation_set_t (host_id, set_name, rows, row_count, update_user)
     SELECT $1, $2, $3, $4, $5
      WHERE (SELECT count(*) FROM evaluation_set_t WHERE host_id = $1 AND set_name <> $2) < $6
     ON CONFLICT (host_id, set_name) DO UPDATE SET rows = EXCLUDED.rows, row_count = EXCLUDED.row_count,
       update_ts = now(), update_user = EXCLUDED.update_user
     RETURNING ${dataSet}`,
    [hostId, name, JSON.stringify(rows), rows.length, actor.user, MAX_SETS],
  );
  if (row === undefined) throw tooManySets();
  return row;
}

function tooManySets(): RuleBroken {
  const detail = `A host keeps ${String(MAX_SETS)} data sets. Delete one (DELETE …/evaluation-sets/{name}), or put more rows into one.`;
  return new RuleBroken('too_many_sets', detail);
}

/** Throws NotFound. */
export async function deleteDataSet(sql: Sql, hostId: string, name: string): Promise<DataSet> {
  const [row] = await sql.query<DataSet>(
    `DELETE FROM evaluation_set_t WHERE host_id = $1 AND set_name = $2 RETURNING ${dataSet}`,
    [hostId, name],
  );
  if (row === undefined) throw new NotFound('data set', name);
  return row;
}

export interface WholeDataSet extends DataSet {
  readonly rows: readonly Expectation[];
}

/** Throws NotFound. */
export async function dataSetOf(sql: Sql, hostId: string, name: string): Promise<WholeDataSet> {
  const [row] = await sql.query<WholeDataSet>(
    `SELECT ${dataSet}, rows FROM evaluation_set_t WHERE host_id = $1 AND set_name = $2`,
    [hostId, name],
  );
  if (row === undefined) throw new NotFound('data set', name);
  return row;
}

export async function listDataSets(
  sql: Sql,
  hostId: string,
  page: ListQuery,
): Promise<{ items: DataSet[]; nextCursor?: string }> {
  const where = listed(hostId, page);
  const { rows, ...next } = await listPage<DataSet & { set_name: string }>(sql, {
    select: `${dataSet}, set_name`,
    from: 'evaluation_set_t',
    where,
    text: 'set_name',
    id: 'set_name',
    limit: page.limit,
    cursor: page.cursor,
  });
  return { items: rows.map(({ set_name: _, ...item }) => item), ...next };
}

/** The rows of these data sets, or of all; throws NotFound. */
export async function dataSetsOf(
  sql: Sql,
  hostId: string,
  names: readonly string[] | undefined,
): Promise<readonly Pick<WholeDataSet, 'name' | 'rows'>[]> {
  const sets = await sql.query<Pick<WholeDataSet, 'name' | 'rows'>>(
    `SELECT set_name AS name, rows FROM evaluation_set_t
     WHERE host_id = $1 AND ($2::text[] IS NULL OR set_name = ANY($2::text[])) ORDER BY set_name`,
    [hostId, names ?? null],
  );
  const missing = names?.find((wanted) => sets.every(({ name }) => name !== wanted));
  if (missing !== undefined) throw new NotFound('data set', missing);
  return sets;
}
