import { Body, Controller, Get, Header, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { TOKEN_RULES, type TokenRules } from '../auth/issuers.js';
import { CONFIG, type Config } from '../config/config.js';
import { Operation } from '../http/operation.js';
import { Problem } from '../http/problem.js';
import { RateLimiter } from '../http/rate-limiter.js';
import { LogoutTokens } from './logout-token.js';
import type { Attempt, Provider } from './provider.js';
import { Cookie, idIn, isSecure } from './session-cookie.js';
import { signInPage } from './sign-in.page.js';
import { returnPath } from './session.schemas.js';
import { Sessions } from './sessions.js';

/** What the browser keeps, sealed, while its person is at the provider. */
interface Begun extends Attempt {
  readonly returnTo: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const ATTEMPT_S = 600;
const sealedFor = 'sign-in';
const html = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
const page = { type: 'string' } as const;

/** The way to the provider and back, by the browser; and what the provider says behind its back. */
@Controller('session')
export class SignInController {
  private readonly cookie: Cookie;
  private readonly logoutTokens: LogoutTokens | undefined;
  /** States that came back: a second time, they are a replay. */
  private readonly used = new LRUCache<string, true>({ max: 10_000, ttl: ATTEMPT_S * 1000 });

  constructor(
    private readonly sessions: Sessions,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOKEN_RULES) rules: TokenRules,
  ) {
    this.cookie = new Cookie('sign-in', isSecure(config));
    this.logoutTokens = config.signIn && new LogoutTokens(rules, config.signIn.clientId);
  }

  @Get('login')
  @Operation({
    id: 'startSignIn',
    summary: 'Lead the browser to the provider, to sign in there',
    description:
      'Answers 302. `returnTo` is the path to come back to: one of this service, and nothing else.',
    scope: 'none',
    query: { type: 'object', additionalProperties: false, properties: { returnTo: returnPath } },
    redirects: true,
    answer: page,
    answerType: 'text/html',
    example: { query: { returnTo: '/skills' }, answer: '' },
  })
  async start(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('returnTo') returnTo?: string,
  ): Promise<void> {
    await this.led(request, reply, async (provider) => {
      const attempt = provider.newAttempt();
      const address = await provider.start(attempt);
      const begun: Begun = {
        ...attempt,
        ...{ returnTo: returnTo ?? this.base('/'), until: Date.now() + ATTEMPT_S * 1000 },
      };
      reply.header(
        'set-cookie',
        this.cookie.set(await this.sessions.vault.seal(sealedFor, begun), ATTEMPT_S),
      );
      return address.href;
    });
  }

  @Get('callback')
  @Operation({
    id: 'finishSignIn',
    summary: 'Where the provider leads the browser back to',
    description: 'Answers 302, with the cookie of a new session.',
    scope: 'none',
    // Providers add what they like.
    query: { type: 'object', additionalProperties: true },
    redirects: true,
    answer: page,
    answerType: 'text/html',
    example: { answer: '' },
  })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.led(request, reply, async (provider) => {
      reply.header('set-cookie', this.cookie.clear());
      const begun = await this.begun(request);
      if (this.used.has(begun.state)) throw notBegun();
      this.used.set(begun.state, true);
      const at = request.url.indexOf('?');
      const signedIn = await provider.finish(at < 0 ? '' : request.url.slice(at), begun);
      const { setCookie } = await this.sessions.begin(request, signedIn);
      reply.header('set-cookie', setCookie);
      return `${this.publicUrl().origin}${begun.returnTo}`;
    });
  }

  @Post('back-channel-logout')
  @Header('cache-control', 'no-store')
  @Operation({
    id: 'signOutByProvider',
    summary: 'Take the provider’s word that somebody has signed out',
    description:
      'OpenID Connect Back-Channel Logout 1.0: a form with `logout_token`, from the provider. Ends the sessions of the person, or the one that `sid` names.',
    scope: 'none',
    reads: true,
    upload: 'form',
    body: { type: 'string', description: 'logout_token=…' },
    answer: { type: 'object' },
    example: { body: 'logout_token=eyJ…', answer: {} },
  })
  async signOut(@Req() request: FastifyRequest, @Body() body: Buffer): Promise<object> {
    await this.limiter.take(`address ${request.ip}`);
    if (this.logoutTokens === undefined) throw notConfigured();
    const tokens = new URLSearchParams(body.toString()).getAll('logout_token');
    const [token, ...more] = tokens;
    if (token === undefined || more.length > 0)
      throw new Problem(400, 'logout_token_invalid', 'The form must hold one logout_token.');
    await this.sessions.endSignedOut(await this.logoutTokens.read(token));
    return {};
  }

  /** Leads the browser on, to what `work` gives; where that fails, says so on a page that a person can read. */
  private async led(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (provider: Provider) => Promise<string>,
  ): Promise<void> {
    reply.headers(html);
    try {
      await this.limiter.take(`address ${request.ip}`);
      if (this.sessions.provider === undefined) throw notConfigured();
      const address = await work(this.sessions.provider);
      await reply.redirect(address, 302);
    } catch (error) {
      const wantsPage = (request.headers.accept ?? '').includes('text/html');
      if (!(error instanceof Problem) || !wantsPage) throw error;
      request.problemCode = error.code;
      await reply
        .code(error.status)
        .headers(error.headers)
        .header('x-request-id', request.id)
        .type('text/html; charset=utf-8')
        .send(signInPage(error, this.base('/session/login'), this.base('/')));
    }
  }

  private async begun({ headers }: FastifyRequest): Promise<Begun> {
    const sealed = idIn(this.cookie, headers.cookie);
    const begun = sealed === undefined ? undefined : await this.sessions.vault.open<Begun>(sealedFor, sealed);
    if (begun === undefined || begun.until < Date.now()) throw notBegun();
    return begun;
  }

  private publicUrl(): URL {
    if (this.config.publicUrl === undefined) throw notConfigured();
    return this.config.publicUrl;
  }

  /** A path of the service as browsers have it. */
  private base(path: string): string {
    return (this.config.publicUrl?.pathname ?? '').replace(/\/$/, '') + path;
  }
}

function notConfigured(): Problem {
  const detail = 'This service has no provider to sign in at. Who runs it sets SIGN_IN_CLIENT_ID.';
  return new Problem(403, 'sign_in_not_configured', detail);
}

function notBegun(): Problem {
  const detail =
    'This browser did not begin to sign in here, did so more than ten minutes ago, or has come back with the same answer twice. Sign in again.';
  return new Problem(400, 'sign_in_unknown', detail);
}
