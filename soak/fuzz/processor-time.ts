import type { HostileRequest } from '../../test/e2e/hostile-places.js';

/** A request may take so many times the processor time of the control of its size. */
export const MAX_RATIO = 10;
/** What took more is tried again alone: what does so each time is slow, and not the machine. */
const TRIES = 10;
/** Bodies of controls, in bytes. */
const sizes = [1_000, 10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];

/** A body that is valid, and of no use to anybody: it is read, checked and answered. */
function controlOf(bytes: number): HostileRequest {
  const record = { id: 1, on: true };
  const count = Math.max(1, Math.floor(bytes / (JSON.stringify(record).length + 1)));
  const params = { _meta: { 'example.com/records': Array.from({ length: count }, () => record) } };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params });
  return { title: `control of ${String(bytes)} bytes`, method: 'POST', path: '/mcp', body: () => text };
}

interface Control {
  readonly bytes: number;
  readonly request: HostileRequest;
  /** Seconds that it costs at least. */
  usual: number;
  /** How many of it what is measured may count for. */
  times: number;
}

/** Compares what requests cost a service with what a control of the same size costs the same process. */
export class ProcessorTime {
  private readonly controls: readonly Control[] = sizes.map((bytes) => {
    return { bytes, request: controlOf(bytes), usual: Infinity, times: 1 };
  });

  constructor(
    private readonly address: string,
    private readonly send: (request: HostileRequest) => Promise<unknown>,
  ) {}

  /** Those that cost more than they may, each time they are tried, with their ratio. */
  async above(requests: Iterable<HostileRequest>): Promise<string[]> {
    const found: string[] = [];
    for (const { body, ...request } of requests) {
      const text = body?.();
      const made = { ...request, ...(text !== undefined && { body: () => text }) };
      const control = this.controlFor(Buffer.byteLength(text ?? ''));
      if (control.usual === Infinity) control.usual = await this.leastOf(control.request);
      if ((await this.costOf(made)) <= MAX_RATIO * control.usual * control.times) continue;
      const ratio = await this.alone(made, control);
      if (ratio > MAX_RATIO) found.push(`${request.title}: ${ratio.toFixed(1)} times its control`);
    }
    return found;
  }

  /** The best of its tries, each beside a control. */
  private async alone(request: HostileRequest, control: Control): Promise<number> {
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best > MAX_RATIO; tries += 1) {
      const usual = await this.costOf(control.request);
      best = Math.min(best, (await this.costOf(request)) / (usual * control.times));
    }
    return best;
  }

  /** The next larger one; what is larger than all is worth several of the largest. */
  private controlFor(bytes: number): Control {
    const control = this.controls.find((each) => each.bytes >= bytes) ?? this.controls.at(-1);
    if (control === undefined) throw new Error('There is no control.');
    control.times = Math.max(1, bytes / control.bytes);
    return control;
  }

  /** Where the code is warm. */
  private async leastOf(control: HostileRequest): Promise<number> {
    let least = Infinity;
    for (let tries = 0; tries < TRIES; tries += 1) least = Math.min(least, await this.costOf(control));
    return least;
  }

  /** Seconds of processor time. */
  private async costOf(request: HostileRequest): Promise<number> {
    const before = await this.seconds();
    await this.send(request);
    return (await this.seconds()) - before;
  }

  private async seconds(): Promise<number> {
    const text = await (await fetch(`${this.address}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1] ?? NaN);
  }
}
