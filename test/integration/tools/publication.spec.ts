import { tiersUpTo } from '../../../src/platform/auth/sensitivity-tier.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { ToolWorld } from './tool-world.js';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

eachDatabase((open) => {
  let world: ToolWorld;
  let database: ToolWorld['database'];
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => {
    world = new ToolWorld(database);
  });

  test('publishing makes a tool of each endpoint, and again changes nothing', async () => {
    const version = await world.version('accounts');
    await world.carryOut(
      world.saying(version, '/accounts@get', {
        outputSchema: { type: 'array' },
        inputSchema: {
          ...{ type: 'object', required: ['owner'] },
          properties: {
            limit: { type: 'integer', default: 10 },
            owner: { type: 'string', description: 'Whose.' },
          },
        },
        routing: { domain: 'finance', targetPersonas: ['Teller'], sensitivityTier: 'Restricted-PII' },
      }),
      world.saying(version, '/accounts@post'),
    );
    const report = await world.publishAll(version);
    expect(report).toMatchObject({ published: 1, unchanged: 0, conflicts: [{ code: 'tool_name_taken' }] });
    expect(report.items).toEqual([expect.objectContaining({ name: 'accounts', version: 1, changed: true })]);
    const tool = await world.toolNamed('accounts');
    expect(tool).toMatchObject({
      ...{ version: '1.0.0', implementationType: 'lightapi_endpoint', apiId: 'accounts', envTag: 'dev' },
      ...{ domain: 'finance', sensitivityTier: 'restricted', targetPersonas: ['Teller'], semanticWeight: 1 },
      ...{
        responseSchema: { type: 'array' },
        changed: false,
        change: null,
        provenance: {},
        endpointActive: true,
      },
      params: [
        { name: 'owner', type: 'string', required: true, description: 'Whose.', order: 0 },
        { name: 'limit', type: 'integer', required: false, default: 10, order: 1 },
      ],
    });
    const again = await world.publishAll(version);
    expect(again).toMatchObject({ published: 0, unchanged: 1, position: report.position });
    expect(again.items).toEqual([expect.objectContaining({ id: tool.toolId, changed: false })]);
  });

  test('a name that is taken gets the API’s id in front where that is asked for', async () => {
    const first = await world.version('one');
    const second = await world.version('two.api');
    await world.carryOut(
      world.saying(first, '/ping@get'),
      world.saying(second, '/ping@get'),
      world.saying(second, '/x@get'),
    );
    await world.publishAll(first);
    const report = await world.publishAll(second, 'prefix');
    expect(report).toMatchObject({ published: 2, conflicts: [] });
    expect(report.items.map(({ name }) => name)).toEqual(['two_api_ping', 'x']);
  });

  test('a name is taken in its environment, and by a tool of every environment in all', async () => {
    const ofEnv = async (apiId: string, envTag: string | null) => {
      const version = await world.version(apiId, envTag);
      await world.carryOut(world.saying(version, '/ping@get'));
      return (await world.publishAll(version)).published;
    };
    expect([await ofEnv('a', 'dev'), await ofEnv('b', 'dev'), await ofEnv('c', 'prod')]).toEqual([1, 0, 1]);
    expect(await ofEnv('d', null)).toBe(0);
    await expect(world.createTool('ping')).rejects.toThrow(refusal('tool_name_taken'));
    await world.createTool('everywhere');
    const version = await world.version('e', 'dev');
    await world.carryOut(world.saying(version, '/everywhere@get'));
    expect(await world.publishAll(version)).toMatchObject({
      published: 0,
      conflicts: [{ code: 'tool_name_taken' }],
    });
  });

  test('endpoints out of use or without a fit name are reported, absent and unseen ones refused', async () => {
    const version = await world.version('accounts');
    const [fit, gone, odd] = [
      world.saying(version, '/fit@get'),
      world.saying(version, '/gone@get'),
      world.saying(version, '/odd@get', { name: 'no name for a tool' }),
    ];
    await world.carryOut(fit, gone, odd);
    await world.carryOut(world.silencing(version, '/gone@get'));
    const endpointIds = [fit, gone, odd].map(({ aggregateId }) => aggregateId);
    const report = await world.publish({ endpointIds });
    expect(report).toMatchObject({ published: 1, items: [{ name: 'fit' }] });
    expect(report.conflicts.map(({ code }) => code).sort()).toEqual(['endpoint_inactive', 'tool_name_unfit']);
    const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
    await expect(world.publish({ endpointIds: [fit.aggregateId, nowhere] })).rejects.toThrow(
      refusal('not_found'),
    );
    const narrow = [
      { ...world.visibility, services: ['payments'] },
      { ...world.visibility, environments: ['prod'] },
      { ...world.visibility, tiers: tiersUpTo('public') },
    ];
    for (const visibility of narrow) {
      await expect(world.publish({ endpointIds }, visibility)).rejects.toThrow(refusal('not_found'));
      expect(await world.publish({ filter: { apiId: 'accounts' } }, visibility)).toMatchObject({
        published: 0,
        items: [],
      });
      const [tool] = report.items;
      await expect(world.tool(tool?.id ?? '', visibility)).rejects.toThrow(refusal('not_found'));
    }
  });

  test('a request that does not say which endpoints is refused', async () => {
    await expect(world.publish({})).rejects.toThrow(refusal('invalid_body'));
  });

  test('a thousand endpoints are published with a handful of statements', async () => {
    const version = await world.version('large');
    const properties = {
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: 'string' },
      d: { type: 'string' },
    };
    const keys = Array.from({ length: 1000 }, (_, index) => `/thing${String(index)}@get`);
    await world.carryOut(
      ...keys.map((key) => world.saying(version, key, { inputSchema: { type: 'object', properties } })),
    );
    let statements = 0;
    const counting = new ToolWorld(overheard(database, () => (statements += 1)));
    Object.assign(counting, { hostId: world.hostId, visibility: world.visibility });
    expect(await counting.publishAll(version)).toMatchObject({ published: 1000 });
    expect(statements).toBeLessThan(200);
    const [params] = await database.asOwner.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM tool_param_t WHERE host_id = $1',
      [world.hostId],
    );
    expect(params?.count).toBe(4000);
  });
});
