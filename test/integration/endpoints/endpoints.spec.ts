import { DeactivateEndpoint, UpdateEndpoint } from '../../../src/endpoints/endpoint/endpoint.routes.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { documentOf, EndpointWorld } from './endpoint-world.js';

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('the tables come out of the log again, row for row', async () => {
    const world = new EndpointWorld(database);
    const { items } = await world.import(documentOf(letters), true);
    const [a, b] = items.map(({ endpointId }) => endpointId);
    const patch = {
      description: 'Mine.',
      routing: { sensitivityTier: 'Restricted-PII', targetPersonas: ['"é", \\'] },
    };
    await world.execute(UpdateEndpoint, { endpointId: String(a), ...patch });
    await world.execute(DeactivateEndpoint, { endpointId: String(b) });
    await world.import(documentOf(letters.slice(0, 3), 'Does it well.'));
    await world.import(documentOf(letters.slice(1), 'Does it well.'));
    await world.import(documentOf(['z']), false, '2');
    const all = async () =>
      Promise.all((['api_t', 'api_version_t', 'api_endpoint_t'] as const).map((table) => world.rows(table)));
    const before = await all();
    expect(before.map((rows) => rows.length)).toEqual([1, 2, 7]);
    await new Rebuild(database, world.domain).run();
    expect(await all()).toEqual(before);
  });

  test('importing twice is importing once, also when both do it at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const world = new EndpointWorld(database);
      const document = documentOf(letters);
      const reports = await Promise.all([world.import(document, true), world.import(document, true)]);
      expect(reports.map(({ added }) => added).sort()).toEqual([0, 6]);
      const log = await world.log();
      const count = (type: string) => log.filter(({ event_type }) => event_type === type).length;
      const types = ['ApiCreatedEvent', 'ApiVersionCreatedEvent', 'ApiVersionSpecUpdatedEvent'];
      expect([...types, 'ApiEndpointImportedEvent', 'ToolPublishedEvent'].map(count)).toEqual([
        1, 1, 1, 6, 6,
      ]);
    }
  });

  test('of two documents imported at once, one comes wholly after the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const world = new EndpointWorld(database);
      await world.import(documentOf(['a']));
      await Promise.all([world.import(documentOf(['a', 'b'])), world.import(documentOf(['a', 'c']))]);
      const active = (await world.rows('api_endpoint_t')).filter((row) => row['active']);
      expect([
        ['/a@get', '/b@get'],
        ['/a@get', '/c@get'],
      ]).toContainEqual(active.map((row) => row['endpoint']).sort());
    }
  });

  test('an import that fails on its way leaves nothing behind', async () => {
    const world = new EndpointWorld(database);
    await world.import(documentOf(['a']));
    const before = [await world.log(), await world.rows('api_endpoint_t')];
    await database.asOwner.query(
      `ALTER TABLE api_endpoint_t ADD CONSTRAINT trap CHECK (endpoint <> '/trap@get' OR host_id <> '${world.hostId}')`,
    );
    await expect(world.import(documentOf([...letters, 'trap']))).rejects.toThrow(/trap/);
    expect([await world.log(), await world.rows('api_endpoint_t')]).toEqual(before);
    await database.asOwner.query('ALTER TABLE api_endpoint_t DROP CONSTRAINT trap');
  });

  test('reads nothing of endpoints that are unchanged', async () => {
    const world = new EndpointWorld(database);
    await world.import(documentOf(letters), true);
    const texts: string[] = [];
    const listening = new EndpointWorld(overheard(database, (text) => texts.push(text)));
    Object.assign(listening, { hostId: world.hostId, caller: world.caller, visibility: world.visibility });
    expect((await listening.import(documentOf(letters), true)).unchanged).toBe(6);
    expect(texts.filter((text) => /tool_schema|event_store_t/.test(text))).toEqual([]);
  });

  test('views show what is active of what is active, and move with it', async () => {
    const world = new EndpointWorld(database);
    const { items, apiVersionId } = await world.import(documentOf(['a', 'b']));
    await world.import(documentOf(['a']));
    const view = await database.of(world.hostId).query<{
      endpoint: string;
      active: boolean;
      api_name: string;
      position: number;
    }>('SELECT endpoint, active, api_name, position FROM endpoint_read WHERE host_id = $1 ORDER BY endpoint', [world.hostId]);
    expect(view).toEqual([
      { endpoint: '/a@get', active: true, api_name: 'Accounts', position: expect.any(Number) },
      { endpoint: '/b@get', active: false, api_name: 'Accounts', position: expect.any(Number) },
    ]);
    const log = await world.log();
    const last = log.findLastIndex(({ aggregate_id }) => aggregate_id === items[1]?.endpointId) + 1;
    expect(view[1]?.position).toBe(last);
    const [version] = await database
      .of(world.hostId)
      .query('SELECT * FROM api_version_read WHERE host_id = $1', [world.hostId]);
    expect(version).toMatchObject({
      api_version_id: apiVersionId,
      service_id: 'accounts',
      env_tag: 'dev',
      active: true,
    });
  });
});
