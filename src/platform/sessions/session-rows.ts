import type { Database } from '../../kernel/sql.js';
import type { SignedOut } from './logout-token.js';
import type { Choice } from './session-choice.js';

/** A session as the database has it, while it lasts. */
export interface SessionRow extends Choice {
  readonly sessionHash: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sealed: string;
  readonly generation: number;
  /** When it ends whatever is done, in seconds since the epoch. */
  readonly ends: number;
  /** When it ends if nothing is done, in seconds since the epoch. */
  readonly idleEnds: number;
  /** Whether its use is to be noted. */
  readonly unnoted: boolean;
}

export interface NewSession extends Choice {
  readonly sessionHash: string;
  readonly issuer: string;
  readonly subject: string;
  /** Claim `sid` of the provider's ID token. */
  readonly providerSid?: string;
  readonly sealed: string;
  /** Seconds until it ends whatever is done. */
  readonly lifetime: number;
}

/** A use is noted once in so many seconds: most requests write nothing. */
const NOTED_S = 30;

/**
 * The sessions of all hosts: who comes with a cookie is known by it alone, before there is a host.
 *
 * @param idle seconds after which a session that is not used ends
 */
export class SessionRows {
  constructor(
    private readonly database: Pick<Database, 'acrossHosts'>,
    private readonly idle: number,
  ) {}

  async add(row: NewSession): Promise<void> {
    const { hostId, sessionHash, serviceId, envTag, issuer, subject, providerSid, sealed, lifetime } = row;
    await this.query(
      `INSERT INTO session_t (host_id, session_hash, service_id, env_tag, issuer, subject, provider_sid, sealed, ends)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))`,
      [hostId, sessionHash, serviceId, envTag, issuer, subject, providerSid ?? null, sealed, lifetime],
    );
  }

  async find(sessionHash: string): Promise<SessionRow | undefined> {
    const [row] = await this.query<SessionRow>(
      `SELECT session_hash AS "sessionHash", host_id AS "hostId", service_id AS "serviceId", env_tag AS "envTag", issuer, subject, sealed,
              generation::float8 AS generation, extract(epoch FROM ends)::float8 AS ends,
              extract(epoch FROM used + make_interval(secs => $2))::float8 AS "idleEnds",
              used < now() - make_interval(secs => $3) AS unnoted
         FROM session_t
        WHERE session_hash = $1 AND ends > now() AND used > now() - make_interval(secs => $2)`,
      [sessionHash, this.idle, NOTED_S],
    );
    return row;
  }

  async noteUse(sessionHash: string): Promise<void> {
    await this.query('UPDATE session_t SET used = now() WHERE session_hash = $1', [sessionHash]);
  }

  async choose(sessionHash: string, { hostId, serviceId, envTag }: Choice): Promise<void> {
    await this.query(
      'UPDATE session_t SET host_id = $2, service_id = $3, env_tag = $4, used = now() WHERE session_hash = $1',
      [sessionHash, hostId, serviceId, envTag],
    );
  }

  /** Whether this caller may fetch new tokens: one may at a time, and only in place of those of this generation. */
  async claimRenewal({ sessionHash, generation }: SessionRow, seconds: number): Promise<boolean> {
    const rows = await this.query(
      `UPDATE session_t SET refreshing_until = now() + make_interval(secs => $3)
        WHERE session_hash = $1 AND generation = $2 AND (refreshing_until IS NULL OR refreshing_until <= now())
       RETURNING session_hash`,
      [sessionHash, generation, seconds],
    );
    return rows.length > 0;
  }

  async releaseRenewal({ sessionHash, generation }: SessionRow): Promise<void> {
    await this.query(
      'UPDATE session_t SET refreshing_until = NULL WHERE session_hash = $1 AND generation = $2',
      [sessionHash, generation],
    );
  }

  /** Puts new tokens in the place of those of the row's generation; nothing where the session has ended meanwhile. */
  async renew(row: SessionRow, sealed: string, { hostId, serviceId, envTag }: Choice): Promise<void> {
    await this.query(
      `UPDATE session_t SET sealed = $3, host_id = $4, service_id = $5, env_tag = $6, generation = generation + 1, refreshing_until = NULL
        WHERE session_hash = $1 AND generation = $2`,
      [row.sessionHash, row.generation, sealed, hostId, serviceId, envTag],
    );
  }

  /** Ends the sessions of a person at the provider, or the one that its `sid` names. */
  async removeSignedOut({ issuer, subject, providerSid }: SignedOut): Promise<number> {
    const rows = await this.query(
      `DELETE FROM session_t WHERE issuer = $1 AND ($2::text IS NULL OR subject = $2) AND ($3::text IS NULL OR provider_sid = $3)
         AND ($2::text IS NOT NULL OR $3::text IS NOT NULL)
       RETURNING session_hash`,
      [issuer, subject ?? null, providerSid ?? null],
    );
    return rows.length;
  }

  async remove(sessionHashes: readonly string[]): Promise<void> {
    if (sessionHashes.length === 0) return;
    await this.query('DELETE FROM session_t WHERE session_hash = ANY ($1::text[])', [sessionHashes]);
  }

  async removeOver(): Promise<void> {
    await this.query(
      'DELETE FROM session_t WHERE ends <= now() OR used <= now() - make_interval(secs => $1)',
      [this.idle],
    );
  }

  private query<Row extends object>(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.database.acrossHosts.query<Row>(text, parameters);
  }
}
