import { Inject, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { DATABASE, type Database } from '../kernel/sql.js';
import { developmentRules, publishedKeys, TOKEN_RULES, type TokenRules } from './auth/issuers.js';
import type { JWTPayload } from 'jose';
import { TokenVerifier } from './auth/token-verifier.js';
import { AGENT_SCOPES, type AgentScopes } from './auth/visibility.js';
import { CONFIG, type Config } from './config/config.js';
import { DatabaseMetrics } from './database/database.module.js';
import { EventLogController } from './event-log/event-log.controller.js';
import { EventLogMetrics, EventLogReader } from './event-log/event-log.reader.js';
import { HealthController, MetricsController } from './metrics/monitoring.controller.js';
import { GracefulStop } from './http/graceful-stop.js';
import { OpenStreams } from './http/event-stream.js';
import { ProblemFilter } from './http/problem-details.js';
import { RateLimiter } from './http/rate-limiter.js';
import { installPipeline } from './http/request-pipeline.js';
import { recordRequests } from './http/request-records.js';
import { Idempotency } from './idempotency/idempotency.js';
import { LOG, type Log } from './logging/log.js';
import { Metrics } from './metrics/metrics.js';
import { Outbound } from './network/outbound.js';
import { SecretStore } from './network/secret-store.js';
import { DEVELOPMENT_CLAIMS, SessionController } from './sessions/session.controller.js';
import { SignInController } from './sessions/sign-in.controller.js';
import { Sessions } from './sessions/sessions.js';
import { SlowReads } from './work/slow-reads.js';

/** The platform's own routes. */
export const platformControllers = [
  HealthController,
  MetricsController,
  EventLogController,
  SessionController,
  SignInController,
];

/** Everything between the network and the slices. */
@Module({})
export class PlatformModule {
  /** Runs before any route is made: every one of them gets its stations. */
  constructor(
    adapterHost: HttpAdapterHost,
    verifier: TokenVerifier,
    sessions: Sessions,
    limiter: RateLimiter,
    metrics: Metrics,
    stop: GracefulStop,
    moduleRef: ModuleRef,
    @Inject(CONFIG) limits: Config,
    @Inject(LOG) log: Log,
  ) {
    const instance = adapterHost.httpAdapter.getInstance<FastifyInstance>();
    const agentScopes = (): AgentScopes => moduleRef.get<AgentScopes>(AGENT_SCOPES, { strict: false });
    recordRequests(instance, log, metrics);
    stop.install(instance);
    installPipeline(instance, { verifier, sessions, limiter, limits, agentScopes });
  }

  /** @param developmentClaims what the development issuer lets a person at a browser do */
  static forRoot(config: Config, log: Log, developmentClaims: JWTPayload): DynamicModule {
    const providers: Provider[] = [
      { provide: DEVELOPMENT_CLAIMS, useValue: developmentClaims },
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
      { provide: RateLimiter, useValue: new RateLimiter(config.rateLimit) },
      { provide: SlowReads, useValue: new SlowReads(config.slowReads) },
      {
        provide: OpenStreams,
        useFactory: (stop: GracefulStop) => new OpenStreams(config.streams, stop),
        inject: [GracefulStop],
      },
      {
        provide: TokenVerifier,
        useFactory: (metrics: Metrics, rules: TokenRules) => {
          const refused = metrics.counter('catalog_tokens_refused_total', 'Tokens refused, by code.', [
            'code',
          ]);
          return new TokenVerifier(rules, (code) => {
            refused.inc({ code });
          });
        },
        inject: [Metrics, TOKEN_RULES],
      },
      { provide: TOKEN_RULES, useFactory: () => tokenRules(config) },
      { provide: APP_FILTER, useClass: ProblemFilter },
      {
        provide: Idempotency,
        useFactory: (database: Database) => new Idempotency(database),
        inject: [DATABASE],
      },
      Metrics,
      GracefulStop,
      EventLogReader,
      EventLogMetrics,
      DatabaseMetrics,
      Outbound,
      SecretStore,
      Sessions,
    ];
    return {
      module: PlatformModule,
      global: true,
      controllers: platformControllers,
      providers,
      exports: [
        ...[CONFIG, LOG, Metrics, GracefulStop, RateLimiter, SlowReads, OpenStreams],
        ...[TokenVerifier, Idempotency, Outbound, SecretStore, Sessions],
      ],
    };
  }
}

function tokenRules({ tokens, dataDirectory }: Config): TokenRules | Promise<TokenRules> {
  switch (tokens.kind) {
    case 'issuer':
      return { ...tokens, keys: publishedKeys(tokens.jwksUri) };
    case 'development':
      return developmentRules(dataDirectory);
    case 'none':
      throw new Error(tokens.reason);
  }
}
