import fc from 'fast-check';
import { slices } from '../../src/app.module.js';
import { Domain } from '../../src/kernel/domain.js';
import { NotFound } from '../../src/kernel/errors.js';
import { Heads } from '../../src/kernel/heads.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { CatalogCache } from '../../src/effective-catalog/delivery/catalog-cache.service.js';
import type { CatalogQuestion, MadeCatalog } from '../../src/effective-catalog/effective-catalog.queries.js';
import { LatestWrites } from '../../src/effective-catalog/latest-writes.service.js';
import { NoHeads } from '../no-heads.js';
import { seldomSteps } from './catalog-steps.js';
import { World, type Step } from './catalog-world.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';
import { isSoak, many } from '../soak.js';

/** What does not concern the agent, most of the time. */
const aside: readonly Step[] = [
  ['POST', '/skills', (n) => ({ name: `Aside ${String(n)}`, contentMarkdown: 'x' })],
  ['POST', '/skills', (n) => ({ name: `Aside, too, ${String(n)}`, contentMarkdown: 'x' })],
  ['POST', '/tags', (n) => ({ entityType: 'skill', tagName: `aside-${String(n)}` })],
  [
    'POST',
    '/tools',
    (n) => ({
      name: `aside_${String(n)}`,
      description: 'x',
      implementationType: 'python',
      inputSchema: { type: 'object' },
    }),
  ],
];

eachOwnServer((server, kind) => {
  let world: World;
  let cache: CatalogCache;
  beforeAll(async () => {
    world = await World.make(server(), hostId);
    cache = server().app.get(CatalogCache);
  });

  /** By a memory that has never seen the catalog. */
  const afresh = (question: CatalogQuestion) => {
    const heads = new NoHeads();
    return new CatalogCache(
      server().app.get<Database>(DATABASE),
      heads,
      new LatestWrites(heads, new Domain(slices)),
    ).read(question);
  };
  const said = async (read: () => MadeCatalog | Promise<MadeCatalog>): Promise<object> => {
    try {
      const { bytes, etag, version } = await read();
      return { text: bytes.toString(), etag, version };
    } catch (error) {
      if (error instanceof NotFound) return { text: 'none' };
      throw error;
    }
  };

  it('memory gives what the tables give, bytes, tag and version, after whatever happens, and often without asking them', async () => {
    const { agentDefId, catalog } = world.agent;
    const query = new URLSearchParams(catalog.split('?')[1]);
    const registration = {
      hostId,
      agentDefId,
      services: [query.get('serviceId') ?? ''],
      environments: ['dev'],
    };
    const questions: CatalogQuestion[] = [
      { ...registration, withheld: true, examples: true },
      { ...registration, withheld: false, examples: false, tokenTier: 'internal' },
    ];
    let unasked = 0;
    const heads = server().app.get(Heads);
    const take = async ([step, n]: readonly [Step, number]): Promise<void> => {
      const [method, path, body] = step;
      const before = await heads.position(hostId);
      const { status, text } = await world.ask(method, path, body?.(n));
      if (![200, 201, 400, 404, 409].includes(status)) throw new Error(`${method} ${path}: ${text}`);
      for (const question of questions) {
        const given = cache.read(question);
        if (!(given instanceof Promise) && (await heads.position(hostId)) > before) unasked += 1;
        expect({ step: [method, path, n], ...(await said(() => given)) }).toEqual({
          step: [method, path, n],
          ...(await said(() => afresh(question))),
        });
      }
    };
    const some = (steps: readonly Step[], length: number) => {
      const step = fc.tuple(fc.constantFrom(...steps), fc.nat(999));
      return fc.noBias(fc.array(step, { minLength: length, maxLength: length }));
    };
    // What happens more seldom comes last: some of it is the end of a thing's life.
    const steps = [...world.steps(), ...aside];
    const seldom = seldomSteps(world.names());
    const property = fc.asyncProperty(
      some(steps, isSoak ? 300 : 30),
      some([...steps, ...seldom], isSoak ? 100 : 20),
      async (...parts) => {
        for (const one of parts.flat()) await take(one);
      },
    );
    await fc.assert(property, { ...many(1), endOnFailure: true });
    // A PostgreSQL far away, or busy, may confirm the end of the log too late each time.
    if (kind === 'embedded') expect(unasked).toBeGreaterThan(0);
  });
});
