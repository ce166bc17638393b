import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, type JWTPayload } from 'jose';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../auth/caller.js';
import { TokenVerifier } from '../auth/token-verifier.js';
import { CONFIG, type Config } from '../config/config.js';
import { Problem } from '../http/problem.js';
import { isSafe, refuseCrossSite } from './own-origin.js';
import type { SignedOut } from './logout-token.js';
import { Provider, type SignedIn } from './provider.js';
import { ended, SessionRenewal } from './session-renewal.js';
import { firstChoice, narrowed, type Choice } from './session-choice.js';
import { Cookie, csrfOf, hashOf, idIn, isCsrfOf, isId, isSecure, newId } from './session-cookie.js';
import { SessionRows, type SessionRow } from './session-rows.js';
import { SessionVault, type Kept } from './session-vault.js';

/** A session that a request may use. */
export interface OpenSession {
  readonly id: string;
  readonly row: SessionRow;
  readonly kept: Kept;
  /** Of the token, before anything is chosen. */
  readonly claims: JWTPayload;
  readonly caller: Caller;
}

export interface Begun {
  readonly session: OpenSession;
  readonly setCookie: string;
}

const MAX_NAME = 255;
const SWEEP_MS = 600_000;
/** A stream goes on that long at most after its session has ended elsewhere. */
const STREAM_S = 300;

/**
 * Turns the cookie of a browser into the caller that the token behind it names: the token is checked like one that came as a bearer,
 * and what it covers is narrowed to what was chosen (docs/decisions/0079-signing-in-behind-the-service.md).
 */
@Injectable()
export class Sessions implements OnApplicationBootstrap, OnModuleDestroy {
  readonly cookie: Cookie;
  private readonly rows: SessionRows;
  readonly vault: SessionVault;
  /** Where people sign in, if they do. */
  readonly provider: Provider | undefined;
  private readonly renewal: SessionRenewal;
  private readonly log = new Logger('Sessions');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(CONFIG) private readonly config: Config,
    private readonly verifier: TokenVerifier,
  ) {
    this.cookie = new Cookie('session', isSecure(config));
    this.rows = new SessionRows(database, config.sessions.idle);
    this.vault = new SessionVault(config);
    this.provider = config.signIn && new Provider(config.signIn);
    this.renewal = new SessionRenewal(this.rows, this.vault, verifier, this.provider);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Whether the request asks to be let in by its cookie: a bearer token wins over one. */
  isAsked({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    return headers.authorization === undefined && this.cookie.valuesIn(headers.cookie).length > 0;
  }

  /** Throws Problem 401 where there is no session, 403 where the request may not use it. */
  async callerOf(request: FastifyRequest): Promise<Caller> {
    return (await this.open(request)).caller;
  }

  /**
   * The session of a request. Throws Problem 401 `session_ended`, 403 `cross_site` for a page of another site, 403 `csrf_token` for an
   * unsafe method without the session's token, and what the verifier throws.
   */
  async open(request: FastifyRequest): Promise<OpenSession> {
    const id = idIn(this.cookie, request.headers.cookie);
    if (id === undefined || !isId(id)) throw ended();
    refuseCrossSite(request, this.config);
    if (!isSafe(request) && !isCsrfOf(id, request.headers['x-csrf-token'])) throw csrfMissing();
    const session = await this.current(id);
    const { row } = session;
    if (row.unnoted) await this.rows.noteUse(row.sessionHash);
    return session;
  }

  /** @param isRenewed whether new tokens have just come: a provider may give such as end at once, and they are used as they are */
  private async current(id: string, isRenewed = false): Promise<OpenSession> {
    const row = await this.rows.find(hashOf(id));
    if (row === undefined) throw ended();
    const kept = await this.vault.open<Kept>(row.sessionHash, row.sealed);
    if (kept === undefined) throw ended();
    if (!isRenewed && (await this.renewal.isDone(row, kept))) return this.current(id, true);
    return this.opened(id, row, kept);
  }

  private async opened(id: string, row: SessionRow, kept: Kept): Promise<OpenSession> {
    try {
      const caller = await this.callerBy(kept, row);
      return { id, row, kept, claims: decodeJwt(kept.accessToken), caller };
    } catch (error) {
      // No token came with the request: what is over is the session.
      if (error instanceof Problem && error.status === 401) throw ended();
      throw error;
    }
  }

  private async callerBy({ accessToken }: Kept, row: SessionRow): Promise<Caller> {
    const caller = await this.chosen(accessToken, row);
    const expiresAt = Math.min(caller.expiresAt, Math.floor(row.ends));
    return { ...caller, expiresAt, streamSeconds: STREAM_S };
  }

  /** The caller of a token, for the choice alone. Throws Problem 403 where the claims don't allow it. */
  private chosen(token: string, { hostId, serviceId, envTag }: Choice): Promise<Caller> {
    const choice = { hostId, serviceId, envTag };
    return this.verifier.callerOfToken(token, JSON.stringify(choice), (claims) => narrowed(claims, choice));
  }

  /** Begins a session, under an id that nobody has had before; one that the browser had ends. */
  async begin({ headers }: FastifyRequest, signedIn: SignedIn): Promise<Begun> {
    const { providerSid, providerSubject, ...given } = signedIn;
    const claims = await this.verifier.claimsOf(given.accessToken);
    const choice = firstChoice(claims);
    // Claims that no request could use are refused here, not at each request.
    const { issuer, actor } = await this.chosen(given.accessToken, choice);
    const kept = { ...given, name: given.name ?? nameIn(claims) ?? actor.user };
    const id = newId();
    const sessionHash = hashOf(id);
    const { lifetime } = this.config.sessions;
    await this.rows.add({
      ...choice,
      ...{ sessionHash, issuer, subject: providerSubject ?? actor.user, lifetime },
      ...(providerSid === undefined ? {} : { providerSid }),
      sealed: await this.vault.seal(sessionHash, kept),
    });
    await this.rows.remove(this.cookie.valuesIn(headers.cookie).filter(isId).map(hashOf));
    return { session: await this.current(id), setCookie: this.cookie.set(id, lifetime) };
  }

  /** Works on something else from now on. Throws Problem 403 where the claims don't allow it. */
  async choose({ row, kept }: OpenSession, choice: Choice): Promise<void> {
    await this.chosen(kept.accessToken, choice);
    await this.rows.choose(row.sessionHash, choice);
  }

  /** Ends the session, and gives the `Set-Cookie` that takes it from the browser. */
  async end({ row, kept }: OpenSession): Promise<string> {
    await this.rows.remove([row.sessionHash]);
    if (kept.refreshToken !== undefined) await this.provider?.revoke(kept.refreshToken);
    return this.cookie.clear();
  }

  /** Ends the sessions of whoever has signed out of the provider, wherever they are. */
  async endSignedOut(whose: SignedOut): Promise<void> {
    await this.rows.removeSignedOut(whose);
  }

  csrfOf({ id }: OpenSession): string {
    return csrfOf(id);
  }

  private async sweep(): Promise<void> {
    try {
      await this.rows.removeOver();
    } catch (error) {
      this.log.error(`Sessions that are over could not be removed: ${String(error)}`);
    }
  }
}

/** How a person is called, where the token says it (OpenID Connect Core, 5.1). */
function nameIn(claims: JWTPayload): string | undefined {
  const names = [claims['name'], claims['preferred_username'], claims['email']];
  return names
    .find((name): name is string => typeof name === 'string' && name.trim() !== '')
    ?.slice(0, MAX_NAME);
}

function csrfMissing(): Problem {
  const detail =
    'With a session, a request that is not a GET needs the header x-csrf-token with the value of csrf in GET /session. Read it again: it ' +
    'is another one after signing in.';
  return new Problem(403, 'csrf_token', detail);
}
