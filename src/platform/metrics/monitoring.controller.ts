import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { DATABASE, type Database } from '../../kernel/sql.js';
import { Operation } from '../http/operation.js';
import { Problem } from '../http/problem.js';
import { Metrics } from './metrics.js';

const MAX_WAIT_MS = 2000;

const answer = {
  type: 'object',
  additionalProperties: false,
  required: ['status'],
  properties: { status: { const: 'ok' } },
} as const;

/** For those who watch the process. */
@Controller('health')
export class HealthController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get('live')
  @Operation({
    id: 'getLiveness',
    summary: 'Whether the process runs. Asks nothing of the database.',
    scope: 'none',
    answer,
    example: { answer: { status: 'ok' } },
  })
  live(): object {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    id: 'getReadiness',
    summary: 'Whether requests can be served: the database is migrated and answers.',
    scope: 'none',
    answer,
    example: { answer: { status: 'ok' } },
  })
  async ready(): Promise<object> {
    const late = new AbortController();
    const timeout = sleep(MAX_WAIT_MS, false, { signal: late.signal }).catch(() => false);
    const answered = this.database.asOwner.query('SELECT 1').then(
      () => true,
      () => false,
    );
    const isReady = await Promise.race([answered, timeout]);
    late.abort();
    if (isReady) return { status: 'ok' };
    throw new Problem(503, 'not_ready', 'The database does not answer.', { headers: { 'retry-after': '5' } });
  }
}

const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', mediaType)
  @Operation({
    id: 'getMetrics',
    summary: 'Counters and measures of this instance, for Prometheus.',
    scope: 'none',
    answer: { type: 'string' },
    answerType: 'text/plain',
    example: {
      answer: '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.\n',
    },
  })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
