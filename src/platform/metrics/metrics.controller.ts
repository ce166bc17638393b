import { Controller, Get, Header } from '@nestjs/common';
import { Operation } from '../http/operation.js';
import { Metrics } from './metrics.js';

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
