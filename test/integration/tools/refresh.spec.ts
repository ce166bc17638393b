import {
  ActivateEndpoint,
  DeactivateEndpoint,
  OverrideEndpoint,
} from '../../../src/endpoints/endpoint/endpoint.decider.js';
import { endpointRecord, endpointsById } from '../../../src/endpoints/endpoint/endpoint.lookup.js';
import { evolveEndpoint, unknownEndpoint } from '../../../src/endpoints/endpoint/endpoint.state.js';
import { BUILDING, Generation } from '../../../src/kernel/generation.js';
import { readMigrations } from '../../../src/kernel/migrations.js';
import { ActivateTool, DeactivateTool } from '../../../src/tools/tool/tool-writes.planner.js';
import { planPublication } from '../../../src/tools/publication/publication.planner.js';
import { eachDatabase } from '../databases.js';
import { ToolWorld, type Version } from './tool-world.js';
import { isSoak } from '../../soak.js';

const taking = (...names: string[]) => ({
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
});

eachDatabase((open) => {
  let world: ToolWorld;
  let database: ToolWorld['database'];
  let version: Version;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    world = new ToolWorld(database);
    version = await world.version('accounts');
  });

  /** No name is held twice at any event, so that a rebuild may stop between any two. */
  const expectSameAfterSingleSteps = async () => {
    const live = await world.rows();
    await world.replay(1);
    expect(await world.rows()).toEqual(live);
  };

  test('a changed endpoint refreshes its tool in the same transaction and keeps the operator’s words', async () => {
    await world.carryOut(
      world.saying(version, '/get@get', { ...taking('a', 'b'), routing: { domain: 'theirs' } }),
    );
    await world.publishAll(version);
    const { toolId } = await world.toolNamed('get');
    await world.updateTool(toolId, { routing: { domain: 'ours' }, examplePrompts: ['get it'] });
    await world.carryOut(
      world.saying(version, '/get@get', {
        ...taking('b', 'c'),
        description: 'New.',
        outputSchema: { type: 'object' },
      }),
    );
    const tool = await world.toolNamed('get');
    expect(tool).toMatchObject({
      ...{
        version: '1.0.1',
        description: 'About /get',
        domain: 'ours',
        changed: true,
        examplePrompts: ['get it'],
      },
      provenance: { 'routing.domain': 'operator' },
      change: {
        grade: 'breaking',
        fields: ['description', 'inputSchema', 'outputSchema', 'routing.domain'],
        before: { description: 'About /get', outputSchema: null, 'routing.domain': 'theirs' },
        after: { description: 'New.', outputSchema: { type: 'object' }, 'routing.domain': null },
      },
    });
    expect(tool.params?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect((await world.tools({ changed: true })).map(({ name }) => name)).toEqual(['get']);
    await world.acceptTool(toolId);
    expect(await world.toolNamed('get')).toMatchObject({
      ...{
        version: '2.0.0',
        description: 'New.',
        domain: 'ours',
        changed: false,
        examplePrompts: ['get it'],
      },
      responseSchema: { type: 'object' },
    });
    const params = await database.asOwner.query(
      'SELECT name FROM tool_param_t WHERE host_id = $1 ORDER BY name',
      [world.hostId],
    );
    expect(params).toEqual([{ name: 'b' }, { name: 'c' }]);
  });

  test('an operator’s word on the endpoint reaches the tool, and one on the tool wins over it', async () => {
    const endpoint = world.saying(version, '/get@get');
    await world.carryOut(endpoint);
    await world.publishAll(version);
    const overriding = (description: string | null) =>
      new OverrideEndpoint(world.hostId, endpoint.aggregateId, { description });
    await world.carryOut(overriding('Of the endpoint.'));
    const { toolId } = await world.toolNamed('get');
    expect(await world.tool(toolId)).toMatchObject({ description: 'Of the endpoint.', version: '1.0.1' });
    await world.updateTool(toolId, { description: 'Of the tool.' });
    await world.carryOut(overriding('Of the endpoint again.'));
    expect(await world.tool(toolId)).toMatchObject({
      ...{ description: 'Of the tool.', version: '1.0.2' },
      beneath: { description: 'Of the endpoint again.' },
    });
    await world.updateTool(toolId, { description: null });
    expect(await world.tool(toolId)).toMatchObject({
      description: 'Of the endpoint again.',
      version: '1.0.3',
    });
  });

  test('an endpoint that goes leaves the tool’s flag, frees its name, and takes it up again', async () => {
    const endpoint = world.saying(version, '/get@get');
    await world.carryOut(endpoint);
    await world.publishAll(version);
    await world.carryOut(world.silencing(version, '/get@get'));
    expect(await world.toolNamed('get')).toMatchObject({
      active: true,
      endpointActive: false,
      changed: false,
    });
    const script = await world.createTool('get');
    await world.execute(DeactivateTool, { toolId: script.id });
    await world.carryOut(endpoint);
    const [tool] = await world.tools({ name: 'get', active: 'true' });
    expect(tool).toMatchObject({ implementationType: 'lightapi_endpoint', endpointActive: true });
    const activation = world.execute(ActivateTool, { toolId: script.id });
    await expect(activation).rejects.toMatchObject({ code: 'tool_name_taken' });
  });

  test('a tool that comes back to a taken name stays inactive', async () => {
    const endpoint = world.saying(version, '/get@get');
    await world.carryOut(endpoint);
    await world.publishAll(version);
    await world.carryOut(new DeactivateEndpoint(world.hostId, endpoint.aggregateId, {}));
    const script = await world.createTool('get');
    await world.carryOut(new ActivateEndpoint(world.hostId, endpoint.aggregateId, {}));
    const [tool] = await world.tools({ name: 'get', active: 'false' });
    expect(tool).toMatchObject({ implementationType: 'lightapi_endpoint', endpointActive: true });
    await world.execute(DeactivateTool, { toolId: script.id });
    await world.execute(ActivateTool, { toolId: tool?.toolId ?? '' });
    expect(await world.tool(tool?.toolId ?? '')).toMatchObject({ active: true });
  });

  test('a name passes from tool to tool within one write, there and back', async () => {
    const [old, young] = [
      world.saying(version, '/old@get', { name: 'get' }),
      world.saying(version, '/young@get', { name: 'get' }),
    ];
    await world.carryOut(old);
    await world.publishAll(version);
    const known = (endpoint: typeof old, active: boolean) => {
      const state = evolveEndpoint(unknownEndpoint, {
        type: 'ApiEndpointImportedEvent',
        data: endpoint.payload,
      });
      return { ...endpointRecord(endpoint.aggregateId, state), active };
    };
    await world.write(async (sql) => {
      const records = [known(young, true), known(old, false)];
      const { leaving, commands, conflicts } = await planPublication(sql, world.hostId, records, {
        onConflict: 'report',
        named: true,
      });
      expect([leaving.length, commands.length, conflicts]).toEqual([1, 1, []]);
      return [young, world.silencing(version, '/old@get'), ...leaving, ...commands];
    });
    const holders = async () =>
      (await world.tools({ name: 'get' }))
        .filter(({ active, endpointActive }) => active && endpointActive === true)
        .map(({ endpointId }) => endpointId);
    expect(await holders()).toEqual([young.aggregateId]);
    await world.carryOut(world.silencing(version, '/young@get'), old);
    expect(await holders()).toEqual([old.aggregateId]);
    await world.carryOut(young);
    expect(await holders()).toEqual([old.aggregateId]);
    const [out] = await world.tools({ name: 'get', active: 'false' });
    expect(out?.endpointId).toBe(young.aggregateId);
    await expectSameAfterSingleSteps();
  });

  test('tools that find their names taken as they come back leave before they are told of it', async () => {
    const other = await world.version('others');
    const [first, second] = [world.saying(version, '/get@get'), world.saying(other, '/get@get')];
    await world.carryOut(first);
    await world.publishAll(version);
    await world.carryOut(world.silencing(version, '/get@get'), second);
    await world.publishAll(other);
    await world.carryOut(first);
    const out = await world.tools({ name: 'get', active: 'false' });
    expect(out.map(({ endpointId }) => endpointId)).toEqual([first.aggregateId]);
    await expectSameAfterSingleSteps();
  });

  test('a publication that meets its own returning namesake says so', async () => {
    const [old, young] = [
      world.saying(version, '/old@get', { name: 'get' }),
      world.saying(version, '/young@get', { name: 'get' }),
    ];
    await world.carryOut(old);
    await world.publishAll(version);
    await world.carryOut(world.silencing(version, '/old@get'));
    const report = await world.write(async (sql) => {
      const records = [old, young].map((endpoint) => {
        const state = evolveEndpoint(unknownEndpoint, {
          type: 'ApiEndpointImportedEvent',
          data: endpoint.payload,
        });
        return endpointRecord(endpoint.aggregateId, state);
      });
      const { commands, conflicts } = await planPublication(sql, world.hostId, records, {
        onConflict: 'report',
        named: true,
      });
      expect(conflicts).toMatchObject([{ endpointId: young.aggregateId, code: 'tool_name_taken' }]);
      return [old, young, ...commands];
    });
    expect(report.changed).toBe(true);
    expect(await world.tools({ name: 'get' })).toMatchObject([{ active: true, endpointActive: true }]);
  });

  if (isSoak) {
    test('names that were handed on late in a long write, as version 0.1.0 did, are rebuilt with the write', async () => {
      const paths = Array.from({ length: 1_100 }, (_, at) => `/part${String(at)}`);
      const old = paths.map((path) => world.saying(version, `${path}@get`));
      const young = paths.map((path) => world.saying(version, `/new${path}@get`, { name: path.slice(1) }));
      await world.carryOut(...old);
      await world.publishAll(version);
      await world.write(async (sql) => {
        const gone = await endpointsById(
          sql,
          world.hostId,
          old.map(({ aggregateId }) => aggregateId),
        );
        const records = [
          ...gone.map((record) => ({ ...record, active: false })),
          ...young.map(({ aggregateId, payload }) => {
            const imported = { type: 'ApiEndpointImportedEvent', data: payload } as const;
            return endpointRecord(aggregateId, evolveEndpoint(unknownEndpoint, imported));
          }),
        ];
        const terms = { onConflict: 'report', named: true } as const;
        const { commands } = await planPublication(sql, world.hostId, records, terms);
        return [...young, ...paths.map((path) => world.silencing(version, `${path}@get`)), ...commands];
      });
      const names = (schema: string) =>
        database.asOwner.query(`SELECT * FROM ${schema}.tool_name_t WHERE host_id = $1 ORDER BY name`, [
          world.hostId,
        ]);
      const generation = new Generation(database, world.domain, () => readMigrations('catalog'));
      await generation.create();
      await generation.catchUp(() => undefined);
      const live = await names('catalog');
      expect(live).toHaveLength(paths.length);
      expect(await names(BUILDING)).toEqual(live);
    });
  }

  test('the tables are the same after a replay in batches of any size', async () => {
    await world.carryOut(
      world.saying(version, '/a@get', { name: 'x', ...taking('p', 'q') }),
      world.saying(version, '/b@get'),
    );
    await world.publishAll(version);
    const { toolId } = await world.toolNamed('x');
    await world.updateTool(toolId, { description: 'Ours.', safety: { humanApprovalRequired: true } });
    const script = await world.createTool('x');
    await world.execute(DeactivateTool, { toolId: script.id });
    await world.carryOut(
      world.saying(version, '/a@get', { name: 'x', ...taking('q', 'r') }),
      world.silencing(version, '/b@get'),
    );
    await world.createTool('b');
    await world.carryOut(world.saying(version, '/b@get'));
    await world.updateTool(toolId, { description: null, examplePrompts: ['x'] });
    const live = await world.rows();
    for (const size of [1, 2, 3, 100]) {
      await world.replay(size);
      expect(await world.rows()).toEqual(live);
    }
  });
});
