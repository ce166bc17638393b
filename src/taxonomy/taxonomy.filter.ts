import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { globalHostId } from './entity-type.js';

/** All of a reader that counts here. */
export type TermReader = Pick<Visibility, 'hostId' | 'within'>;

/**
 * What of `category_t` or `tag_t` a reader may see: the host's own and the global ones. A token confined to an agent
 * sees those that something in the agent's catalog has.
 */
export function visibleTerms(noun: 'category' | 'tag', { hostId, within }: TermReader): Conditions {
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
