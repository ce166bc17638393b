import { createHash } from 'node:crypto';
import { declaredRoutes } from '../../src/openapi.js';
import { readArchive } from '../../src/documents/archive.stream.js';
import { standards } from '../discovery-standards.js';
import {
  ask,
  domain,
  hidden,
  makeDiscoveryWorld,
  origin,
  settings,
  type Answer,
  type DiscoveryWorld,
} from './discovery-world.js';
import { eachServer } from './server.js';

const routes = declaredRoutes().filter(({ operation }) => operation.optionalToken === true);
const registryName = 'com.example.catalog/bank';

interface Manifest {
  readonly entries: readonly {
    readonly identifier: string;
    readonly url: string;
    readonly type: string;
    readonly capabilities?: readonly string[];
    readonly representativeQueries?: readonly string[];
  }[];
}
interface Index {
  readonly skills: readonly {
    readonly name: string;
    readonly type: string;
    readonly url: string;
    readonly digest: string;
  }[];
}

/** All paths of discovery, with names that are public, and those that others would have. */
function pathsOf({ gateways }: DiscoveryWorld): string[] {
  const names: Readonly<Record<string, readonly string[]>> = {
    skillName: ['refund-money', 'money-abroad', 'abroad', 'zzprivate-skill', 'zzinactive-skill'],
    agentName: ['helper', 'lonely', 'zzprivate-agent', 'zzinactive-agent'],
    gatewayName: [
      'bank',
      'zzprivate-open',
      'zzprivate-private',
      'zzprivate-inactive',
      gateways['private'] ?? '',
    ],
    serverName: [
      registryName,
      'com.example.catalog/zzprivate-private',
      'com.example.catalog/zzprivate-inactive',
    ],
    serverVersion: ['latest', '1.1.1', '1.2.1'],
  };
  const filled = (path: string): string[] => {
    const [, name] = /:(\w+)/.exec(path) ?? [];
    if (name === undefined) return [path];
    return (names[name] ?? []).flatMap((each) => filled(path.replace(`:${name}`, encodeURIComponent(each))));
  };
  const queries = ['', '?search=zz', '?limit=1', '?version=latest', '?include_deleted=true'];
  return routes
    .flatMap(({ url }) => filled(url))
    .flatMap((path) => (path === '/v0.1/servers' ? queries.map((query) => path + query) : [path]));
}

/** What an answer says but for the path that was asked for. */
const said = ({ text }: Answer): string => text.replace(/"instance":"[^"]*"/, '');

eachServer((server) => {
  let world: DiscoveryWorld;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ask(server(), path, headers);
  const switchTo = (discovery: boolean) => server().api('PUT', '/settings', { body: { discovery } });
  const indexed = async () => ((await get('/.well-known/agent-skills/index.json')).json as Index).skills;
  const local = (url: string): string => {
    expect(url).toMatch(/^https:\/\/catalog\.example\.com\//);
    return url.slice(origin.length);
  };

  beforeAll(async () => {
    world = await makeDiscoveryWorld(server());
  });

  it('says nothing before it is switched on, and nothing afterwards', async () => {
    const paths = pathsOf(world);
    expect(paths.length).toBeGreaterThan(30);
    const token = `Bearer ${await server().token()}`;
    const all = async () => {
      const answers: Answer[] = [];
      for (const path of paths) answers.push(await get(path), await get(path, { authorization: token }));
      return answers;
    };
    expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set([404]));
    await switchTo(true);
    const seen = (await all()).filter(({ status }) => status === 200);
    expect(seen.length).toBeGreaterThan(20);
    await switchTo(false);
    const off = await all();
    expect(new Set(off.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(off.map(said)).size).toBe(2);
    await switchTo(true);
  });

  it('answers nothing that is not public, whatever the path', async () => {
    const answers = await Promise.all(pathsOf(world).map(async (path) => [path, await get(path)] as const));
    for (const [path, answer] of answers) {
      expect([path, said(answer)]).toEqual([path, expect.not.stringMatching(hidden)]);
      expect([path, JSON.stringify(answer.headers)]).toEqual([path, expect.not.stringMatching(hidden)]);
      if (hidden.test(path)) expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.status).toBeLessThan(500);
    }
    const archive = await get('/.well-known/agent-skills/money-abroad/skill.tar.gz');
    const files = await readArchive(archive.bytes, { files: 10, bytes: 100_000 });
    // Settings of tools are left out.
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.sh']);
    for (const { bytes } of files) expect(Buffer.from(bytes).toString()).not.toMatch(hidden);
    expect(answers.filter(([, { status }]) => status === 200).length).toBeGreaterThan(15);
  });

  it('keeps to the standards, document by document', async () => {
    const servers = await get('/v0.1/servers');
    expect(standards.serverList(servers.json)).toEqual([]);
    const versions = await get(`/v0.1/servers/${encodeURIComponent(registryName)}/versions`);
    expect(standards.serverList(versions.json)).toEqual([]);
    const latest = await get(`/v0.1/servers/${encodeURIComponent(registryName)}/versions/latest`);
    expect(standards.serverResponse(latest.json)).toEqual([]);
    expect((latest.json as { server: object }).server).toMatchObject({
      name: registryName,
      description: expect.stringMatching(/^Accounts and payments of the bank\. .*\.$/) as string,
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://mcp.example.com/bank',
          headers: [{ name: 'Authorization', isSecret: true }],
        },
      ],
    });
    const missing = await get('/v0.1/servers/com.example.catalog%2Fnothing/versions/latest');
    expect([missing.status, missing.json]).toEqual([404, { error: 'Server not found' }]);

    const index = await get('/.well-known/agent-skills/index.json');
    expect(standards.skillsIndex(index.json)).toEqual([]);
    const ard = await get('/.well-known/ard.json');
    expect(standards.ardManifest(ard.json)).toEqual([]);
    const catalog = await get('/.well-known/ai-catalog.json');
    expect([catalog.headers['content-type'], catalog.text]).toEqual([
      'application/ai-catalog+json',
      ard.text,
    ]);
    const card = await get('/.well-known/agent-card.json');
    expect([card.headers['content-type'], standards.agentCard(card.json)]).toEqual([
      'application/a2a-agent-card+json',
      [],
    ]);
    const serverCard = await get('/discovery/gateways/bank/server-card');
    expect([serverCard.headers['content-type'], standards.serverCard(serverCard.json)]).toEqual([
      'application/mcp-server-card+json',
      [],
    ]);
  });

  it('leads from the manifest to every document, and names what agents may use', async () => {
    const { entries } = (await get('/.well-known/ard.json')).json as Manifest;
    expect(entries.map(({ identifier }) => identifier)).toEqual([
      'urn:air:catalog.example.com:agent:helper',
      'urn:air:catalog.example.com:mcp:bank',
      'urn:air:catalog.example.com:skill:money-abroad',
      'urn:air:catalog.example.com:skill:refund-money',
    ]);
    for (const { url } of entries) expect([url, (await get(local(url))).status]).toEqual([url, 200]);
    for (const entry of entries) {
      const tools = ['getAccount', 'listPayments'];
      const queries = ['What is on account 7?', 'Show my account.'];
      expect(entry).toMatchObject({ capabilities: tools, representativeQueries: queries });
    }
  });

  it('gives each skill the digest of what its address answers', async () => {
    const skills = await indexed();
    expect(skills.map(({ name, type }) => [name, type])).toEqual([
      ['money-abroad', 'archive'],
      ['refund-money', 'skill-md'],
    ]);
    for (const { url, digest } of skills) {
      const { bytes } = await get(local(url));
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
    }
    const { text, headers } = await get('/.well-known/agent-skills/money-abroad/SKILL.md');
    expect(text).toBe(
      '---\nname: money-abroad\ndescription: Moves money abroad.\nlicense: MIT\nallowed-tools: getAccount Bash(git:*) listPayments\n---\nMove it.\n',
    );
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  });

  it('spares who has it already, lets pages of any site read it, and answers HEAD', async () => {
    for (const path of [
      '/.well-known/ard.json',
      '/v0.1/servers',
      '/.well-known/agent-skills/refund-money/SKILL.md',
    ]) {
      const first = await get(path);
      expect(first.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, no-cache',
        vary: 'Authorization',
      });
      const etag = String(first.headers['etag']);
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
      const head = await ask(server(), path, {}, 'HEAD');
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', etag]);
    }
  });

  it('lets browsers ask before they send a token', async () => {
    for (const path of pathsOf(world)) {
      const { status, headers } = await ask(server(), path, { origin: 'https://other.example' }, 'OPTIONS');
      expect([path, status]).toEqual([path, 204]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringContaining('Authorization') as string,
      });
    }
  });

  it('follows what is written, at once', async () => {
    const names = async () => (await indexed()).map(({ name }) => name);
    const etag = (await get('/.well-known/ard.json')).headers['etag'];
    const entry = `/public-entries/${world.skills['private'] ?? ''}`;
    await server().api('PUT', entry, { body: { kind: 'skill', name: 'late' } });
    expect(await names()).toEqual(['late', 'money-abroad', 'refund-money']);
    expect((await get('/.well-known/ard.json')).headers['etag']).not.toBe(etag);
    await server().api('DELETE', entry);
    expect(await names()).toEqual(['money-abroad', 'refund-money']);
    expect((await get('/.well-known/ard.json')).headers['etag']).toBe(etag);
  });

  it('gives a changed skill another digest, and answers what it says', async () => {
    const path = '/.well-known/agent-skills/refund-money/SKILL.md';
    const digest = async () => (await indexed()).find(({ name }) => name === 'refund-money')?.digest;
    const before = [await digest(), (await get(path)).text];
    const body = { contentMarkdown: 'Pay back at once.' };
    await server().api('PATCH', `/skills/${world.skills['refunds'] ?? ''}`, { body });
    const { text, bytes } = await get(path);
    expect([before[1], text]).toEqual([
      expect.stringContaining('Pay back.'),
      expect.stringContaining('Pay back at once.'),
    ]);
    const after = await digest();
    expect(after).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
    expect(after).not.toBe(before[0]);
  });

  it('is found at no other address', async () => {
    for (const host of ['other.example.com', `${domain}:81`, '127.0.0.1', ''])
      expect([host, (await get('/.well-known/ard.json', { host })).status]).toEqual([host, 404]);
    for (const host of [domain.toUpperCase(), `${domain}:443`])
      expect([host, (await get('/.well-known/ard.json', { host })).status]).toEqual([host, 200]);
  });

  it('refuses what is hostile, and never fails', async () => {
    for (const text of ['%00', '..%2F..', "';--", '%F0%9F%98%80', '%', 'x'.repeat(900)]) {
      const paths = routes.map(({ url }) => url.replace(/:\w+/g, text));
      for (const path of [
        ...paths,
        `/v0.1/servers?cursor=${text}&search=${text}`,
        `/v0.1/servers?limit=${text}`,
        `/v0.1/servers?updated_since=${text}`,
      ])
        expect([path, (await get(path)).status < 500]).toEqual([path, true]);
    }
  });
}, settings);
