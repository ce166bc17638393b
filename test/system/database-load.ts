import { pause } from '../pause.js';
import { until } from '../until.js';
import type { Answer, Message } from './service-process.js';

export type Send = (method: string, path: string, more?: Message) => Promise<Answer>;

const query = {
  query_type: 'traversal',
  nodes: [{ id: 's', entity: 'Skill' }],
};

/** What every caller does at once, until told to end: each answer is kept. */
export class Load {
  readonly acknowledged: string[] = [];
  readonly refusals: Answer[] = [];
  private over = false;
  private readonly running: Promise<void>[] = [];

  constructor(private readonly send: Send) {
    for (let writer = 0; writer < 4; writer += 1) this.running.push(this.write(writer));
    const reads: readonly (() => Promise<Answer>)[] = [
      () => this.send('GET', '/skills?limit=5'),
      () => this.send('GET', '/events?limit=5'),
      () => this.send('POST', '/search', { body: { prompt: 'skill of writer' } }),
      () => this.send('POST', '/graph/query', { body: { query } }),
    ];
    for (const read of reads) this.running.push(this.read(read));
  }

  /** Waits until so many more writes were acknowledged. */
  acknowledges(more: number): Promise<unknown> {
    return grows(this.acknowledged, more);
  }

  /** Waits until so many more requests were refused. */
  refuses(more: number): Promise<unknown> {
    return grows(this.refusals, more);
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
  }

  /** Each skill is sent with one key until it is acknowledged; so it is there once. */
  private async write(writer: number): Promise<void> {
    for (let number = 0; !this.over; number += 1) {
      const name = `skill-${String(writer)}-${String(number)}`;
      const message = { body: { name, contentMarkdown: 'x' }, headers: { 'idempotency-key': name } };
      while ((await this.seen(this.send('POST', '/skills', message))).status !== 201) await pause(5);
      this.acknowledged.push(name);
    }
  }

  private async read(ask: () => Promise<Answer>): Promise<void> {
    while (!this.over) {
      await this.seen(ask());
      // Readers that never wait would be all that is served.
      await pause(5);
    }
  }

  private async seen(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    if (answer.status >= 400) this.refusals.push(answer);
    return answer;
  }
}

function grows(list: readonly unknown[], more: number): Promise<unknown> {
  const before = list.length;
  return until(
    () => list.length,
    (now) => now >= before + more,
  );
}

/** Names of skills in the log, as often as they are there. */
async function skillsOf(send: Send): Promise<string[]> {
  const names: string[] = [];
  for (let after = 0; ;) {
    const answer = await send('GET', `/events?limit=500&after=${String(after)}`);
    const { items } = JSON.parse(answer.text) as {
      items: { position: number; type: string; data: { name?: string } }[];
    };
    if (items.length === 0) return names;
    after = items.at(-1)?.position ?? after;
    names.push(...items.flatMap(({ type, data }) => (type === 'SkillCreatedEvent' ? [data.name ?? ''] : [])));
  }
}

/** Under load, while the database is disturbed: what can't be done is 503, what was acknowledged is there once, and all goes on. */
export async function proveUnderLoad(send: Send, disturb: (load: Load) => Promise<void>): Promise<void> {
  const load = new Load(send);
  try {
    await disturb(load);
  } finally {
    await load.end();
  }
  expect(load.acknowledged.length).toBeGreaterThan(10);
  const refused = load.refusals.map(({ status, headers, text }) => ({
    status,
    again: headers.get('retry-after'),
    code: (JSON.parse(text) as { code: string }).code,
  }));
  const known = refused.filter(
    ({ status, code, again }) =>
      (status === 503 && code === 'database_unavailable' && again !== null) ||
      // An attempt that nobody answered may have been made, or be under way still.
      (status === 409 && code === 'request_in_progress'),
  );
  expect(refused.filter((one) => !known.includes(one))).toEqual([]);
  expect(refused.filter(({ status }) => status === 503)).not.toEqual([]);
  // All is well at once: no connection that is over was kept.
  const after = await Promise.all(Array.from({ length: 32 }, () => send('GET', '/skills?limit=1')));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
  const names = await skillsOf(send);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(load.acknowledged.filter((name) => !names.includes(name))).toEqual([]);
}
