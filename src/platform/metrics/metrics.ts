import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Figures by the value of a label; there must be few values. */
type Figures = Readonly<Record<string, number>>;

/** A database that hangs must not keep back the other figures. */
const MAX_LOOK_MS = 2000;

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

  /** Calls `read` when the metrics are read, and leaves the gauge out where it fails or takes too long. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = new Gauge({
      ...{ name, help, registers: [this.registry] },
      collect: async () => {
        gauge.remove();
        const value = await soon(read);
        if (value !== undefined) gauge.set(value);
      },
    });
  }

  /** The same of several, by the values of one label. */
  gauges(name: string, help: string, label: string, read: () => Figures | Promise<Figures>): void {
    const gauge = new Gauge({
      ...{ name, help, labelNames: [label], registers: [this.registry] },
      collect: async () => {
        const values = Object.entries((await soon(read)) ?? {});
        gauge.reset();
        for (const [each, value] of values) gauge.labels(each).set(value);
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

/** Undefined where it fails or takes too long. */
async function soon<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const timeout = sleep(MAX_LOOK_MS, undefined, { signal: late.signal }).catch(() => undefined);
  try {
    return await Promise.race([read(), timeout]);
  } catch {
    return undefined;
  } finally {
    late.abort();
  }
}
