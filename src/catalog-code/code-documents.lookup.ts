import { sees, type Visibility } from '../platform/auth/visibility.js';
import type { Sql } from '../kernel/sql.js';
import { settingsOf } from '../settings/public.js';
import { exportedSkill } from '../skills/public.js';
import { globalHostId } from '../taxonomy/shared.js';
import { type CodeKind, codeKinds, normalized, type Spec } from './code-document.js';
import type { PresentDocument } from './code-plan.js';

/** Where records of a kind are read as documents; the settings are one record of their own. */
const views = {
  Category: 'code_category',
  Tag: 'code_tag',
  Api: 'code_api',
  ApiVersion: 'code_api_version',
  Workflow: 'code_workflow',
  Gateway: 'code_gateway',
  Skill: 'code_skill',
  Agent: 'code_agent',
  Webhook: 'code_webhook',
  Tool: 'code_tool',
} as const;

/** Kinds that a document may refer to. */
export type ReferredKind = keyof typeof views;

/** Kinds whose records belong to a service and an environment: other tokens don't see them. */
const confined: readonly CodeKind[] = ['ApiVersion', 'Gateway', 'Agent'];

interface Row {
  readonly id: string;
  readonly key: string;
  readonly spec: Spec;
  readonly service_id?: string;
  readonly env_tag?: string | null;
}

/** Loads the records of these kinds as documents: those that the reader sees, in the order of kinds and keys. */
export async function documentsOf(
  sql: Sql,
  visibility: Visibility,
  kinds: readonly CodeKind[] = codeKinds,
): Promise<readonly PresentDocument[]> {
  const found: PresentDocument[] = [];
  for (const kind of codeKinds) {
    if (kinds.includes(kind)) found.push(...(await documentsOfKind(sql, visibility, kind)));
  }
  return found;
}

async function documentsOfKind(
  sql: Sql,
  visibility: Visibility,
  kind: CodeKind,
): Promise<readonly PresentDocument[]> {
  const { hostId } = visibility;
  if (kind === 'HostSettings') {
    const spec = { ...(await settingsOf(sql, hostId)) };
    return [{ kind, key: 'host', id: hostId, spec }];
  }
  if (kind === 'Skill') return skillDocuments(sql, visibility);
  const place = confined.includes(kind) ? ', service_id, env_tag' : '';
  const rows = await sql.query<Row>(
    `SELECT id, key, spec${place} FROM ${views[kind]} WHERE host_id = $1 ORDER BY key COLLATE "C"`,
    [hostId],
  );
  return rows
    .filter(({ service_id, env_tag = null }) =>
      service_id === undefined ? true : sees(visibility, { serviceId: service_id, envTag: env_tag }),
    )
    .map(({ id, key, spec }) => ({ kind, key, id, spec: inOneOrder(spec) }));
}

async function skillDocuments(sql: Sql, visibility: Visibility): Promise<readonly PresentDocument[]> {
  const rows = await sql.query<{ id: string; key: string; active: boolean }>(
    'SELECT id, key, active FROM code_skill WHERE host_id = $1 ORDER BY key COLLATE "C"',
    [visibility.hostId],
  );
  const found: PresentDocument[] = [];
  for (const { id, key, active } of rows) {
    const exported = await exportedSkill(sql, visibility, id);
    if (exported === undefined) continue;
    const { formatVersion: _format, name: _name, ...spec } = exported.document;
    found.push({ kind: 'Skill', key, id, spec: inOneOrder({ ...spec, active }) });
  }
  return found;
}

function inOneOrder(spec: Spec): Spec {
  return Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, normalized(value)]));
}

const alsoGlobal: readonly ReferredKind[] = ['Category', 'Tag'];

/** Ids of the records of a kind by their keys. */
export async function idsByKey(sql: Sql, hostId: string, kind: ReferredKind): Promise<Map<string, string>> {
  const hosts = alsoGlobal.includes(kind) ? [globalHostId, hostId] : [hostId];
  const rows = await sql.query<{ id: string; key: string }>(
    `SELECT id, key FROM ${views[kind]} WHERE host_id = ANY ($1::uuid[]) ORDER BY host_id`,
    [hosts],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** What has happened to these records behind a position: what made a plan stale. At most 50 events. */
export async function eventsSince(
  sql: Sql,
  hostId: string,
  after: number,
  ids: readonly string[],
): Promise<readonly { readonly position: number; readonly type: string; readonly user: string }[]> {
  return sql.query(
    `SELECT position, event_type AS type, user_id AS "user"
     FROM event_store_t WHERE host_id = $1 AND position > $2 AND aggregate_id = ANY ($3)
     ORDER BY position LIMIT 50`,
    [hostId, after, ids],
  );
}
