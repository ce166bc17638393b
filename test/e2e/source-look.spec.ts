import { createHash } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeTar } from '../../src/documents/archive.stream.js';
import { commandLine, type Said } from './command-line.js';
import { eachServer } from './server.js';

const skillMd = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`;
const digestOf = (bytes: string | Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

interface Item {
  readonly name: string;
  readonly fault: string | null;
  readonly content: { readonly mediaType: string; readonly base64: string } | null;
}
interface Looked {
  readonly source: string;
  readonly items: readonly Item[];
  readonly code?: string;
}

eachServer(
  (server) => {
    let origin = '';
    let elsewhere: HttpServer;
    let seen: Record<string, unknown>[] = [];
    let served: Readonly<Record<string, string | Uint8Array>> = {};

    beforeAll(async () => {
      elsewhere = createServer((request, response) => {
        seen.push({ path: request.url, ...request.headers });
        const body = served[request.url ?? ''];
        response.writeHead(body === undefined ? 404 : 200).end(body ?? 'secret');
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${String((elsewhere.address() as AddressInfo).port)}`;
      const archive = await writeTar([
        { path: 'SKILL.md', bytes: Buffer.from(skillMd('packed')) },
        { path: 'scripts/run.sh', bytes: Buffer.from('echo') },
      ]);
      const skill = (name: string, type: string, url: string, digest: string) => ({
        name,
        type,
        url,
        digest,
        description: `Does ${name}.`,
      });
      const skills = [
        skill('plain', 'skill-md', '/plain.md', digestOf(skillMd('plain'))),
        skill('packed', 'archive', '/packed.tar.gz', digestOf(archive)),
        skill('swapped', 'skill-md', '/swapped.md', digestOf('what was meant')),
        skill('gone', 'skill-md', '/gone.md', digestOf('gone')),
        skill('inner', 'skill-md', 'http://169.254.169.254/latest', digestOf('inner')),
      ];
      const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }];
      const server = { name: 'com.example/weather', description: 'Weather.', version: '1.0.0', remotes };
      const card = {
        ...{ name: 'Travel Agent', description: 'Books.', version: '1.2.0', capabilities: {}, skills: [] },
        supportedInterfaces: [
          { url: 'https://a.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      };
      served = {
        '/index.json': JSON.stringify({
          $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
          skills,
        }),
        '/plain.md': skillMd('plain'),
        '/packed.tar.gz': archive,
        '/swapped.md': skillMd('swapped'),
        '/v0.1/servers': JSON.stringify({ servers: [{ server }], metadata: { count: 1 } }),
        '/card.json': JSON.stringify(card),
        '/text': 'no JSON',
        '/deep.json': '['.repeat(100_000),
      };
    });
    beforeEach(() => {
      seen = [];
    });
    afterAll(async () => {
      elsewhere.closeAllConnections();
      await new Promise((resolve) => elsewhere.close(resolve));
    });
    const look = (url: string, more: object = {}, call: object = {}) =>
      server().api<Looked>('POST', '/imports/look', { body: { url, ...more }, ...call });
    const run = async (...args: readonly string[]): Promise<Said> => (await commandLine(server()))(...args);

    it('shows what an index offers, and fetches no skill that was not asked for', async () => {
      const { status, body } = await look(`${origin}/index.json`);
      expect([status, body.source]).toEqual([200, 'agent-skills']);
      expect(body.items.map(({ name, fault, content }) => [name, fault, content])).toEqual(
        ['plain', 'packed', 'swapped', 'gone', 'inner'].map((name) => [name, null, null]),
      );
      expect(seen.map(({ path }) => path)).toEqual(['/index.json']);
      expect(Object.keys(seen[0] ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
    });

    it('gives the content of skills that are what their digests say, and says of others why not', async () => {
      const names = ['plain', 'packed', 'swapped', 'gone', 'inner'];
      const { body, text } = await look(`${origin}/index.json`, { skills: names });
      expect(body.items.map(({ name, fault, content }) => [name, fault, content?.mediaType])).toEqual([
        ['plain', null, 'text/markdown'],
        ['packed', null, 'application/gzip'],
        ['swapped', expect.stringContaining('another digest'), undefined],
        ['gone', expect.stringContaining('404'), undefined],
        ['inner', expect.stringContaining('169.254.169.254'), undefined],
      ]);
      expect(text).not.toContain('secret');
    });

    it('is refused what is no source, and what may not be fetched', async () => {
      const codes = ['/text', '/deep.json', '/missing'].map(
        async (path) => (await look(origin + path)).body.code,
      );
      expect(await Promise.all(codes)).toEqual(['source_unknown', 'source_unknown', 'document_not_served']);
      expect((await look('http://169.254.169.254/v0.1/servers')).body.code).toBe('outbound_refused');
      expect((await look('file:///etc/passwd')).status).toBe(400);
      const reader = { token: await server().token({ scope: 'catalog:read' }) };
      expect((await look(`${origin}/index.json`, {}, reader)).status).toBe(403);
    });

    it('takes in skills, a server as a gateway, and an agent, on the command line', async () => {
      const listed = await run('look', `${origin}/index.json`);
      expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/skill +plain/) as string });
      const taken = await run('look', `${origin}/index.json`, '--take', 'plain', 'packed');
      expect(taken).toMatchObject({ code: 0, out: expect.stringMatching(/skill +packed/) as string });
      const { body: skills } = await server().api<{ items: Item[] }>('GET', '/skills?limit=500');
      expect(skills.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['plain', 'packed']));
      expect(await run('look', `${origin}/index.json`, '--take', 'plain', 'swapped')).toMatchObject({
        code: 3,
        err: expect.stringContaining('another digest') as string,
      });
      expect(await run('look', `${origin}/v0.1/servers`, '--take', 'com.example/weather')).toMatchObject({
        code: 0,
      });
      const { body: gateways } = await server().api<{ items: unknown[] }>(
        'GET',
        '/gateways?serviceId=com.example%2Fweather',
      );
      expect(gateways.items).toMatchObject([{ url: 'https://mcp.example.com/mcp', envTag: 'dev' }]);
      expect(await run('look', `${origin}/card.json`, '--take', 'Travel Agent')).toMatchObject({ code: 0 });
      const { body: agents } = await server().api<{ items: unknown[] }>('GET', '/agents?q=Travel');
      expect(agents.items).toMatchObject([{ name: 'Travel Agent', apiVersion: '1.2.0' }]);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1' },
);
