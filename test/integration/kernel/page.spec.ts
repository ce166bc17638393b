import { Conditions } from '../../../src/platform/database/conditions.js';
import { listPage, type PageRequest } from '../../../src/platform/database/page.js';
import type { Database } from '../../../src/kernel/sql.js';
import { eachDatabase } from '../databases.js';

interface Named {
  readonly name: string;
  readonly id: string;
  readonly position: number;
}

eachDatabase((open) => {
  let database: Database;
  const names = [
    'b',
    'B',
    'a',
    'a',
    'a',
    'é',
    'Z',
    'z',
    'ä',
    '',
    ' ',
    '{',
    '10',
    '9',
    "o'neil",
    '😀',
    '\uffff',
  ];
  const given: Named[] = names.map((name, index) => ({
    name,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    // In no order of the others, and beyond nine, so that texts would be ordered otherwise.
    position: (index * 7) % names.length,
  }));
  beforeAll(async () => {
    database = await open();
    await database.asOwner.query('CREATE TABLE catalog.named_t (name text, id uuid, position bigint)');
    await database.asOwner.query(
      'INSERT INTO named_t SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[])',
      [given.map(({ name }) => name), given.map(({ id }) => id), given.map(({ position }) => position)],
    );
  });

  const request = (limit: number, cursor?: string): PageRequest => ({
    select: 'n.name, n.id, n.position',
    from: 'named_t n',
    where: new Conditions().add('n.name <> ? AND n.name IS NOT NULL', 'none'),
    text: 'n.name',
    id: 'n.id',
    limit,
    cursor,
  });

  const pagesOf = async (limit: number, sort?: string): Promise<readonly Named[]> => {
    const seen: Named[] = [];
    let cursor: string | undefined;
    do {
      const page = await listPage<Named>(database.asOwner, { ...request(limit, cursor), sort });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      seen.push(...page.rows);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return seen;
  };

  test.each([1, 2, 5, 17, 50])(
    'pages of %i hold everything once, in the order of code points',
    async (limit) => {
      const bytes = ({ name, id }: Named): Buffer => Buffer.from(`${name}\0${id}`);
      const sorted = [...given].sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
      expect(await pagesOf(limit)).toEqual(sorted);
      expect(await pagesOf(limit, 'name')).toEqual(sorted);
      expect(await pagesOf(limit, '-name')).toEqual(sorted.reverse());
    },
  );

  test.each([1, 5, 50])('pages of %i hold everything once, by the last change', async (limit) => {
    const sorted = [...given].sort((a, b) => a.position - b.position);
    expect(await pagesOf(limit, 'updateTs')).toEqual(sorted);
    expect(await pagesOf(limit, '-updateTs')).toEqual(sorted.reverse());
  });

  test('a cursor of another order is refused', async () => {
    const { nextCursor } = await listPage(database.asOwner, request(5));
    const sorted = { ...request(5, nextCursor), sort: '-updateTs' };
    await expect(listPage(database.asOwner, sorted)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  test.each([
    '',
    'x',
    Buffer.from('[1,2]').toString('base64url'),
    Buffer.from('["a"]').toString('base64url'),
    '%00',
  ])('the cursor %j is refused', async (cursor) => {
    await expect(listPage(database.asOwner, request(5, cursor))).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('a cursor that holds a NUL is refused as well', async () => {
    const { nextCursor = '' } = await listPage(database.asOwner, request(5));
    const parts = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[];
    const cursor = Buffer.from(JSON.stringify(['\0', ...parts.slice(1)])).toString('base64url');
    await expect(listPage(database.asOwner, request(5, cursor))).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('a cursor leads through its own list, with its own filter', async () => {
    const { nextCursor } = await listPage(database.asOwner, request(5));
    const refused = (other: Partial<PageRequest>) =>
      expect(listPage(database.asOwner, { ...request(5, nextCursor), ...other })).rejects.toMatchObject({
        code: 'invalid_cursor',
      });
    await refused({ from: '(SELECT * FROM named_t) n' });
    await refused({ where: new Conditions().add('n.name <> ? AND n.name IS NOT NULL', 'other') });
    await refused({ where: new Conditions().add('n.name <> ?', 'none') });
    expect((await listPage(database.asOwner, { ...request(2, nextCursor) })).rows).toHaveLength(2);
  });
});
