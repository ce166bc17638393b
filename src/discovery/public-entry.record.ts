import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { refuseUnfitAddresses } from '../gateways/shared.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions, coveredSql, visibleRows } from '../platform/database/conditions.js';
import { field, idField, type Given } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import {
  publicKinds,
  publicName,
  refuseOtherKind,
  refuseTakenName,
  refuseUnfitAddress,
  type PublicKind,
} from './public-entry.rules.js';

const textOrNull = { type: ['string', 'null'] } as const;

const fixed = {
  kind: field({
    sql: 'text',
    shown: { type: 'string', enum: publicKinds, description: 'What the record is.' },
    stored: { enum: publicKinds },
  }),
};

const fields = {
  name: field({
    sql: 'text',
    shown: {
      ...{ ...publicName, type: ['string', 'null'] },
      description:
        'Name in public: small letters, digits and single dashes between. null: made of the record’s own name.',
      default: null,
    },
    stored: textOrNull,
  }),
  description: field({
    sql: 'text',
    shown: {
      type: 'string',
      maxLength: 1024,
      description: 'What is said of it in public; empty: what the record says of itself.',
      default: '',
    },
    stored: { type: 'string' },
  }),
  url: field({
    sql: 'text',
    shown: {
      ...{ ...textOrNull, maxLength: 2000, pattern: '^https?://[^\\s{}#]+$' },
      description:
        'Where everybody calls it: MCP over Streamable HTTP of a gateway, A2A 1.0 by JSON-RPC of an agent. Of these alone.',
      default: null,
    },
    stored: textOrNull,
  }),
};

/** A skill, tool, gateway or agent that everybody may know of, and what is said of it then. */
export const publicEntry = record(
  {
    ...{ name: 'PublicEntry', noun: 'public entry', table: 'public_entry_t', history: false },
    ...{ id: { entityId: idField }, fixed, fields },
    ...{ lifecycle: 'deleted', touches: 'nobody', updates: 'whole' },
  },
  {
    write({ id, next: { name }, changed, current }, { nameHeldBy }: { readonly nameHeldBy: string | null }) {
      refuseOtherKind(id, current === null, changed.kind);
      refuseTakenName(name, nameHeldBy);
    },
  },
);

interface Id {
  readonly entityId: string;
}

/** Makes a record public, or changes what is said of it. */
export class PutPublicEntry extends UseCase<Id & Given<typeof fixed> & Given<typeof fields>> {}
/** Makes a record public no more. */
export class DeletePublicEntry extends UseCase<Id> {}

/** Where records of a kind are read. */
const views = {
  agent: { view: 'agent_read', id: 'agent_def_id' },
  gateway: { view: 'gateway_read', id: 'gateway_id' },
  skill: { view: 'skill_read', id: 'skill_id', limits: [] },
  tool: { view: 'tool_read', id: 'tool_id' },
} as const satisfies Readonly<Record<PublicKind, object>>;

/** Throws NotFound where there is no such record, or the token does not cover it. */
async function requireRecord(
  sql: Sql,
  visibility: Visibility,
  kind: PublicKind,
  entityId: string,
): Promise<void> {
  const { view, id, ...limited } = views[kind];
  const where = visibleRows(visibility, limited).add(`${id} = ?`, entityId);
  const found = await sql.query(`SELECT FROM ${view} ${where.sql()}`, where.values);
  if (found.length === 0) throw new NotFound(kind, entityId);
}

/** Throws NotFound where there is no such entry, or the token does not cover its record. */
async function requireEntry(sql: Sql, visibility: Visibility, entityId: string): Promise<void> {
  const found = await publicEntry.find(sql, visibility.hostId, entityId);
  if (found === undefined) throw new NotFound('public entry', entityId);
  await requireRecord(sql, visibility, found.kind, entityId);
}

async function nameHolder(
  sql: Sql,
  hostId: string,
  { kind, name }: { readonly kind?: string; readonly name?: string | null },
  entityId: string,
): Promise<string | null> {
  const [row] = await sql.query<{ readonly id: string }>(
    `SELECT entity_id AS id FROM public_entry_t
     WHERE host_id = $1 AND kind = $2 AND name = $3 AND entity_id <> $4 AND active`,
    [hostId, kind, name, entityId],
  );
  return row?.id ?? null;
}

export const publicEntryHandlers = recordHandlers(
  publicEntry,
  { put: PutPublicEntry, delete: DeletePublicEntry },
  {
    async check({ kind, name, description, url }) {
      refuseUnfitAddress(kind, url);
      const addresses = url === null ? [] : [{ pointer: '/url', address: url }];
      await refuseUnfitAddresses({ name, description, url }, addresses);
    },
    requireSeen: (sql, { visibility }, id) => requireEntry(sql, visibility, id),
    async facts(sql, { visibility }, { id, given }) {
      if (given.kind !== undefined) await requireRecord(sql, visibility, given.kind, id);
      return { nameHeldBy: await nameHolder(sql, visibility.hostId, given, id) };
    },
  },
);

/** What the record is called in the catalog, whatever its name in public. */
const recordName = `CASE kind
    WHEN 'agent' THEN (SELECT name FROM agent_read r WHERE r.host_id = public_entry_t.host_id AND r.agent_def_id = entity_id)
    WHEN 'gateway' THEN (SELECT service_id FROM gateway_read r WHERE r.host_id = public_entry_t.host_id AND r.gateway_id = entity_id)
    WHEN 'skill' THEN (SELECT name FROM skill_read r WHERE r.host_id = public_entry_t.host_id AND r.skill_id = entity_id)
    ELSE (SELECT name FROM tool_read r WHERE r.host_id = public_entry_t.host_id AND r.tool_id = entity_id)
  END`;

/** Entries of records that the token covers; skills are the whole host’s. */
function coveredEntries({ hostId, services, environments }: Visibility): Conditions {
  const where = new Conditions().add('host_id = ?', hostId);
  const reached = (['agent', 'gateway', 'tool'] as const).map((kind) => {
    const { view, id } = views[kind];
    return `SELECT host_id, ${id} AS id, service_id, env_tag FROM ${view}`;
  });
  const [ofServices, ofEnvironments] = [
    coveredSql('r', 'services', '?::text[]', true),
    coveredSql('r', 'environments', '?::text[]'),
  ];
  const wanted = services === 'all' ? null : services;
  return where.add(
    `kind = 'skill' OR EXISTS (SELECT FROM (${reached.join(' UNION ALL ')}) r
     WHERE r.host_id = public_entry_t.host_id AND r.id = entity_id AND ${ofServices} AND ${ofEnvironments})`,
    ...[wanted, wanted, environments],
  );
}

const publicEntryReads = new RecordReads(publicEntry.spec, {
  visible: coveredEntries,
  shows: {
    recordName: {
      sql: recordName,
      schema: { type: ['string', 'null'], description: 'What the record is called in the catalog.' },
    },
  },
  orderBy: 'kind',
  filters: { kind: fixed.kind.answered },
});

const entityId = '0198c0de-0000-7000-8000-00000000d001';
const body = {
  kind: 'gateway',
  name: 'accounts',
  description: 'Accounts and payments of Example Bank.',
  url: 'https://gateway.example.com/mcp',
};

export const publicEntryRoutes = recordRoutes(publicEntryReads, {
  path: 'public-entries',
  operations: { many: 'PublicEntries' },
  access: { scope: 'catalog:admin', confined: 'refused' },
  list: { summary: 'List what is public' },
  get: { summary: 'Get a public entry' },
  put: {
    useCase: PutPublicEntry,
    summary: 'Make a record public',
    description:
      'A skill, tool, gateway or agent under its own id. It is answered to everybody once the host’s setting `discovery` is on, ' +
      'and as long as it is active; of a tool only its approved version. A public tool is named where a public skill or gateway ' +
      'has it; a public agent is shown with those of its skills that are public. Refused with `public_name_taken`.',
  },
  delete: {
    useCase: DeletePublicEntry,
    summary: 'Make a record public no more',
    description: 'The record itself stays.',
  },
  example: {
    body,
    answer: {
      ...{ entityId, ...body, recordName: 'com.example.gateway-1.0.0', active: true, aggregateVersion: 1 },
      ...{ position: 60, updateTs: '2026-11-21T09:30:00.000Z', updateUser: 'olga' },
    },
    receipt: { id: entityId, version: 1, position: 60, changed: true },
  },
});
