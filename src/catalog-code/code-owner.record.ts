import { v5 } from 'uuid';
import type { Sql } from '../kernel/sql.js';
import { field, idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { codeKinds, placeOf, type CodeDocument } from './code-document.js';
import type { Owned } from './code-plan.js';

const text = { type: 'string' } as const;

/** Which repository a record's fields were last applied from. */
export const codeOwner = record({
  name: 'CodeOwner',
  noun: 'owner',
  table: 'code_owner_t',
  history: false,
  id: { ownedId: idField },
  fixed: {
    kind: field({ sql: 'text', shown: { type: 'string', enum: codeKinds }, stored: { enum: codeKinds } }),
    key: field({ sql: 'text', shown: text, stored: text }),
  },
  fields: {
    owner: field({ sql: 'text', shown: text, stored: text }),
    applied: field({
      sql: 'jsonb',
      shown: { type: 'object', additionalProperties: text },
      stored: { type: 'object' },
    }),
  },
  lifecycle: 'deleted',
  touches: 'nobody',
});

type Place = Pick<CodeDocument, 'kind' | 'key'>;

/** The id under which it is kept whose a record is. */
function ownedId(hostId: string, place: Place): string {
  return v5(placeOf(place), hostId);
}

/** Says whose the record is. */
export function owning(hostId: string, { kind, key }: Place, { owner, applied }: Owned) {
  return codeOwner.put(hostId, ownedId(hostId, { kind, key }), { kind, key, owner, applied }, undefined);
}

/** Forgets whose the record was. */
export function disowning(hostId: string, place: Place) {
  return codeOwner.remove(hostId, ownedId(hostId, place), undefined);
}

/** Loads whose the records of the host are, by {@link placeOf}. */
export async function ownersOf(sql: Sql, hostId: string): Promise<ReadonlyMap<string, Owned>> {
  const rows = await sql.query<Place & Owned>(
    'SELECT kind, key, owner, applied FROM code_owner_t WHERE host_id = $1 AND active',
    [hostId],
  );
  return new Map(rows.map(({ owner, applied, ...place }) => [placeOf(place), { owner, applied }]));
}
