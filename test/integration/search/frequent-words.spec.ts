import { randomUUID } from 'node:crypto';
import { Conditions } from '../../../src/platform/database/conditions.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import {
  candidateStatement,
  candidateValues,
  MAX_CANDIDATES,
  termGroups,
} from '../../../src/search/host-search/host-search.queries.js';
import { keepDocuments } from '../../../src/search/documents/search-documents.follower.js';
import { skillDocument } from '../../../src/search/documents/search-document.js';
import { eachDatabase } from '../databases.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  const hostId = randomUUID();

  beforeAll(async () => {
    database = await open();
    const many = Array.from({ length: MAX_CANDIDATES }, (_, index) => `sun ${String(index)} wind`);
    const names = ['rain today', 'oslo map', ...many, 'sun alone'];
    const documents = names.map((name) =>
      skillDocument(hostId, {
        ...{ skill_id: randomUUID(), name, description: '', content_markdown: '' },
        ...{ depends_on: [], tags: null, categories: null },
      }),
    );
    const embedded = { model: 'none', dimension: 384, fields: [] };
    const ids = documents.map(({ entity_id: id }) => id);
    await database
      .of(hostId)
      .transaction((tx) =>
        keepDocuments(tx, { hostId, kind: 'skill', ids, position: 1, embedded }, documents),
      );
  });

  /** What is found where the words stand in so many documents of the host. */
  const found = async (frequencies: Readonly<Record<string, number>>): Promise<readonly string[]> => {
    const terms = Object.keys(frequencies).map((word) => ({ word, weight: 1 }));
    const groups = termGroups(hostId, terms, { frequency: (word) => frequencies[word] ?? 0 });
    const where = new Conditions().add('d.host_id = ?', hostId);
    const rows = await database
      .of(hostId)
      .query<{ name: string }>(candidateStatement(where.sql(), 2), [
        ...where.values,
        ...candidateValues('skill', groups),
      ]);
    return rows.map(({ name }) => name).sort();
  };

  test('a frequent word is looked for beside a rare one that leads to few', async () => {
    expect(await found({ rain: 9_000, oslo: 1 })).toEqual(['oslo map', 'rain today']);
    expect(await found({ rain: 9_000, oslo: 8_000 })).toEqual(['oslo map', 'rain today']);
  });

  test('frequent words that stand together often enough are not looked for alone', async () => {
    const names = await found({ sun: 9_000, wind: 8_000 });
    expect(names).toHaveLength(MAX_CANDIDATES);
    expect(names).not.toContain('sun alone');
  });
});
