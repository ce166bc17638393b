import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  identity,
  listedAs,
  ScriptedCatalog,
  SdkGateway,
} from '../../test/agent-world.js';
import type { AgentClientOptions } from './agent-options.js';

const read = aTool('readAccount', { description: 'Shows one account with its balance.' });
const before = aCatalog([aSkill('Accounts', [read])]);
const after = aCatalog([aSkill('Accounts', [{ ...read, description: 'Shows the balance of an account.' }])], {
  catalogVersion: 2,
});
const prompt = 'what is the balance?';

function world(options: Partial<AgentClientOptions> = {}) {
  const catalog = new ScriptedCatalog(before);
  const gateway = new SdkGateway([listedAs(read)]);
  const time = { now: 1_700_000_000_000 };
  const made = (more: Partial<AgentClientOptions> = {}) =>
    anAgent(catalog, gateway, { clock: () => time.now, ...options, ...more }).agent;
  const asked = () =>
    catalog.requests.filter(({ url }) => new URL(url).pathname.endsWith('/effective-catalog'));
  return { catalog, time, made, asked };
}

describe('a catalog that has run out', () => {
  it('is confirmed without being sent again', async () => {
    const { time, made, asked } = world();
    const agent = made();
    await agent.prepare(prompt);
    time.now += 61_000;
    expect((await agent.prepare(prompt)).state).toMatchObject({ catalog: 'fresh', catalogAgeSeconds: 0 });
    expect(asked().map(({ headers }) => headers.get('if-none-match'))).toEqual([
      null,
      `"${before.catalogHash}"`,
    ]);
    time.now += 59_000;
    await agent.prepare(prompt);
    expect(asked().length).toBe(2);
    await agent.close();
  });

  it('is brought up to date by its changes alone', async () => {
    const { catalog, time, made, asked } = world();
    const agent = made();
    await agent.prepare(prompt);
    catalog.change(after);
    time.now += 61_000;
    const { tools, state } = await agent.prepare(prompt);
    expect(state).toMatchObject({ catalogVersion: 2, catalogHash: after.catalogHash });
    expect(tools).toMatchObject([{ description: 'Shows the balance of an account.' }]);
    expect(new URL(asked()[1]?.url ?? '').searchParams.get('since')).toBe(before.catalogHash);
    await agent.close();
  });
});

describe('a change that somebody tells of', () => {
  it.each([
    ['first-request', 'loads it with the next prompt, and not before', [1, 2]],
    ['startup', 'loads it at once', [2, 2]],
  ] as const)('where the agent loads at %s: %s', async (load, _, requests) => {
    const { catalog, made, asked } = world({ load });
    const agent = made();
    await agent.start();
    await agent.prepare(prompt);
    catalog.change(after);
    expect(await agent.clearCache()).toBe(load === 'startup' ? 'fresh' : 'stale');
    expect(asked().length).toBe(requests[0]);
    expect((await agent.prepare(prompt)).state).toMatchObject({ catalog: 'fresh', catalogVersion: 2 });
    expect(asked().length).toBe(requests[1]);
    await agent.close();
  });

  it('is not asked for at all where nobody prompts', async () => {
    const { made, asked } = world({ load: 'first-request' });
    const agent = made();
    await agent.start();
    agent.invalidate();
    expect(asked()).toEqual([]);
    await agent.close();
  });
});

describe('a catalog on disk', () => {
  let cacheDirectory: string;
  beforeEach(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'agent-cache-'));
  });
  afterEach(() => rm(cacheDirectory, { recursive: true }));

  const files = async (): Promise<string[]> =>
    (await readdir(cacheDirectory, { recursive: true }))
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(cacheDirectory, name));
  const stored = async (given: ReturnType<typeof world>, options: Partial<AgentClientOptions> = {}) => {
    const agent = given.made({ cacheDirectory, ...options });
    await agent.prepare(prompt);
    await agent.close();
  };

  it('is used by the next agent while the service does not answer, and no longer than its age allows', async () => {
    const given = world();
    await stored(given);
    given.catalog.down();
    given.time.now += 90_000;
    const agent = given.made({ cacheDirectory });
    const { tools, state } = await agent.prepare(prompt);
    expect(tools).toMatchObject([{ name: 'readAccount', source: 'catalog' }]);
    expect(state).toMatchObject({ catalog: 'stale', catalogAgeSeconds: 90 });
    given.time.now += 300_000;
    expect((await agent.prepare(prompt)).state).toMatchObject({ catalog: 'none', fallback: 'no_catalog' });
    await agent.close();
  });

  it('is confirmed, not sent again, where the service answers', async () => {
    const given = world();
    await stored(given);
    const agent = given.made({ cacheDirectory });
    expect((await agent.prepare(prompt)).state).toMatchObject({ catalog: 'fresh', catalogVersion: 1 });
    expect(given.asked()[1]?.headers.get('if-none-match')).toBe(`"${before.catalogHash}"`);
    await agent.close();
  });

  it('is the newest alone, and for the eyes of its owner', async () => {
    const given = world();
    await stored(given);
    given.catalog.change(after);
    await stored(given);
    const [file = '', ...others] = await files();
    expect(others).toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(after);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('is of no use to a token of another limit, nor where it was altered', async () => {
    const given = world();
    await stored(given);
    given.catalog.down();
    const payload = Buffer.from(JSON.stringify({ maxSensitivityTier: 'public' })).toString('base64url');
    const { hostId, agentDefId, serviceId, envTag } = before;
    const limited = given.made({
      cacheDirectory,
      catalog: {
        url: 'http://catalog.test',
        token: `e30.${payload}.c2ln`,
        ...{ hostId, agentDefId, serviceId, envTag },
      },
    });
    expect((await limited.prepare(prompt)).state.catalog).toBe('none');
    await limited.close();
    const [file = ''] = await files();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('Shows one account', 'Sends one account'));
    const agent = given.made({ cacheDirectory });
    expect((await agent.prepare(prompt)).state.catalog).toBe('none');
    await agent.close();
  });
});

describe('a catalog that another token was given', () => {
  it.each([
    ['another agent', { agent_def_id: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99' }],
    ['a lower limit', { maxSensitivityTier: 'public' }],
  ])('is not used for %s, also while the service does not answer', async (_, other) => {
    const { hostId: host, agentDefId, serviceId: sid, envTag: env } = identity;
    let claims: object = { host, sid, env, agent_def_id: agentDefId };
    const token = () => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
    const { catalog, made } = world({
      ...{ catalog: { url: 'http://catalog.test', token }, fallback: { noCatalog: 'none' } },
    });
    const agent = made();
    expect((await agent.prepare(prompt)).tools).toHaveLength(1);
    claims = { ...claims, ...other };
    catalog.down();
    agent.invalidate();
    await agent.prepare(prompt);
    expect(await agent.prepare(prompt)).toMatchObject({ tools: [], state: { catalog: 'none' } });
    await agent.close();
  });
});
