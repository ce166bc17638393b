import { ActivateTool, DeactivateTool } from '../../../src/tools/tool/tool-writes.planner.js';
import { isSoak } from '../../soak.js';
import { eachDatabase } from '../databases.js';
import { ToolWorld } from './tool-world.js';

/** What became of writes that ran at once. */
async function countOf(writes: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(writes)) {
    const key = result.status === 'fulfilled' ? 'done' : String(Reflect.get(Object(result.reason), 'code'));
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const pairs = Array.from({ length: isSoak ? 50 : 12 }, (_, index) => `tool${String(index)}`);

eachDatabase((open) => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = new ToolWorld(await open());
  });

  const holdersOf = (names: readonly string[]) =>
    world.database.asOwner.query<{ name: string; count: number }>(
      `SELECT name, count(*)::int AS count FROM tool_t
       WHERE host_id = $1 AND name = ANY($2::text[]) AND active AND endpoint_active GROUP BY name`,
      [world.hostId, names],
    );

  test('of many pairs of tools of one name exactly one each is made', async () => {
    const counts = await countOf(pairs.flatMap((name) => [world.createTool(name), world.createTool(name)]));
    expect(counts).toEqual({ done: pairs.length, tool_name_taken: pairs.length });
    expect((await holdersOf(pairs)).every(({ count }) => count === 1)).toBe(true);
  });

  test('of many pairs of publications of one name exactly one each is made', async () => {
    const one = await world.version('one');
    const two = await world.version('two');
    const all = await world.version('all', null);
    const names = pairs.map((name) => `pub_${name}`);
    const sayings = names.flatMap((name, index) => [
      world.saying(one, `/${name}@get`, { name }),
      world.saying(index % 2 === 0 ? two : all, `/${name}@get`, { name }),
    ]);
    await world.carryOut(...sayings);
    const reports = await Promise.all(
      sayings.map(({ aggregateId }) => world.publish({ endpointIds: [aggregateId] })),
    );
    expect(reports.reduce((sum, { published }) => sum + published, 0)).toBe(pairs.length);
    expect(reports.reduce((sum, { conflicts }) => sum + conflicts.length, 0)).toBe(pairs.length);
    const holders = await holdersOf(names);
    expect(holders).toHaveLength(pairs.length);
    expect(holders.every(({ count }) => count === 1)).toBe(true);
  });

  test('an endpoint published ten times at once is one tool', async () => {
    const version = await world.version('single');
    await world.carryOut(world.saying(version, '/single@get'));
    const reports = await Promise.all(Array.from({ length: 10 }, () => world.publishAll(version)));
    expect(reports.reduce((sum, { published }) => sum + published, 0)).toBe(1);
    expect(new Set(reports.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(1);
  });

  test('a publication beside a change of its endpoint shows the change', async () => {
    const version = await world.version('moving');
    await world.carryOut(world.saying(version, '/moving@get', { description: 'Old.' }));
    await Promise.all([
      world.publishAll(version),
      world.carryOut(world.saying(version, '/moving@get', { description: 'New.' })),
    ]);
    expect(await world.toolNamed('moving')).toMatchObject({ description: 'New.' });
  });

  test('of two tools of one name that come back at once one does', async () => {
    const version = await world.version('sleepy');
    const endpoint = world.saying(version, '/sleepy@get');
    await world.carryOut(endpoint);
    await world.publishAll(version);
    await world.carryOut(world.silencing(version, '/sleepy@get'));
    const { id } = await world.createTool('sleepy');
    await world.execute(DeactivateTool, { toolId: id });
    await countOf([world.carryOut(endpoint), world.execute(ActivateTool, { toolId: id })]);
    expect(await holdersOf(['sleepy'])).toEqual([{ name: 'sleepy', count: 1 }]);
  });
});
