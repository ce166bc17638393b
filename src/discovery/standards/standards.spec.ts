import { shownOf, type Entry, type ShownRows } from '../shown.js';
import { registryServers } from './server-json.js';
import { serverName, shortened, urn } from './names.js';

it('names by the domain', () => {
  expect(serverName('https://catalog.example.com', 'bank')).toBe('com.example.catalog/bank');
  expect(serverName('http://localhost:3000', 'bank')).toBe('localhost/bank');
  expect(urn('https://catalog.example.com:8443', 'mcp', 'bank')).toBe('urn:air:catalog.example.com:mcp:bank');
});

it.each([
  ['Short.', 'Short.'],
  [' Two\n lines ', 'Two lines'],
  ['One sentence. And another one that is too long for it', 'One sentence.'],
  ['Version 1.2 of a text that has no end at all', 'Version 1.2 of a text that…'],
  ['x'.repeat(40), `${'x'.repeat(29)}…`],
  [`${'x'.repeat(28)}\u{1F600}${'x'.repeat(9)}`, `${'x'.repeat(28)}…`],
])('shortens %j to %j', (text, expected) => {
  expect(shortened(text, 30)).toBe(expected);
  expect(shortened(text, 30).length).toBeLessThanOrEqual(30);
});

const entry = (entityId: string, name: string | null): Entry => ({
  ...{
    entityId,
    name,
    kind: 'gateway',
    description: '',
    url: 'https://mcp.example.com',
    aggregateVersion: 1,
  },
  updateTs: '2026-01-01T00:00:00.000Z',
});
const gateway = (id: string, ownName: string) => ({
  ...{ id, ownName, url: 'https://inner.example', authenticated: false, aggregateVersion: 2 },
  ...{ updateTs: '2026-01-02T00:00:00.000Z', toolIds: [] },
});
const rows: ShownRows = {
  entries: [entry('a000000000001', null), entry('b000000000002', null), entry('c000000000003', 'router')],
  gateways: [
    gateway('b000000000002', 'x'),
    gateway('a000000000001', 'x'),
    gateway('c000000000003', 'y'),
    gateway('d000000000004', 'router'),
  ],
  ...{ tools: [], skills: [], agents: [] },
};

it('gives no name twice, and to the names that were given precedence', () => {
  const { gateways } = shownOf(rows);
  expect(gateways.map(({ name, url }) => [name, url])).toEqual([
    ['router', 'https://mcp.example.com'],
    ['router-000000000004', 'https://inner.example'],
    ['x', 'https://mcp.example.com'],
    ['x-000000000002', 'https://mcp.example.com'],
  ]);
  expect(gateways[0]).toMatchObject({ version: '1.2.1', updatedAt: '2026-01-02T00:00:00.000Z' });
});

it('lists each server on one page, whatever the limit', () => {
  const { gateways } = shownOf(rows);
  for (const limit of [1, 2, 3, 4, 5]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = registryServers('https://a.example', gateways, {
        limit,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...page.servers.map(({ server }) => server.name));
      cursor = page.metadata.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(gateways.map(({ name }) => `example.a/${name}`));
  }
});
