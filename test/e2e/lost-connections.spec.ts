import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServer } from '../integration/database-templates.js';
import { freshServerDatabase, type ServerDatabase } from '../integration/databases.js';
import { until } from '../until.js';
import { Relay } from './relay.js';
import { TestServer } from './server.js';
import { runToEnd, ServiceProcess, type Home } from './service-process.js';

const admin = process.env['TEST_DATABASE_URL'];
if (admin === undefined) process.stdout.write('Not run: TEST_DATABASE_URL is not set.\n');

/** Connections that are lost in each test. */
const losses = 150;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Send = (method: string, path: string, more?: Message) => Promise<Answer>;

interface Message {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A database behind a relay, and ways to lose the connections to it. */
interface Reach {
  readonly database: ServerDatabase;
  readonly relay: Relay;
  readonly url: string;
}

async function reached(): Promise<Reach> {
  const database = await freshServerDatabase();
  const near = new URL(database.url);
  const relay = await Relay.before(`http://${near.host}`);
  near.host = new URL(relay.url).host;
  return { database, relay, url: near.href };
}

/** How connections are lost; each gives how many were. */
const ways: readonly (readonly [string, (reach: Reach) => Promise<number>])[] = [
  [
    'terminated by PostgreSQL',
    async ({ database }) => {
      let ended = 0;
      await onServer(database.url, async (client) => {
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
        ended = rowCount ?? 0;
      });
      return ended;
    },
  ],
  ['cut on the way', ({ relay }) => Promise.resolve(lose(relay, 'cut'))],
  ['reset on the way', ({ relay }) => Promise.resolve(lose(relay, 'reset'))],
];

function lose(relay: Relay, how: 'cut' | 'reset'): number {
  const lost = relay.open;
  relay[how]();
  return lost;
}

const query = {
  query_type: 'traversal',
  nodes: [{ id: 's', entity: 'Skill' }],
};

/** What every caller does at once, until told to end: each answer is kept. */
class Load {
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

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
  }

  /** Each skill is sent with one key until it is acknowledged; so it is there once. */
  private async write(writer: number): Promise<void> {
    for (let number = 0; !this.over; number += 1) {
      const name = `skill-${String(writer)}-${String(number)}`;
      const message = { body: { name, contentMarkdown: 'x' }, headers: { 'idempotency-key': name } };
      while ((await this.seen(this.send('POST', '/skills', message))).status !== 201) await sleep(5);
      this.acknowledged.push(name);
    }
  }

  private async read(ask: () => Promise<Answer>): Promise<void> {
    while (!this.over) {
      await this.seen(ask());
      // Readers that never wait would be all that is served.
      await sleep(5);
    }
  }

  private async seen(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    if (answer.status >= 400) this.refusals.push(answer);
    return answer;
  }
}

/** Loses connections again and again, each time when new ones are in use. */
async function loseMany(load: Load, reach: Reach, way: (reach: Reach) => Promise<number>): Promise<void> {
  for (let lost = 0; lost < losses;) {
    const before = load.acknowledged.length;
    await until(
      () => load.acknowledged.length,
      (now) => now > before + 4,
    );
    lost += await way(reach);
  }
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

async function proveUnderLoad(
  send: Send,
  reach: Reach,
  way: (reach: Reach) => Promise<number>,
): Promise<void> {
  const load = new Load(send);
  try {
    await loseMany(load, reach, way);
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

const suite = admin === undefined ? describe.skip : describe;

suite('connections to PostgreSQL that are lost under load', () => {
  let reach: Reach;
  let home: Home;
  beforeEach(async () => {
    reach = await reached();
    const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-lost-'));
    home = {
      directory,
      environment: {
        DATA_DIR: directory,
        DATABASE_URL: reach.url,
        AUTH_DEV_ISSUER: 'on',
        LOG_LEVEL: 'fatal',
      },
      raze: () => rm(directory, { recursive: true }),
    };
  });
  afterEach(async () => {
    await reach.relay.stop();
    await reach.database.drop();
    await home.raze();
  });

  it.each(ways)('and were %s end nothing, double nothing, and are made anew', async (_name, way) => {
    // Its own directory holds the key of its tokens.
    const { DATA_DIR: _directory, ...environment } = home.environment;
    const server = await TestServer.start('embedded', environment);
    try {
      await proveUnderLoad((method, path, more) => server.api(method, path, more), reach, way);
    } finally {
      await server.stop();
    }
  });

  it.each(ways)('and were %s leave the process alive and the log whole', async (_name, way) => {
    const environment = { LOG_LEVEL: 'info' };
    const service = await ServiceProcess.start(home, environment);
    const token = await service.token();
    await proveUnderLoad((method, path, more) => service.send(method, path, token, more), reach, way);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect((await runToEnd('cli.js', ['verify'], home)).code).toBe(0);
  });
});
