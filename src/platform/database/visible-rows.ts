import type { Visibility } from '../auth/visibility.js';
import { Conditions } from './conditions.js';

/**
 * The rows of the reader's host, services and environments (contract 2), for a table with the columns `host_id`,
 * `service_id` and `env_tag`. A row without a service is host-wide, one without an environment in every one.
 */
export function visibleRows({ hostId, services, environments }: Visibility): Conditions {
  const where = new Conditions().add('host_id = ?', hostId);
  if (services !== 'all') where.add('service_id IS NULL OR service_id = ANY(?::text[])', services);
  return where.add('env_tag IS NULL OR env_tag = ANY(?::text[])', environments);
}

/** A text as part of a LIKE pattern that means just this text. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
