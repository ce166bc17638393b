import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { TokenVerifier } from '../auth/token-verifier.js';
import { Problem } from '../http/problem.js';
import type { Provider } from './provider.js';
import { choiceWithin } from './session-choice.js';
import type { SessionRow, SessionRows } from './session-rows.js';
import type { Kept, SessionVault } from './session-vault.js';

/** Seconds before its end in which a token is replaced. */
const EARLY_S = 30;
/** Seconds that one instance may take for it: then another may. */
const LEASE_S = 20;
const LOOK_MS = 100;

/**
 * Puts new tokens in the place of those that are about to end. A refresh token may count once, and its second use sign the person out:
 * of all requests on all instances one fetches, and the others wait for it.
 */
export class SessionRenewal {
  private readonly running = new Map<string, Promise<boolean>>();

  constructor(
    private readonly rows: SessionRows,
    private readonly vault: SessionVault,
    private readonly verifier: TokenVerifier,
    private readonly provider: Provider | undefined,
  ) {}

  /**
   * Whether there were new tokens to fetch, and they are there now. Throws Problem 401 `session_ended` where the provider gives none any
   * more, 503 `provider_unavailable` where it can't be asked and the old ones are over.
   */
  async isDone(row: SessionRow, kept: Kept): Promise<boolean> {
    const { provider } = this;
    const { accessToken, refreshToken } = kept;
    const left = (decodeJwt(accessToken).exp ?? 0) - Date.now() / 1000;
    if (left > EARLY_S || refreshToken === undefined || provider === undefined) return false;
    const key = `${row.sessionHash} ${String(row.generation)}`;
    const renewal = this.running.get(key) ?? this.renew(provider, row, { ...kept, refreshToken });
    this.running.set(key, renewal);
    try {
      return await renewal;
    } catch (error) {
      // What is there still holds for a moment.
      if (left > 0 && error instanceof Problem && error.status === 503) return false;
      throw error;
    } finally {
      this.running.delete(key);
    }
  }

  private async renew(
    provider: Provider,
    row: SessionRow,
    kept: Kept & { readonly refreshToken: string },
  ): Promise<boolean> {
    if (!(await this.rows.claimRenewal(row, LEASE_S))) return this.awaitOthers(row);
    try {
      const renewed = await provider.renew(kept.refreshToken);
      if (renewed === undefined) throw ended();
      await this.replace(row, { ...kept, ...renewed });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status !== 503) await this.rows.remove([row.sessionHash]);
      else await this.rows.releaseRenewal(row);
      throw error;
    }
  }

  /** The new token passes as one that came as a bearer would; it is of the same person, and what it no longer covers is worked on no more. */
  private async replace(row: SessionRow, kept: Kept): Promise<void> {
    const claims = await this.verifier.claimsOf(kept.accessToken);
    const { hostId, serviceId, envTag } = row;
    const choice = choiceWithin(claims, { hostId, serviceId, envTag });
    const former = await this.vault.open<Kept>(row.sessionHash, row.sealed);
    if (former === undefined || decodeJwt(former.accessToken).sub !== claims.sub) throw ended();
    await this.rows.renew(row, await this.vault.seal(row.sessionHash, kept), choice);
  }

  /** Another instance fetches: its tokens, or the end of the session, are there soon. */
  private async awaitOthers({ sessionHash, generation }: SessionRow): Promise<boolean> {
    for (let looks = 0; looks < (LEASE_S * 1000) / LOOK_MS; looks += 1) {
      const now = await this.rows.find(sessionHash);
      if (now === undefined) throw ended();
      if (now.generation !== generation) return true;
      await sleep(LOOK_MS);
    }
    const detail =
      'New tokens of this session are being fetched, and the provider does not answer. Try again.';
    throw new Problem(503, 'provider_unavailable', detail, { headers: { 'retry-after': '5' } });
  }
}

/** One answer to all that ends a session: who has an old cookie learns nothing from it. */
export function ended(): Problem {
  const detail = 'The session has ended, or was never there. Sign in again, and repeat the request.';
  return new Problem(401, 'session_ended', detail);
}
