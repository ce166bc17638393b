import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { globalHostId, type EntityType } from './entity-type.js';

type Noun = 'category' | 'tag';

/** All of a reader that counts here. */
export type TermReader = Pick<Visibility, 'hostId' | 'within'>;

/**
 * What of `category_t` or `tag_t` a reader may see: the host's own and the global ones. A token confined to an agent
 * sees those that something in the agent's catalog has.
 */
export function visibleTerms(noun: Noun, { hostId, within }: TermReader): Conditions {
  const where = new Conditions().add('host_id = ANY(?::uuid[])', [hostId, globalHostId]);
  if (within === undefined) return where;
  const { skillIds, toolIds, endpointIds } = within;
  return where.add(
    `EXISTS (SELECT FROM entity_${noun}_t s WHERE s.host_id = ? AND s.${noun}_id = ${noun}_t.${noun}_id
       AND s.entity_id = ANY(?::uuid[]))`,
    hostId,
    [...skillIds, ...toolIds, ...endpointIds],
  );
}

/** How both are read: a global one says so by a host of null. */
export function termView(noun: Noun) {
  return {
    visible: (visibility: Visibility) => visibleTerms(noun, visibility),
    shows: {
      hostId: {
        sql: `nullif(host_id, '${globalHostId}')`,
        schema: {
          type: ['string', 'null'],
          format: 'uuid',
          description: 'Null for a global one, which every host reads and none changes.',
        },
      },
    },
  } as const;
}

/** The host's own category or tag. Throws NotFound, and RuleBroken `global_read_only` where it is another's. */
export async function requireOwnTerm(
  sql: Sql,
  visibility: Visibility,
  noun: Noun,
  id: string,
): Promise<{ readonly entityType: EntityType }> {
  const where = visibleTerms(noun, visibility).add(`${noun}_id = ?`, id).add('active');
  const [row] = await sql.query<{ readonly host_id: string; readonly entityType: EntityType }>(
    `SELECT host_id, entity_type AS "entityType" FROM ${noun}_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound(noun, id);
  if (row.host_id === visibility.hostId) return row;
  const detail = `The ${noun} ${id} is global: every host reads it, and none changes it. Make one of your own.`;
  throw new RuleBroken('global_read_only', detail);
}
