import { Body, Controller, Get, Header, Inject, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FromSchema } from 'json-schema-to-ts';
import type { JWTPayload } from 'jose';
import { mintToken } from '../auth/issuers.js';
import { CONFIG, type Config } from '../config/config.js';
import { Operation } from '../http/operation.js';
import { Problem } from '../http/problem.js';
import { RateLimiter } from '../http/rate-limiter.js';
import { isFromPageHere } from './own-origin.js';
import { claimsOfPersona } from './personas.js';
import { hostsOf } from './session-choice.js';
import {
  choiceBody,
  developmentBody,
  sessionState,
  signedOutAnswer,
  stateExample,
} from './session.schemas.js';
import { Sessions, type OpenSession } from './sessions.js';

/** Nest token of the claims that the development issuer gives a person at a browser. */
export const DEVELOPMENT_CLAIMS = Symbol('DevelopmentClaims');

type State = FromSchema<typeof sessionState>;

/** Claim `client_id` of tokens of the development issuer behind a session. */
const portalClient = 'portal-catalog-portal';

/** Members of a token that a page is sent. */
const sentClaims = [
  ...['sub', 'client_id', 'host', 'sid', 'env', 'scope', 'agent_def_id'],
  ...['maxSensitivityTier', 'commandTools'],
];

/** Signing in at a browser, and what is worked on. */
@Controller('session')
export class SessionController {
  constructor(
    private readonly sessions: Sessions,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DEVELOPMENT_CLAIMS) private readonly developmentClaims: JWTPayload,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @Operation({
    id: 'getSession',
    summary: 'Who is signed in at this browser, or how to sign in',
    scope: 'none',
    session: true,
    answer: sessionState,
    example: { answer: stateExample },
  })
  async read(@Req() request: FastifyRequest): Promise<State> {
    try {
      return this.stateOf(await this.opened(request));
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return this.signedOut();
      throw error;
    }
  }

  @Post('development')
  @Header('cache-control', 'no-store')
  @Operation({
    id: 'signInDevelopment',
    summary: 'Sign in by the development issuer, on the machine of the service',
    description:
      'Only where the development issuer is on, and only for a page of this service in a browser on this machine: 403 `page_only`.',
    scope: 'none',
    session: true,
    reads: true,
    body: developmentBody,
    bodyOptional: true,
    answer: sessionState,
    example: { body: { as: 'reviewer' }, answer: stateExample },
  })
  async signInDevelopment(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: FromSchema<typeof developmentBody>,
  ): Promise<State> {
    await this.limiter.take(`address ${request.ip}`);
    if (this.config.tokens.kind !== 'development') throw noDevelopmentIssuer();
    if (!isFromPageHere(request)) throw pageOnly();
    const { as, agent, scope, hostId } = body;
    if ((as === 'agent') !== (agent !== undefined)) throw agentNeeded();
    const claims: JWTPayload = {
      ...this.developmentClaims,
      ...(as !== undefined && claimsOfPersona(as, agent)),
      ...{ client_id: portalClient },
      ...(scope !== undefined && { scope }),
      ...(hostId !== undefined && { host: hostId }),
    };
    const { dataDirectory, sessions } = this.config;
    const accessToken = await mintToken(dataDirectory, claims, sessions.lifetime);
    const { session, setCookie } = await this.sessions.begin(request, { accessToken });
    reply.header('set-cookie', setCookie);
    return this.stateOf(session);
  }

  @Post('logout')
  @Header('cache-control', 'no-store')
  @Operation({
    id: 'signOut',
    summary: 'End the session',
    scope: 'none',
    session: true,
    reads: true,
    answer: signedOutAnswer,
    example: { answer: { signedIn: false } },
  })
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FromSchema<typeof signedOutAnswer>> {
    reply.header('set-cookie', await this.sessions.end(await this.opened(request)));
    const endSession = await this.sessions.provider?.endSession();
    return { signedIn: false, ...(endSession !== undefined && { endSession }) };
  }

  @Put('choice')
  @Header('cache-control', 'no-store')
  @Operation({
    id: 'chooseInSession',
    summary: 'Choose the host, service and environment that are worked on, of those that the claims allow',
    description:
      'The session then covers these alone: what lies outside of them is refused as with a token that does not name it.',
    scope: 'none',
    session: true,
    reads: true,
    body: choiceBody,
    answer: sessionState,
    example: {
      body: { hostId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01', envTag: 'dev' },
      answer: { ...stateExample, env: 'dev' },
    },
  })
  async choose(@Req() request: FastifyRequest, @Body() body: FromSchema<typeof choiceBody>): Promise<State> {
    const { hostId, serviceId = null, envTag = null } = body;
    await this.sessions.choose(await this.opened(request), { hostId, serviceId, envTag });
    return this.stateOf(await this.sessions.open(request));
  }

  /** The session of the request; who has none is counted by the address. */
  private async opened(request: FastifyRequest): Promise<OpenSession> {
    try {
      const session = await this.sessions.open(request);
      request.caller = session.caller;
      return session;
    } catch (error) {
      if (error instanceof Problem) await this.limiter.take(`address ${request.ip}`);
      throw error;
    }
  }

  private stateOf(session: OpenSession): State {
    const { caller, kept, claims, row } = session;
    const { services, environments } = caller;
    const only = (values: readonly string[] | 'all'): string | null =>
      values.length === 1 ? (values[0] ?? null) : null;
    return {
      signedIn: true,
      subject: caller.actor.user,
      name: kept.name,
      hosts: [...hostsOf(claims)],
      claims: sent(claims) as Extract<State, { signedIn: true }>['claims'],
      host: caller.hostId,
      sid: services === 'all' ? null : only(services),
      env: only(environments),
      csrf: this.sessions.csrfOf(session),
      expiresAt: new Date(Math.min(row.idleEnds, caller.expiresAt) * 1000).toISOString(),
    };
  }

  private signedOut(): State {
    const { signIn, publicUrl, tokens } = this.config;
    const start = `${(publicUrl?.pathname ?? '').replace(/\/$/, '')}/session/login`;
    return {
      signedIn: false,
      providers: signIn === undefined ? [] : [{ id: 'provider', name: signIn.name, start }],
      developmentSignIn: tokens.kind === 'development',
    };
  }
}

/** The claims under their names, scopes as one text. */
function sent(claims: JWTPayload): object {
  const { scp, ...rest } = claims;
  const scope = claims['scope'] ?? (Array.isArray(scp) ? scp.join(' ') : scp);
  const all: Readonly<Record<string, unknown>> = { ...rest, scope };
  return Object.fromEntries(
    sentClaims.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]),
  );
}

function noDevelopmentIssuer(): Problem {
  const detail = 'This service has no development issuer. GET /session says how to sign in.';
  return new Problem(403, 'development_issuer_off', detail);
}

function agentNeeded(): Problem {
  const detail = 'With `as: agent`, and only then, `agent` says which agent of the catalog it is.';
  return new Problem(400, 'agent_needed', detail);
}

function pageOnly(): Problem {
  const detail =
    'Signing in for development is for a page of this service alone, opened in a browser on the machine of the service.';
  return new Problem(403, 'page_only', detail);
}
