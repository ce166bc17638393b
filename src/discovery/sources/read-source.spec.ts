import { readSource } from './read-source.js';
import { agentCard } from '../standards/agent-card.js';
import { registryServers } from '../standards/server-json.js';
import { skillsIndex } from '../standards/skills-index.js';
import type { Json } from '../../documents/json.js';

const at = new URL('https://other.example/v0.1/servers?limit=2');
const read = (document: unknown) => readSource(document as Json, at);
const common = { title: 'Bank', description: 'Accounts.', tools: [], prompts: [] };
const gateway = (name: string) => ({
  ...{ ...common, name, url: 'https://mcp.example.com/', version: '1.1.1', needsToken: false },
  updatedAt: '2026-01-01T00:00:00.000Z',
});

it('reads what this catalog itself answers', () => {
  const servers = registryServers('https://a.example', [gateway('bank'), gateway('card')], { limit: 1 });
  expect(read(servers)).toMatchObject({
    source: 'mcp-registry',
    offers: [
      {
        kind: 'gateway',
        name: 'example.a/bank',
        url: 'https://mcp.example.com/',
        version: '1.1.1',
        fault: null,
      },
    ],
    next: 'https://other.example/v0.1/servers?limit=2&cursor=YmFuaw',
  });
  expect(read(servers.servers[0])).toMatchObject({
    source: 'mcp-registry',
    offers: [{ name: 'example.a/bank' }],
    next: null,
  });
  const skill = { ...common, name: 'refunds', skillId: 's', version: '1.0.0' };
  const card = agentCard({
    ...common,
    name: 'helper',
    url: 'https://a.example/a2a',
    version: '2.0.0',
    skills: [skill],
  });
  expect(read(card)).toMatchObject({
    source: 'a2a-card',
    offers: [{ kind: 'agent', name: 'Bank', url: 'https://a.example/a2a', version: '2.0.0', fault: null }],
  });
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(read(skillsIndex('https://a.example', [[skill, { type: 'skill-md', digest }]]))).toMatchObject({
    source: 'agent-skills',
    offers: [{ kind: 'skill', name: 'refunds', digest, fault: null }],
  });
});

it('reads cards of A2A 0.3, and addresses that are relative to the index', () => {
  const old = {
    name: 'Old',
    description: 'x',
    url: 'https://a.example/rpc',
    version: '1',
    capabilities: {},
    skills: [],
  };
  expect(read(old)).toMatchObject({
    source: 'a2a-card',
    offers: [{ url: 'https://a.example/rpc', fault: null }],
  });
  const skill = {
    name: 'a',
    type: 'archive',
    description: 'x',
    url: '/a.zip',
    digest: `sha256:${'a'.repeat(64)}`,
  };
  expect(read({ skills: [skill] })?.offers[0]).toMatchObject({
    url: 'https://other.example/a.zip',
    fault: null,
  });
});

it('leaves out what is deleted or not the latest, and says why something can’t be taken in', () => {
  const official = 'io.modelcontextprotocol.registry/official';
  const server = (remotes: object[], meta: object = {}) => ({
    server: { name: 'a/b', version: '1', remotes },
    _meta: { [official]: meta },
  });
  const remote = (url: string, type = 'streamable-http') => ({ type, url });
  const good = remote('https://a.example/mcp');
  const { offers = [] } =
    read({
      servers: [
        server([good], { isLatest: false }),
        server([good], { status: 'deleted' }),
        server([remote('https://a.example/sse', 'sse')]),
        server([remote('https://{tenant}.example/mcp')]),
        server([remote('file:///etc/passwd')]),
        server([remote('https://me:word@a.example/')]),
        server([remote('https://a.example/sse', 'sse'), good]),
        null,
        'text',
      ],
    }) ?? {};
  expect(offers.map(({ url, fault }) => [url, fault !== null])).toEqual([
    ...[1, 2, 3, 4].map(() => [null, true]),
    ['https://a.example/mcp', false],
    ...[1, 2].map(() => [null, true]),
  ]);
});

it.each([
  { name: '../up' },
  { type: 'files' },
  { url: 'javascript:alert(1)' },
  { digest: 'md5:0' },
  { digest: undefined },
])('does not take a skill with %j', (odd) => {
  const skill = {
    name: 'a',
    type: 'skill-md',
    description: 'x',
    url: 'https://a.example/',
    digest: `sha256:${'a'.repeat(64)}`,
  };
  expect(read({ skills: [skill] })?.offers[0]?.fault).toBeNull();
  expect(read({ skills: [{ ...skill, ...odd }] })?.offers[0]?.fault).toEqual(expect.any(String));
});

it('says texts in one line and within limits', () => {
  const skill = { name: 'a', description: `one\u0000\ntwo\u001b[31m ${'x'.repeat(5000)}` };
  const description = read({ skills: [skill] })?.offers[0]?.description ?? '';
  expect([description.startsWith('one two [31m x'), description.length]).toEqual([true, 1024]);
  expect(read({ skills: Array.from({ length: 2000 }, () => skill) })?.offers).toHaveLength(500);
});

it.each([[null], [[]], [{}], ['text'], [7], [{ skills: {} }], [{ servers: {} }], [{ openapi: '3.1.0' }]])(
  'does not know %j',
  (document) => {
    expect(read(document)).toBeUndefined();
  },
);
