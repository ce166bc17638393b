import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Impact, Reach } from './impact.schemas.js';

/** What might go inactive. */
export interface ImpactSubject {
  readonly kind: 'endpoint' | 'tool' | 'skill' | 'agent' | 'api_version' | 'api';
  readonly id: string;
}

/**
 * Port to the floor that knows the agents: what hangs on one of these, cut to what the reader may
 * see. Whether the reader may see the subject itself is the asker's to check.
 */
export abstract class ImpactLookup {
  abstract of(sql: Sql, visibility: Visibility, subject: ImpactSubject): Promise<Impact>;

  /** The skills that have tools of these endpoints, and the agents that have these skills: whom a change of them reaches. */
  abstract reach(sql: Sql, visibility: Visibility, endpointIds: readonly string[]): Promise<Reach>;
}
