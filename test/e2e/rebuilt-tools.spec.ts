import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { Rebuild } from '../../src/kernel/rebuild.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { toolProjection } from '../../src/tools/tool/tools.projection.js';
import { fresh, guardsWorld, openapi, override } from './guards-world.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

interface Report {
  readonly published: number;
  readonly deactivated: number;
  readonly conflicts: readonly object[];
}

eachOwnServer((server) => {
  const { ask, bring: bringTo, toolOf, agentWith, catalogOf, writer, approve } = guardsWorld(server);

  it('of two tools of one name an agent is given the earlier, and an administrator reads why', async () => {
    const name = fresh('shared');
    const [one, two] = [fresh('one'), fresh('two')];
    await bringTo(one, openapi({ [name]: {} }), { publish: true });
    // Other wording is another version, beside which the name is free for version 1.0.0.
    await bringTo(one, openapi({ [name]: { summary: 'Does it well.' } }));
    await bringTo(two, openapi({ [name]: {} }), { publish: true });
    const [first, second] = [await toolOf(one), await toolOf(two)];
    const agent = await agentWith([first.toolId, second.toolId]);
    const given = { name, toolId: first.toolId };
    expect(await catalogOf(agent)).toMatchObject({ given: [given], withheld: ['name_shared'] });
    const path = `/agents/${agent}/effective-catalog/explain?tool=${second.toolId}`;
    expect(await ask('GET', path)).toMatchObject({
      offers: [{ disclosed: false, reason: 'name_shared' }],
    });
    await ask('POST', `/tools/${first.toolId}/deactivate`, {});
    expect(await catalogOf(agent)).toMatchObject({
      given: [{ name, toolId: second.toolId }],
      withheld: ['tool_inactive'],
    });
  });

  it('no name is held twice at any event where an import moves tools to other paths, and back', async () => {
    const database = server().app.get<Database>(DATABASE);
    const bring = async (prefix: string, names: readonly string[]) => {
      const paths = Object.fromEntries(
        names.map((operationId) => [`${prefix}/${operationId}`, { get: { operationId, responses: {} } }]),
      );
      const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths };
      const version = { apiVersion: '1', serviceId: 'shop', envTag: 'dev' };
      const body = { api: { apiId: 'shop' }, version, document, publish: true };
      return (await server().api<Report>('POST', '/imports', { body })).body;
    };
    const names = ['first', 'second', 'third'];
    expect(await bring('/v1', names)).toMatchObject({ published: 3, conflicts: [] });
    expect(await bring('/v2', names)).toMatchObject({ published: 3, deactivated: 3, conflicts: [] });
    expect(await bring('/v1', names.toReversed())).toMatchObject({
      published: 0,
      deactivated: 3,
      conflicts: [],
    });
    expect(await bring('/v2', names)).toMatchObject({ published: 0, deactivated: 3, conflicts: [] });
    const held = () =>
      database.asOwner.query<{ name: string }>('SELECT * FROM tool_name_t ORDER BY name, tool_id');
    const live = await held();
    expect(live.filter(({ name }) => names.includes(name))).toHaveLength(names.length);
    await inSingleSteps(database, await eventsOf());
    expect(await held()).toEqual(live);
    await server().app.get(Rebuild).run();
    expect(await held()).toEqual(live);
  });

  it('an agent is given after a rebuild what it was given before, of a tool that was reviewed and changed since', async () => {
    const name = fresh('reviewed');
    const specText = [
      ...['version: 1.0.0', `name: ${name}`, 'description: Reads part of a text file.'],
      ...[
        'inputSchema:',
        '  parameters:',
        '    - {name: path, type: string, required: true, description: Its path.}',
      ],
    ].join('\n');
    const { id } = await ask<{ id: string }>('POST', '/tools/specs', { specText }, writer());
    await ask('POST', `/tools/${id}/versions/1.0.0/submit`, {}, writer());
    await approve(`/tools/${id}/versions/1.0.0/approve`, override);
    const agent = await agentWith([id]);
    await ask('PATCH', `/tools/${id}`, { description: 'Reads part of a text file, by its path.' });
    await approve(`/tools/${id}/versions/1.0.1/approve`, override);
    const given = async () => (await catalogOf(agent)).given;
    const before = await given();
    expect(before).toMatchObject([{ name, version: '1.0.1' }]);
    expect(await server().differences()).toEqual([]);
    await server().app.get(Rebuild).run();
    // Switched off and on, it is given as the new tables have it, and not as an answer that was kept.
    await ask('POST', `/tools/${id}/deactivate`, {});
    await ask('POST', `/tools/${id}/activate`, {});
    expect(await given()).toEqual(before);
  });

  const eventsOf = async (): Promise<readonly RecordedEvent[]> =>
    (await server().api<{ items: RecordedEvent[] }>('GET', '/events?limit=500')).body.items;

  /** Makes the tables of tools anew, event by event. */
  async function inSingleSteps(database: Database, events: readonly RecordedEvent[]): Promise<void> {
    for (const table of toolProjection.tables)
      await database.asOwner.query(`DELETE FROM ${table} WHERE host_id = $1`, [hostId]);
    for (const event of events.filter(({ type }) => toolProjection.handles.includes(type)))
      await database.asOwner.transaction(async (tx) => toolProjection.apply(tx, [event]));
  }
});
