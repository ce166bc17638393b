import fc from 'fast-check';
import { slices } from '../../src/app.module.js';
import { Domain } from '../../src/kernel/domain.js';
import { Heads } from '../../src/kernel/heads.js';
import { Rebuild } from '../../src/kernel/rebuild.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { CatalogCache } from '../../src/effective-catalog/delivery/catalog-cache.service.js';
import { LatestWrites } from '../../src/effective-catalog/latest-writes.service.js';
import { NoHeads } from '../no-heads.js';
import { CatalogWitness, type Elsewhere } from './catalog-witness.js';
import { seldomSteps } from './catalog-steps.js';
import { World } from './catalog-world.js';
import { presentMoment } from '../dates.js';
import { until } from '../until.js';
import { RebuiltBeside } from './rebuilt-beside.js';
import { eachOwnServer, type OwnServer } from './own-server.js';
import { hostId } from './server.js';
import { isSoak, many } from '../soak.js';

const otherHost = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const operator = 'catalog:read catalog:write catalog:admin catalog:all-services';

eachOwnServer((server, kind) => {
  let world: World;
  let other: World;
  let second: OwnServer | undefined;
  beforeAll(async () => {
    world = await World.make(server(), hostId);
    other = await World.make(server(), otherHost);
    second = kind === 'server' ? await server().another() : undefined;
  });

  /** By a memory that has never seen the catalog: made of tables as they are now. */
  const from =
    (database: () => Database): Elsewhere =>
    async ({ host, agent }, more) => {
      const query = new URLSearchParams(agent.catalog.split('?')[1]);
      const heads = new NoHeads();
      const cache = new CatalogCache(database(), heads, new LatestWrites(heads, new Domain(slices)));
      const full = more !== '';
      const made = await cache.read({
        ...{ hostId: host, agentDefId: agent.agentDefId, withheld: full, examples: full },
        services: [query.get('serviceId') ?? ''],
        environments: [query.get('envTag') ?? ''],
      });
      return made.bytes.toString();
    };
  const fromTables = from(() => server().app.get<Database>(DATABASE));
  const rebuilt = new RebuiltBeside(server);
  const fromRebuilt = from(() => rebuilt.database);
  /** By a second instance of the service, once it has seen the log as far as the first has. */
  const bySecond: Elsewhere = async (of, more) => {
    if (second === undefined) return of.catalog(more);
    const [heads, position] = [second.app.get(Heads), await of.position()];
    await until(
      () => heads.position(of.host),
      (seen) => seen >= position,
    );
    return of.catalog(more, second);
  };

  /**
   * Every kind of step once, in a random order; outside of a soak a few of them. Beside the live tables, which go on as the steps leave them, the log makes
   * others, which take in each step and are made anew now and then; and what was given after steps before is asked for, of
   * some of them in turn. Halfway and at the end it is of all of them, and again once the live tables are rebuilt, too.
   */
  it('after each step memory, tables, tables made of the log and, on PostgreSQL, a second instance agree, the other host unmoved, and the past is what earlier steps had given', async () => {
    const elsewhere = [fromTables, fromRebuilt, bySecond];
    const [ours, theirs] = [new CatalogWitness(world, elsewhere), new CatalogWitness(other, elsewhere)];
    const witnesses = [ours, theirs];
    for (const witness of witnesses) await witness.note();
    const stepsOf = (one: World) => [...one.steps(), ...seldomSteps(one.names())];
    const kinds = stepsOf(world).map((_, index) => index);
    const steps = isSoak ? kinds.length : 6;
    const applied = new Set<number>();
    const expectUnmoved = async (): Promise<void> => {
      for (const witness of witnesses) await witness.expectUnmoved();
    };
    const expectPast = async (some?: number): Promise<void> => {
      for (const witness of witnesses) await witness.expectPast(some);
    };
    const run = async (order: readonly number[], where: readonly (readonly [boolean, number])[]) => {
      for (const [at, kind] of order.entries()) {
        const [here = true, n = 0] = where[at] ?? [];
        const witness = here ? ours : theirs;
        const [method, path, body] = stepsOf(witness.world)[kind] ?? ['GET', '/skills'];
        const { status, text } = await witness.world.ask(method, path, body?.(n));
        if (![200, 201, 400, 404, 409].includes(status)) throw new Error(`${method} ${path}: ${text}`);
        if (status < 300) applied.add(kind);
        await witness.note();
        await (at % 8 === 0 ? rebuilt.make() : rebuilt.catchUp());
        await expectUnmoved();
        await expectPast(2);
        if (at !== Math.floor(order.length / 2) && at !== order.length - 1) continue;
        await expectPast();
        await server().app.get(Rebuild).run();
        await rebuilt.make();
        await expectUnmoved();
        await expectPast();
      }
    };
    const size = { minLength: steps, maxLength: steps };
    const where = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
        fc.nat(20),
      ),
      size,
    );
    const property = fc.asyncProperty(fc.shuffledSubarray(kinds, size), where, run);
    await fc.assert(property, { ...many(1), endOnFailure: true });
    expect(applied.size).toBeGreaterThan(steps / 2);
  });

  it('a time stands for the last position before it', async () => {
    const before = await world.catalog();
    const moment = presentMoment();
    await until(presentMoment, (time) => time > moment);
    await world.ask('PATCH', `/skills/${world.agent.skillId}`, { description: `At ${moment}.` });
    expect(await world.catalog(`&asOf=${moment}`)).toBe(before);
    expect(await world.catalog('&asOf=2999-01-01T00:00:00Z')).toBe(await world.catalog());
    for (const early of ['2020-01-01T00:00:00Z', '2020-01-01t00:00:00-20:00', '0000-01-01T00:00:00Z'])
      expect(await world.catalog(`&asOf=${early}`)).toBe('status 404');
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
    const confined = await server().token({ scope: operator, agent_def_id: world.agent.agentDefId });
    expect((await server().api('GET', past, { token: confined })).body).toMatchObject({
      code: 'confined_token',
    });
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
        'api_endpoint_t.redacted',
        'api_endpoint_t.suspicious',
        'api_version_t.spec',
        'gateway_t.caller_identity',
        'skill_t.name_folded',
        'tool_t.call',
        'tool_t.overrides',
        'tool_t.script_content',
        'tool_t.words',
        'tool_version_t.about',
        'tool_version_t.accepted',
        'tool_version_t.author',
        'tool_version_t.eval_config',
        'tool_version_t.eval_config_text',
        'tool_version_t.evaluation',
        'tool_version_t.origin',
        'tool_version_t.review',
        'tool_version_t.seen',
        'tool_version_t.spec_text',
        'wf_definition_t.definition',
        'wf_definition_t.runs',
        'wf_definition_t.tool_calls',
        'wf_definition_t.warnings',
      ]);
    });
  }
});
