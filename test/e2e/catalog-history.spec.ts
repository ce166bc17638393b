import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { EMPTY } from 'rxjs';
import { Heads } from '../../src/eventsourcing/heads.js';
import { Rebuild } from '../../src/eventsourcing/rebuild.js';
import { DATABASE, type Database } from '../../src/eventsourcing/sql.js';
import { CatalogCache } from '../../src/effective-catalog/catalog-cache.service.js';
import { makeAccountAgent, type AccountAgent, type Sender } from './account-agent.js';
import { eachServer, hostId, type TestServer } from './server.js';

const otherHost = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const operator = 'catalog:read catalog:write catalog:admin catalog:all-services';

/** Another instance's view: it knows no head and has nothing in memory. */
class NoHeads extends Heads {
  readonly changes = EMPTY;
  freshPosition(): undefined {
    return undefined;
  }
  position(): Promise<number> {
    return Promise.reject(new Error('Not asked for.'));
  }
  changesOf(): typeof EMPTY {
    return EMPTY;
  }
}

/** The host's account agent, and what may happen to all that its catalog is made of. */
class World {
  private constructor(
    readonly server: TestServer,
    readonly token: string,
    readonly host: string,
    readonly agent: AccountAgent,
    private readonly otherSkill: string,
    private readonly tags: readonly string[],
    private readonly gateway: string,
  ) {}

  static async make(server: TestServer, host: string): Promise<World> {
    const token = await server.token({ host, scope: operator });
    const sender: Sender = {
      async send(method, path, token, { body } = {}) {
        const { status, text } = await server.api(method, `//v1/hosts/${host}${path}`, { token, body });
        return { status, text, headers: new Headers() };
      },
    };
    const agent = await makeAccountAgent(sender, token);
    const create = async (path: string, body: object): Promise<string> => {
      const { text } = await sender.send('POST', path, token, { body });
      return (JSON.parse(text) as { id: string }).id;
    };
    const skill = await create('/skills', { name: 'Other', contentMarkdown: 'x' });
    const tags = [
      await create('/tags', { entityType: 'tool', tagName: 'one' }),
      await create('/tags', { entityType: 'tool', tagName: 'two' }),
    ];
    return new World(server, token, host, agent, skill, tags, `${host.slice(0, -4)}aaaa`);
  }

  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    return this.server.api(method, `//v1/hosts/${this.host}${path}`, { token: this.token, body });
  }

  /** The catalog's bytes, or the status where there is none. */
  async catalog(more = ''): Promise<string> {
    const { status, text } = await this.ask('GET', this.agent.catalog + more);
    return status === 200 ? text : `status ${String(status)}`;
  }

  position(): Promise<number> {
    return this.server.app.get(Heads).position(this.host);
  }

  /** Requests, some of which break a rule in some states: then nothing changes. */
  steps(): readonly (readonly [method: string, path: string, body?: (n: number) => unknown])[] {
    const { skillId, agentDefId, toolIds } = this.agent;
    const [tool, other] = [toolIds['readAccount'] ?? '', toolIds['listBills'] ?? ''];
    const gateway = { serviceId: 'gateway', envTag: 'dev', url: 'https://gateway.example.com/mcp' };
    return [
      ['PATCH', `/skills/${skillId}`, (n) => ({ description: `Words ${String(n)}.` })],
      ['POST', `/skills/${this.otherSkill}/deactivate`],
      ['POST', `/skills/${this.otherSkill}/activate`],
      ['PUT', `/skills/${skillId}/tools/${tool}`, (n) => ({ accessLevel: n % 2 ? 'read' : 'execute' })],
      ['DELETE', `/skills/${skillId}/tools/${other}`],
      ['PUT', `/skills/${skillId}/tools/${other}`, () => ({})],
      ['PUT', `/skills/${this.otherSkill}/tools/${tool}`, () => ({})],
      ['PATCH', `/tools/${tool}`, (n) => ({ description: `Reads, ${String(n)}.` })],
      ['PATCH', `/tools/${tool}`, (n) => ({ routing: { sensitivityTier: n % 2 ? 'restricted' : 'public' } })],
      ['POST', `/tools/${other}/deactivate`],
      ['POST', `/tools/${other}/activate`],
      ['PATCH', '/apis/account', (n) => ({ apiName: `Accounts ${String(n)}` })],
      ['PUT', `/agents/${agentDefId}`, (n) => ({ personas: [`p${String(n % 3)}`] })],
      ['PUT', `/agents/${agentDefId}/skills/${this.otherSkill}`, (n) => ({ priority: n })],
      ['DELETE', `/agents/${agentDefId}/skills/${this.otherSkill}`],
      ['PUT', `/skills/${skillId}/dependencies/${this.otherSkill}`, (n) => ({ required: n % 2 === 0 })],
      ['DELETE', `/skills/${skillId}/dependencies/${this.otherSkill}`],
      ['PUT', `/gateways/${this.gateway}`, () => gateway],
      ['POST', `/gateways/${this.gateway}/deactivate`],
      ['PUT', `/gateways/${this.gateway}/exposures`, (n) => ({ tools: n % 2 ? [{ toolId: tool }] : [] })],
      ['PATCH', `/tags/${this.tags[0] ?? ''}`, (n) => ({ tagName: `tag-${String(n % 4)}` })],
      ['PUT', `/tools/${tool}/taxonomy`, (n) => ({ tagIds: this.tags.slice(0, n % 3) })],
    ];
  }
}

eachServer((server, kind) => {
  let world: World;
  let other: World;
  beforeAll(async () => {
    world = await World.make(server(), hostId);
    other = await World.make(server(), otherHost);
  }, 60_000);

  /** Bytes by the position at which they were given. */
  const given = new Map<number, string>();
  const contents = new Map<string, string>();

  const note = async (): Promise<string> => {
    const text = await world.catalog();
    given.set(await world.position(), text);
    return text;
  };

  /** Equal content has an equal hash, and the other way round. */
  const compareHash = (text: string): void => {
    if (!text.startsWith('{')) return;
    const { catalogHash, catalogVersion, ...content } = JSON.parse(text) as Record<string, unknown>;
    expect(catalogVersion).toBeDefined();
    const known = contents.get(String(catalogHash));
    if (known === undefined) contents.set(String(catalogHash), JSON.stringify(content));
    else expect(JSON.stringify(content)).toBe(known);
  };

  const freshInstance = async (): Promise<string> => {
    const [, search] = world.agent.catalog.split('?');
    const query = new URLSearchParams(search);
    const cache = new CatalogCache(server().app.get<Database>(DATABASE), new NoHeads());
    const made = await cache.read({
      hostId,
      agentDefId: world.agent.agentDefId,
      services: [query.get('serviceId') ?? ''],
      environments: [query.get('envTag') ?? ''],
      withheld: false,
      examples: false,
    });
    return made.bytes.toString();
  };

  it('whatever happens, the past stays as it was given, and a rebuild makes the same', async () => {
    const foreign = await other.catalog();
    const steps = world.steps();
    const step = fc.tuple(fc.nat(steps.length - 1), fc.nat(20));
    let version = 0;
    let applied = 0;
    await note();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (sequence) => {
        for (const [index, n] of sequence) {
          const [method, path, body] = steps[index] ?? ['GET', '/skills'];
          const answer = await world.ask(method, path, body?.(n));
          expect([200, 201, 404, 409]).toContain(answer.status);
          applied += answer.status < 300 ? 1 : 0;
          const text = await note();
          compareHash(text);
          const now = (JSON.parse(text) as { catalogVersion: number }).catalogVersion;
          expect(now).toBeGreaterThanOrEqual(version);
          version = now;
          expect(text).toBe(await freshInstance());
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
    expect(applied).toBeGreaterThan(20);
    expect(await other.catalog()).toBe(foreign);
    await expectPast();
    const last = await world.catalog();
    await server().app.get(Rebuild).run();
    expect(await freshInstance()).toBe(last);
    await expectPast();
    expect(await other.catalog()).toBe(foreign);
  }, 300_000);

  const expectPast = async (): Promise<void> => {
    for (const [position, text] of given) {
      const past = await world.catalog(`&asOf=${String(position)}`);
      expect({ position, past }).toEqual({ position, past: text });
    }
  };

  it('a time stands for the last position before it', async () => {
    const before = await world.catalog();
    const moment = new Date().toISOString();
    await sleep(5);
    await world.ask('PATCH', `/skills/${world.agent.skillId}`, { description: `At ${moment}.` });
    expect(await world.catalog(`&asOf=${moment}`)).toBe(before);
    expect(await world.catalog(`&asOf=${new Date(Date.now() + 60_000).toISOString()}`)).toBe(
      await world.catalog(),
    );
    expect(await world.catalog('&asOf=2020-01-01T00:00:00Z')).toBe('status 404');
    expect(await world.catalog('&asOf=0')).toBe('status 404');
  });

  it.each(['999999999', 'yesterday', '-1', ''])('no such moment: %s', async (moment) => {
    expect(await world.catalog(`&asOf=${moment}`)).toBe('status 400');
  });

  it('needs catalog:admin, and keeps to the limits of the token', async () => {
    const past = `//v1/hosts/${hostId}${world.agent.catalog}&asOf=${String(await world.position())}`;
    const reader = await server().token({ scope: 'catalog:read catalog:all-services' });
    expect((await server().api('GET', past, { token: reader })).status).toBe(403);
    const narrow = await server().token({ scope: operator, maxSensitivityTier: 'public' });
    const { body } = await server().api<{ skills: { tools: object[] }[] }>('GET', past, { token: narrow });
    expect(JSON.stringify(body)).not.toContain('"sensitivityTier":"internal"');
  });

  if (kind === 'server') {
    it('every table behind the catalog keeps its history, with all columns that the catalog reads', async () => {
      const database = server().app.get<Database>(DATABASE);
      const missing = await database.query<{ name: string }>(
        `SELECT t.table_name || '.' || t.column_name AS name FROM information_schema.columns t
         WHERE t.table_schema = 'catalog' AND EXISTS (SELECT FROM information_schema.tables h
           WHERE h.table_schema = 'catalog' AND h.table_name = regexp_replace(t.table_name, '_t$', '_history_t')
             AND h.table_name <> t.table_name)
           AND NOT EXISTS (SELECT FROM information_schema.columns k WHERE k.table_schema = 'catalog'
             AND k.table_name = regexp_replace(t.table_name, '_t$', '_history_t') AND k.column_name = t.column_name)
         ORDER BY 1`,
      );
      expect(missing.map(({ name }) => name)).toEqual([
        'api_endpoint_t.beneath',
        'api_endpoint_t.conflicts',
        'api_endpoint_t.digests',
        'api_endpoint_t.gaps',
        'api_endpoint_t.layers',
        'api_endpoint_t.provenance',
        'api_version_t.spec',
        'tool_t.overrides',
        'tool_t.script_content',
        'tool_t.words',
        'wf_definition_t.definition',
        'wf_definition_t.tool_calls',
        'wf_definition_t.warnings',
      ]);
    });
  }
});
