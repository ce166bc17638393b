import { DATABASE, type Database } from '../../src/eventsourcing/sql.js';
import { Rebuild } from '../../src/eventsourcing/rebuild.js';
import type { RecordedEvent } from '../../src/eventsourcing/event.js';
import { toolProjection } from '../../src/tools/tools.projection.js';
import { eachServer, hostId } from './server.js';

interface Report {
  readonly published: number;
  readonly deactivated: number;
  readonly conflicts: readonly object[];
}

eachServer((server) => {
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
    const held = () => database.asOwner.query('SELECT * FROM tool_name_t ORDER BY name');
    const live = await held();
    expect(live).toHaveLength(names.length);
    await inSingleSteps(database, await eventsOf());
    expect(await held()).toEqual(live);
    await server().app.get(Rebuild).run();
    expect(await held()).toEqual(live);
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
