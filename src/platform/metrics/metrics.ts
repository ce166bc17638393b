import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the service counts and measures, for Prometheus. Slices add their own under `catalog_…` names. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly requests = this.histogram('http_request_duration_seconds', 'Time to answer, by route template.', [
    'method',
    'route',
    'status',
  ]);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** `read` is asked when the metrics are read. */
  gauge(name: string, help: string, read: () => number | Promise<number>): Gauge {
    return new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  /** Seconds, from 1 ms to 10 s. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
    return new Histogram({ name, help, labelNames: [...labelNames], buckets, registers: [this.registry] });
  }
}
