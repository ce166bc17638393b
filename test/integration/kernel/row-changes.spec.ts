import fc from 'fast-check';
import type { Database } from '../../../src/kernel/sql.js';
import { RowChanges, tableOf } from '../../../src/platform/database/row-changes.js';
import { eachDatabase } from '../databases.js';
import { many } from '../../soak.js';

interface SampleRow {
  readonly host_id: string;
  readonly id: string;
  readonly name: string;
  readonly words: (string | null)[] | null;
  readonly ids: string[];
  readonly json: unknown;
  readonly count: number;
  readonly weight: number;
  readonly moment: string | null;
  readonly active: boolean;
}

const sampleRows = tableOf<SampleRow>('sample_t', ['host_id', 'id'], {
  host_id: 'uuid',
  id: 'text',
  name: 'varchar',
  words: 'text[]',
  ids: 'uuid[]',
  json: 'jsonb',
  count: 'bigint',
  weight: 'double precision',
  moment: 'timestamptz',
  active: 'boolean',
});

interface MovedRow {
  readonly host_id: string;
  readonly id: string;
  readonly name: string;
  readonly aggregate_version: number;
  readonly position: number;
}

const movedRows = tableOf<MovedRow>('moved_t', ['host_id', 'id'], {
  host_id: 'uuid',
  id: 'text',
  name: 'text',
  aggregate_version: 'bigint',
  position: 'bigint',
});

const HOST = '00000000-0000-4000-8000-000000000001';
/** The row as plain data. */
type Sample = { [Column in keyof SampleRow]: SampleRow[Column] };

const row = (id: string): Sample => ({
  host_id: HOST,
  id,
  name: 'a',
  words: null,
  ids: [],
  json: null,
  count: 1,
  weight: 1,
  moment: null,
  active: true,
});

eachDatabase((open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.asOwner
      .query(`CREATE TABLE catalog.sample_t (host_id uuid, id text, name varchar(20) NOT NULL, words text[],
      ids uuid[] NOT NULL, json jsonb, count bigint, weight double precision, moment timestamptz, active boolean,
      PRIMARY KEY (host_id, id))`);
    await database.asOwner
      .query(`CREATE TABLE catalog.moved_t (host_id uuid, id text, name text, aggregate_version bigint,
      position bigint, PRIMARY KEY (host_id, id)); SELECT keep_history('moved_t', '{id}')`);
  });
  beforeEach(async () => {
    await database.asOwner.query('TRUNCATE sample_t, moved_t, moved_history_t');
  });

  const all = () => database.asOwner.query<Sample>('SELECT * FROM sample_t ORDER BY id');
  const write = (changes: Pick<RowChanges<SampleRow>, 'write'>) =>
    database.asOwner.transaction((tx) => {
      changes.write(tx);
      return Promise.resolve();
    });

  test('new rows, changes of columns, and changes of rows that do not exist', async () => {
    const changes = new RowChanges<SampleRow>(sampleRows);
    changes.set({ host_id: HOST, id: 'a' }, row('a'), true).set({ host_id: HOST, id: 'b' }, row('b'), true);
    changes
      .set({ host_id: HOST, id: 'a' }, { name: 'later' })
      .set({ host_id: HOST, id: 'x' }, { name: 'nobody' });
    await write(changes);
    expect(await all()).toEqual([{ ...row('a'), name: 'later' }, row('b')]);
    changes
      .set({ host_id: HOST, id: 'a' }, { active: false })
      .set({ host_id: HOST, id: 'b' }, { count: 2, name: 'b' });
    changes.set({ host_id: HOST, id: 'b' }, {});
    await write(changes);
    expect(await all()).toEqual([
      { ...row('a'), name: 'later', active: false },
      { ...row('b'), count: 2, name: 'b' },
    ]);
    // Nothing is left to be written.
    await database.asOwner.query('TRUNCATE sample_t');
    await write(changes);
    expect(await all()).toEqual([]);
  });

  test('a row that comes with the first event of its stream takes the place of none', async () => {
    const at = (position: number, version: number) => ({
      name: `at ${String(position)}`,
      aggregate_version: version,
      position,
    });
    const key = { host_id: HOST, id: 'a' };
    await write(new RowChanges<MovedRow>(movedRows).set(key, at(1, 1), true));
    await expect(write(new RowChanges<MovedRow>(movedRows).set(key, at(2, 1), true))).rejects.toMatchObject({
      code: '23505',
    });
    await write(new RowChanges<MovedRow>(movedRows).set(key, at(3, 2), true));
    // Born and changed in one batch.
    const other = { host_id: HOST, id: 'b' };
    await write(new RowChanges<MovedRow>(movedRows).set(other, at(4, 1), true).set(other, at(5, 2), true));
    const rows = await database.asOwner.query('SELECT id, name FROM moved_t ORDER BY id');
    expect(rows).toEqual([
      { id: 'a', name: 'at 3' },
      { id: 'b', name: 'at 5' },
    ]);
    expect(await database.asOwner.query('SELECT name FROM moved_history_t ORDER BY id')).toEqual([
      { name: 'at 1' },
      { name: 'at 4' },
    ]);
  });

  test('a table with a history keeps what a row was at each position, also of one batch', async () => {
    const changes = new RowChanges<MovedRow>(movedRows);
    const key = { host_id: HOST, id: 'a' };
    changes.set(key, { name: 'one', position: 1 }, true).set(key, { name: 'two', position: 2 });
    changes.set(key, { name: 'two again', position: 2 }).set(key, { name: 'three', position: 3 });
    await write(changes);
    expect(
      await database.asOwner.query(
        'SELECT name, position, to_position FROM moved_history_t ORDER BY position',
      ),
    ).toEqual([
      { name: 'one', position: 1, to_position: 2 },
      { name: 'two again', position: 2, to_position: 3 },
    ]);
    expect(await database.asOwner.query('SELECT name, position FROM moved_t')).toEqual([
      { name: 'three', position: 3 },
    ]);
  });

  test('a row that takes the place of one that changes in the same batch', async () => {
    await database.asOwner.query(
      'CREATE UNIQUE INDEX sample_name_uk ON sample_t (host_id, name) WHERE active',
    );
    const changes = new RowChanges<SampleRow>(sampleRows);
    await write(changes.set({ host_id: HOST, id: 'a' }, row('a'), true));
    changes
      .set({ host_id: HOST, id: 'b' }, row('b'), true)
      .set({ host_id: HOST, id: 'a' }, { active: false });
    await write(changes);
    expect((await all()).map(({ active }) => active)).toEqual([false, true]);
    await database.asOwner.query('DROP INDEX sample_name_uk');
  });

  test('a column that the row does not have, and a text too long for its column, are errors', async () => {
    const changes = new RowChanges<SampleRow>(sampleRows);
    changes.set({ host_id: HOST, id: 'a' }, { nonsense: 1 } as Partial<SampleRow>);
    await expect(write(changes)).rejects.toThrow('has no column nonsense');
    const long = new RowChanges<SampleRow>(sampleRows).set(
      { host_id: HOST, id: 'a' },
      { ...row('a'), name: 'x'.repeat(21) },
      true,
    );
    await expect(write(long)).rejects.toThrow('too long');
  });

  test.each([1, 3, 4, 5, 16, 63, 64, 65, 130])(
    '%d rows at once, new ones and changed ones',
    async (count) => {
      const changes = new RowChanges<SampleRow>(sampleRows);
      const rows = Array.from({ length: count }, (_, index) => row(String(1000 + index)));
      for (const one of rows) changes.set({ host_id: HOST, id: one.id }, one, true);
      await write(changes);
      expect(await all()).toEqual(rows);
      for (const [index, { id }] of rows.entries()) changes.set({ host_id: HOST, id }, { count: index });
      await write(changes);
      expect(await all()).toEqual(rows.map((one, index) => ({ ...one, count: index })));
    },
  );

  test('every value comes back as it was given', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
    // As a document holds it: there -0 is 0.
    const json = fc
      .jsonValue({ stringUnit: 'grapheme' })
      .map((value): unknown => JSON.parse(JSON.stringify(value)))
      .filter((value) => value !== null && !JSON.stringify(value).includes('\\u0000'));
    const value = fc.record({
      words: fc.option(fc.array(fc.option(text))),
      ids: fc.array(fc.uuid()),
      json: fc.option(json),
      count: fc.maxSafeInteger(),
      weight: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((number) => (number === 0 ? 0 : number)),
      moment: fc.option(
        fc
          .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
          .map((date) => date.toISOString()),
      ),
      active: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
        await database.asOwner.query('TRUNCATE sample_t');
        const rows = values.map((some, index) => ({ ...row(String(index)), ...some }));
        const changes = new RowChanges<SampleRow>(sampleRows);
        for (const one of rows) changes.set({ host_id: HOST, id: one.id }, one, true);
        await write(changes);
        expect(await all()).toEqual(rows);
        // The same once more: a row that exists is replaced.
        for (const one of rows) changes.set({ host_id: HOST, id: one.id }, { ...one, name: 'again' }, true);
        await write(changes);
        for (const one of rows)
          changes.set({ host_id: HOST, id: one.id }, { words: one.words, json: one.json });
        await write(changes);
        expect(await all()).toEqual(rows.map((one) => ({ ...one, name: 'again' })));
      }),
      many(30),
    );
  });
});
