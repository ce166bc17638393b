import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { v7 } from 'uuid';
import { slices } from '../../../src/app.module.js';
import { Domain } from '../../../src/kernel/domain.js';
import { exportLog } from '../../../src/kernel/log-export.js';
import { endLine, LogFileFault } from '../../../src/kernel/log-file.js';
import { restoreLog, type RestoreOptions } from '../../../src/kernel/log-restore.js';
import { readAnchor } from '../../../src/kernel/log-trail.js';
import { LogVerifier } from '../../../src/kernel/log-verifier.js';
import { linesOf } from '../../../src/kernel/lines.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import { digestRows } from '../../../src/kernel/row-digests.js';
import type { Database } from '../../../src/kernel/sql.js';
import { betweenDatabases, type Open } from '../databases.js';
import { CatalogWorld } from '../skills/catalog-world.js';

const domain = new Domain(slices);
const tables = domain.projections.flatMap((projection) => projection.tables);
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

async function written(database: Database, hostId: string, after = 0): Promise<string[]> {
  let text = '';
  const report = await exportLog(database, domain, {
    ...{ hostId, after, onProgress: () => undefined },
    write: (lines) => {
      text += lines;
      return Promise.resolve();
    },
  });
  expect(report.fault).toBeUndefined();
  return text.trimEnd().split('\n');
}

/** In pieces that end within lines, as a file is read. */
function restore(database: Database, lines: readonly string[], more: Partial<RestoreOptions> = {}) {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 999) }, (_, at) =>
    bytes.subarray(at * 999, at * 999 + 999),
  );
  return restoreLog(database, domain, {
    lines: () => linesOf(Readable.from(pieces), 1_000_000),
    ...{ anchors: [], onProgress: () => undefined, ...more },
  });
}

const rowsOf = (database: Database, hostId: string) =>
  database.of(hostId).transaction((tx) => digestRows(tx, tables));

betweenDatabases((opens) => {
  const openOf = (index: number): Promise<Database> => (opens[index % opens.length] as Open)();
  let hostId: string;
  let lines: string[];
  let old: string[];
  let source: Database;
  beforeAll(async () => {
    source = await openOf(0);
    const world = new CatalogWorld(source);
    hostId = world.hostId;
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    await world.assign(await world.createAgent('teller'), skillId);
    await world.updateSkill(skillId, { description: 'Better.' });
    await world.unlink(skillId, toolId);
    // Two skills change names: in one statement that would break their rule.
    const { id: other } = await world.createSkill('Payments');
    await world.updateSkill(skillId, { name: 'Aside' });
    await world.updateSkill(other, { name: 'Accounts' });
    await world.updateSkill(skillId, { name: 'Payments' });
    lines = await written(source, hostId);
    const log = (await readFile('test/fixtures/log-1/log.jsonl', 'utf8')).trimEnd().split('\n');
    const { host, position, time, hash } = JSON.parse(log.at(-1) ?? '') as Parameters<typeof endLine>[0];
    old = [...log, endLine({ host, position, time, hash, rows: null }).trimEnd()];
  });

  test('a log moves from one kind of database to the other and back, byte for byte, with the same rows', async () => {
    const there = await openOf(1);
    const back = await openOf(0);
    const { host } = JSON.parse(old[0] ?? '') as { host: string };
    await restore(there, old, { hostId: host });
    const first = await written(there, host);
    expect(first.slice(0, -1)).toEqual(old.slice(0, -1));
    expect(await restore(back, first)).toMatchObject({ hostId: host, differing: [] });
    expect(await written(back, host)).toEqual(first);
    await new Rebuild(back, domain).run();
    expect(await rowsOf(back, host)).toEqual(await rowsOf(there, host));
    for (const database of [there, back]) {
      const [verdict] = await new LogVerifier(database).verify({ hostId: host });
      expect(verdict?.fault).toBeUndefined();
    }
  });

  test('records that gave up their names to each other come back, and the host is written to further', async () => {
    const database = await openOf(1);
    expect(await restore(database, lines)).toMatchObject({ differing: [], events: lines.length - 1 });
    expect(await rowsOf(database, hostId)).toEqual(await rowsOf(source, hostId));
    const world = new CatalogWorld(database, hostId);
    expect(await world.createSkill('Aside')).toMatchObject({ position: lines.length });
  });

  test('what is not a whole log as it was written is refused where it is wrong, and nothing stays', async () => {
    const database = await openOf(1);
    const [head = '', second = '', ...rest] = lines;
    const end = lines.at(-1) ?? '';
    const changed = (line: string, from: string | RegExp, to: string): string => line.replace(from, to);
    const anchor = `${hostId}:2:${'0'.repeat(64)}`;
    const beyond = `${hostId}:${String(lines.length + 5)}:${'0'.repeat(64)}`;
    const bad: readonly (readonly [readonly string[], RegExp, Partial<RestoreOptions>?])[] = [
      [[], /empty/],
      [['not a log'], /Line 1 is no JSON/],
      [['{"a": 1}'], /Line 1 is no event/],
      [[...lines.slice(0, -1)], /cut off behind position/],
      [[...lines.slice(0, -1), end.slice(0, 40)], /no JSON object: the file is cut off/],
      [[...lines.slice(0, -2), end], /names position .* as the end/],
      [[head, ...rest], /Line 2: removed at position 2/],
      [[second, ...rest], /Line 1: removed at position 1/],
      [[head, head, second, ...rest], /Line 2: removed/],
      [[changed(head, '"user":"olga"', '"user":"eve"'), second, ...rest], /Line 1: altered at position 1/],
      [[changed(head, /"data":\{/, '"data":{"x":1,'), second, ...rest], /Line 1: altered at position 1/],
      [[changed(head, /^\{/, '{"more":1,'), second, ...rest], /Line 1 is no event/],
      [[head, changed(second, hostId, v7()), ...rest], /Line 2 is of another host/],
      [[...lines, head], /behind the last one/],
      [[...lines.slice(0, -1), changed(end, 'portal-catalog-log/1', 'other/9')], /another format/],
      [await written(source, hostId, 2), /Line 1: removed at position 1/],
      [lines, /rewritten at position 2/, { anchors: [readAnchor(anchor)] }],
      [lines, /by the anchor it had/, { anchors: [readAnchor(beyond)] }],
    ];
    for (const [given, reason, options] of bad) {
      const refused = restore(database, given, options);
      await expect(refused).rejects.toThrow(reason);
      await expect(refused).rejects.toBeInstanceOf(LogFileFault);
    }
    await expect(restore(database, lines, { hostId: v7() })).rejects.toThrow(refusal('other_host'));
    const newer = changed(second, /:event:(\w+):\d+"/, `:event:$1:99"`);
    await expect(restore(database, [head, newer, ...rest])).rejects.toThrow(/altered/);
    const broken = new Error('The disk is gone.');
    const interrupted = restoreLog(database, domain, {
      async *lines() {
        yield* lines.slice(0, -2);
        await Promise.resolve();
        throw broken;
      },
      ...{ anchors: [], onProgress: () => undefined },
    });
    await expect(interrupted).rejects.toBe(broken);
    expect(await new LogVerifier(database).verify()).toEqual([]);
    expect(Object.values((await rowsOf(database, hostId)).tables).filter((each) => each !== '0:0')).toEqual(
      [],
    );

    await restore(database, lines);
    await expect(restore(database, lines)).rejects.toThrow(refusal('host_not_empty'));
    expect(await written(database, hostId)).toEqual(lines);
  });

  test('an export of an altered log has no end, and rows that were changed by hand are named after a restore', async () => {
    const database = await openOf(1);
    await restore(database, lines);
    await database.of(hostId).query(`UPDATE skill_t SET description = 'By hand.'`);
    const target = await openOf(0);
    const report = await restore(target, await written(database, hostId));
    expect(report.differing).toEqual(expect.arrayContaining(['skill_t']));
    await database.asOwner.query(`UPDATE event_store_t SET user_id = 'eve' WHERE position = 3`);
    let text = '';
    const { fault } = await exportLog(database, domain, {
      ...{ hostId, after: 0, onProgress: () => undefined },
      write: (some) => Promise.resolve(void (text += some)),
    });
    expect(fault).toMatchObject({ finding: 'altered', position: 3 });
    expect(text).not.toContain('{"end":');
    expect(text.trimEnd().split('\n')).toHaveLength(lines.length - 1);
  });
});
