import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Rebuild } from '../../src/eventsourcing/rebuild.js';
import { DATABASE, type Database } from '../../src/eventsourcing/sql.js';
import { CatalogCache } from '../../src/effective-catalog/catalog-cache.service.js';
import { NoHeads } from '../no-heads.js';
import { World } from './catalog-world.js';
import { eachServer, hostId } from './server.js';

const otherHost = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const operator = 'catalog:read catalog:write catalog:admin catalog:all-services';
/** All that an administrator is shown, withheld tools and example prompts too. */
const inFull = '&withheld=true&examples=true';

eachServer((server, kind) => {
  let world: World;
  let other: World;
  let foreign: string;
  beforeAll(async () => {
    world = await World.make(server(), hostId);
    other = await World.make(server(), otherHost);
    foreign = await other.catalog();
  }, 60_000);

  /** Bytes by the position at which they were given, plain and in full. */
  const given = new Map<number, readonly [plain: string, full: string]>();
  const hashes = new Map<string, string>();
  const contents = new Map<string, string>();
  let version = 0;

  /** Another instance's view. */
  const elsewhere = async (full: boolean): Promise<string> => {
    const query = new URLSearchParams(world.agent.catalog.split('?')[1]);
    const cache = new CatalogCache(server().app.get<Database>(DATABASE), new NoHeads());
    const made = await cache.read({
      ...{ hostId, agentDefId: world.agent.agentDefId, withheld: full, examples: full },
      services: [query.get('serviceId') ?? ''],
      environments: [query.get('envTag') ?? ''],
    });
    return made.bytes.toString();
  };

  /** What holds after whatever happens. */
  const check = async (): Promise<void> => {
    const [plain, full] = [await world.catalog(), await world.catalog(inFull)];
    given.set(await world.position(), [plain, full]);
    const { catalogHash, catalogVersion, ...content } = JSON.parse(plain) as {
      readonly catalogHash: string;
      readonly catalogVersion: number;
    };
    expect(catalogVersion).toBeGreaterThanOrEqual(version);
    version = catalogVersion;
    // Equal content has an equal hash, and the other way round.
    const text = JSON.stringify(content);
    expect([contents.get(catalogHash) ?? text, hashes.get(text) ?? catalogHash]).toEqual([text, catalogHash]);
    contents.set(catalogHash, text);
    hashes.set(text, catalogHash);
    expect([await elsewhere(false), await elsewhere(true)]).toEqual([plain, full]);
    expect(await other.catalog()).toBe(foreign);
  };
  const expectPast = async (position: number): Promise<void> => {
    const asOf = `&asOf=${String(position)}`;
    const past = [await world.catalog(asOf), await world.catalog(inFull + asOf)];
    expect({ position, past }).toEqual({ position, past: given.get(position) });
  };
  const rebuild = async (): Promise<void> => {
    const before = [await world.catalog(), await world.catalog(inFull)];
    await server().app.get(Rebuild).run();
    expect([await elsewhere(false), await elsewhere(true)]).toEqual(before);
    expect(await other.catalog()).toBe(foreign);
  };

  it('whatever happens, the past stays as it was given, and a rebuild makes the same', async () => {
    const steps = world.steps();
    const step = fc.tuple(fc.nat(steps.length - 1), fc.nat(20), fc.nat());
    const applied = new Set<number>();
    await check();
    const run = async (sequence: readonly (readonly [number, number, number])[]): Promise<void> => {
      for (const [index, n, earlier] of sequence) {
        const [method, path, body] = steps[index] ?? ['GET', '/skills'];
        const { status, text } = await world.ask(method, path, body?.(n));
        if (![200, 201, 404, 409].includes(status)) throw new Error(`${method} ${path}: ${text}`);
        if (status < 300) applied.add(index);
        await check();
        const positions = [...given.keys()];
        await expectPast(positions[earlier % positions.length] ?? 0);
      }
      await rebuild();
    };
    const sequences = fc.array(step, { minLength: 8, maxLength: 24 });
    await fc.assert(fc.asyncProperty(sequences, run), { numRuns: 6, endOnFailure: true });
    expect(applied.size).toBeGreaterThan(15);
    for (const position of given.keys()) await expectPast(position);
  }, 300_000);

  it('a time stands for the last position before it', async () => {
    const before = await world.catalog();
    const moment = new Date().toISOString();
    await sleep(5);
    await world.ask('PATCH', `/skills/${world.agent.skillId}`, { description: `At ${moment}.` });
    expect(await world.catalog(`&asOf=${moment}`)).toBe(before);
    expect(await world.catalog(`&asOf=${new Date(Date.now() + 60_000).toISOString()}`)).toBe(
      await world.catalog(),
    );
    expect(await world.catalog('&asOf=2020-01-01T00:00:00Z')).toBe('status 404');
    expect(await world.catalog('&asOf=0')).toBe('status 404');
  });

  it.each(['999999999', 'yesterday', '-1', ''])('no such moment: %s', async (moment) => {
    expect(await world.catalog(`&asOf=${moment}`)).toBe('status 400');
  });

  it('needs catalog:admin, and keeps to the limits of the token', async () => {
    const past = `//v1/hosts/${hostId}${world.agent.catalog}&asOf=${String(await world.position())}`;
    const reader = await server().token({ scope: 'catalog:read catalog:all-services' });
    expect((await server().api('GET', past, { token: reader })).status).toBe(403);
    const narrow = await server().token({ scope: operator, maxSensitivityTier: 'public' });
    const { body } = await server().api<{ skills: { tools: object[] }[] }>('GET', past, { token: narrow });
    expect(JSON.stringify(body)).not.toContain('"sensitivityTier":"internal"');
  });

  if (kind === 'server') {
    it('every table behind the catalog keeps its history, with all columns that the catalog reads', async () => {
      const database = server().app.get<Database>(DATABASE);
      const missing = await database.asOwner.query<{ name: string }>(
        `SELECT t.table_name || '.' || t.column_name AS name FROM information_schema.columns t
         WHERE t.table_schema = 'catalog' AND EXISTS (SELECT FROM information_schema.tables h
           WHERE h.table_schema = 'catalog' AND h.table_name = regexp_replace(t.table_name, '_t$', '_history_t')
             AND h.table_name <> t.table_name)
           AND NOT EXISTS (SELECT FROM information_schema.columns k WHERE k.table_schema = 'catalog'
             AND k.table_name = regexp_replace(t.table_name, '_t$', '_history_t') AND k.column_name = t.column_name)
         ORDER BY 1`,
      );
      expect(missing.map(({ name }) => name)).toEqual([
        'api_endpoint_t.beneath',
        'api_endpoint_t.conflicts',
        'api_endpoint_t.digests',
        'api_endpoint_t.gaps',
        'api_endpoint_t.layers',
        'api_endpoint_t.provenance',
        'api_version_t.spec',
        'tool_t.overrides',
        'tool_t.script_content',
        'tool_t.words',
        'wf_definition_t.definition',
        'wf_definition_t.runs',
        'wf_definition_t.tool_calls',
        'wf_definition_t.warnings',
      ]);
    });
  }
});
