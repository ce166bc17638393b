import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  listedAs,
  schema,
  ScriptedCatalog,
  SdkGateway,
  tokenOf,
} from '../../test/agent-world.js';
import type { AgentClient } from './agent-client.js';
import type { AgentClientOptions, Fallbacks } from './agent-options.js';
import type { CatalogDocument, CatalogTool, JsonObject } from './catalog-document.js';
import type { LiveTools } from './gateway.js';
import type { Turn } from './turn.js';
import { many } from '../../test/soak.js';

/** Few names, so that catalogs and gateways share some; each is a word that prompts may have. */
const words = ['account', 'balance', 'close', 'meter', 'refund', 'weather'];
const name = fc.constantFrom(...words);
/** As a gateway lists it: some names are none that the catalog gives. */
const listedName = (word: string): string => (['refund', 'weather'].includes(word) ? `get.${word}` : word);
const publishedName = (word: string): string => listedName(word).replace('.', '_');
const listedOf = ({ name: own, endpoint = '' }: CatalogTool): string =>
  endpoint.endsWith('@call') ? endpoint.slice(0, -'@call'.length) : own;

/** Of a tool's one parameter, each taking more than the one before; in the catalog, and as the gateway writes it. */
const kinds = ['demanding', 'plain', 'older', 'wider'] as const;
type Kind = (typeof kinds)[number];
const inCatalog: Record<Kind, JsonObject> = {
  demanding: schema({ id: { type: 'string' } }, ['id']),
  plain: schema({ id: { type: 'string' } }),
  older: schema({ id: { type: ['string', 'null'] } }),
  wider: schema({ id: {} }),
};
const atGateway: Record<Kind, JsonObject> = {
  ...inCatalog,
  older: schema({ id: { type: 'string', nullable: true, pattern: '^(a+)+$' } }),
};
/** What went through JSON is another object. */
const rankIn = (schemas: Record<Kind, JsonObject>, one: JsonObject): number =>
  kinds.findIndex((kind) => JSON.stringify(schemas[kind]) === JSON.stringify(one));
const breaks = (catalog: JsonObject, gateway: JsonObject): boolean =>
  rankIn(atGateway, gateway) < rankIn(inCatalog, catalog);
const schemaKind = fc.constantFrom<Kind>('plain', 'plain', 'older', 'wider', 'demanding');

const tools = fc.uniqueArray(
  fc.record({
    name,
    schemaKind,
    refers: fc.option(name),
    needs: fc.constantFrom<string[]>([], [], ['host']),
    retired: fc.boolean(),
  }),
  { selector: (tool) => tool.name, maxLength: 5 },
);
const catalogs = fc.array(tools, { maxLength: 2 }).map((skills) =>
  skills.map((own, index) =>
    aSkill(
      `skill ${index} ${words[index] ?? ''}`,
      own.map((tool) =>
        aTool(publishedName(tool.name), {
          // Two skills may offer two versions of one name.
          toolId: `${tool.name} ${index}`,
          endpoint: `${listedName(tool.name)}@call`,
          inputSchema: inCatalog[tool.schemaKind],
          lifecycleStatus: tool.retired && tool.needs.length > 0 ? 'retired' : 'active',
          routing: {
            contextRequirements: { requiredInputs: [], requiredContext: tool.needs },
            dependencies: tool.refers === null ? [] : [{ endpoint: `${listedName(tool.refers)}@call` }],
            fallbackEndpoint: tool.refers && `${listedName(tool.refers)}@call`,
          },
        }),
      ),
    ),
  ),
);
const listing = fc.uniqueArray(fc.record({ name, schemaKind }), { selector: (tool) => tool.name });

const trouble = fc.constantFrom(
  'none',
  'none',
  'down',
  'refused',
  'garbage',
  'proxy',
  'other host',
  'bad patch',
);
const step = fc.oneof(
  fc.record({ kind: fc.constant('catalog' as const), skills: catalogs, isNotified: fc.boolean() }),
  fc.record({ kind: fc.constant('trouble' as const), trouble }),
  fc.record({ kind: fc.constant('gateway' as const), listing, isDown: fc.boolean() }),
  fc.record({ kind: fc.constant('time' as const), seconds: fc.constantFrom(1, 61, 400) }),
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({
    kind: fc.constant('prompt' as const),
    prompt: fc.array(fc.constantFrom(...words, 'nothing'), { maxLength: 3 }).map((all) => all.join(' ')),
    context: fc.constantFrom<string[]>([], ['host']),
  }),
);
const settings = fc.record({
  load: fc.constantFrom<'startup' | 'first-request'>('startup', 'first-request'),
  fallback: fc.record<Required<Fallbacks>>({
    noMatch: fc.constantFrom('catalog-tools', 'gateway-tools', 'none'),
    noCatalog: fc.constantFrom('gateway-tools', 'none'),
    noAgent: fc.constantFrom('gateway-tools', 'none'),
  }),
  selection: fc.record({ limit: fc.constantFrom(1, 12), semantic: fc.boolean() }),
  isNamed: fc.constantFrom(true, true, true, false),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Given = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** A world in which anything may happen between two prompts, and what must be true of what each is given. */
class World {
  private version = 1;
  private now = 1_000_000;
  /** Lowest version that a catalog may have which is called fresh: the agent was notified of it. */
  private notified = 0;
  private readonly served = new Map<string, CatalogDocument>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'agent-laws-'));
  private readonly catalog = new ScriptedCatalog(aCatalog([]));
  private readonly gateway = new SdkGateway([]);
  private agent: AgentClient;

  constructor(private readonly given: Given) {
    this.served.set(this.catalog.document.catalogHash, this.catalog.document);
    this.agent = this.started();
  }

  async take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'catalog':
        this.publish(next);
        return;
      case 'trouble':
        this.trouble(next.trouble);
        return;
      case 'gateway':
        this.gateway.isDown = next.isDown;
        this.gateway.tools = next.listing.map((tool) =>
          listedAs(aTool(listedName(tool.name), { inputSchema: atGateway[tool.schemaKind] })),
        );
        return;
      case 'time':
        this.now += next.seconds * 1000;
        return;
      case 'restart':
        await this.agent.close();
        // What was said to the agent before, the next one has not heard.
        this.catalog.lastWord = undefined;
        this.agent = this.started();
        return this.agent.start();
      case 'prompt':
        return this.ask(next);
    }
  }

  async end(): Promise<void> {
    await this.agent.close();
    rmSync(this.folder, { recursive: true });
  }

  private started(): AgentClient {
    const { isNamed, ...given } = this.given;
    const options: Partial<AgentClientOptions> = {
      ...given,
      ...(!isNamed && { catalog: { url: 'http://catalog.test', token: tokenOf({}) } }),
      cacheDirectory: this.folder,
      clock: () => this.now,
    };
    return anAgent(this.catalog, this.gateway, options).agent;
  }

  private publish({ skills, isNotified }: Extract<Step, { kind: 'catalog' }>): void {
    const document = aCatalog(skills, { catalogVersion: (this.version += 1) });
    this.served.set(document.catalogHash, document);
    this.catalog.change(document);
    if (!isNotified) return;
    this.notified = this.version;
    this.agent.invalidate();
  }

  private trouble(kind: string): void {
    const foreign = { ...this.catalog.document, hostId: '0192f0c4-7a51-7c10-8f7e-000000000000' };
    const answers: Record<string, (() => Response) | undefined> = {
      garbage: () => Response.json({ skills: 'all of them' }),
      proxy: () =>
        new Response('<h1>Not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
      'other host': () => Response.json(foreign),
      'bad patch': () =>
        new Response('[{"op":"remove","path":"/skills"}]', {
          headers: { 'content-type': 'application/json-patch+json' },
        }),
    };
    if (kind === 'refused') this.catalog.refuse();
    else if (kind === 'down') this.catalog.down();
    else this.catalog.answer = answers[kind];
  }

  /** Asks twice: whoever is refused behind the first prompt knows it before the second. */
  private async ask({ prompt, context }: Extract<Step, { kind: 'prompt' }>): Promise<void> {
    this.judge(await this.agent.prepare(prompt, { context }), context);
    const word = this.catalog.lastWord;
    const turn = await this.agent.prepare(prompt, { context });
    this.judge(turn, context);
    if (word === 'refused' && this.catalog.lastWord === 'refused') expect(turn.tools).toEqual([]);
    await this.judgeHidden({ prompt, context });
  }

  /** Nothing is kept out by the gateway but what it lacks, or takes no more as the catalog has it. */
  private async judgeHidden(question: {
    readonly prompt: string;
    readonly context: string[];
  }): Promise<void> {
    const { catalogHash, gatewayAvailable, hiddenTools } = await this.agent.diagnostics(question);
    const disclosed = this.served.get(catalogHash ?? '')?.skills.flatMap(({ tools: own }) => own) ?? [];
    const live = this.live();
    for (const { toolId, reason } of gatewayAvailable ? hiddenTools : []) {
      const tool = disclosed.find((each) => each.toolId === toolId);
      const listed = tool && live.get(listedOf(tool));
      if (reason === 'missing_from_gateway') expect([toolId, listed]).toEqual([toolId, undefined]);
      if (reason === 'schema_changed')
        expect([toolId, tool && listed && breaks(tool.inputSchema, listed.inputSchema)]).toEqual([
          toolId,
          true,
        ]);
    }
  }

  private live(): LiveTools {
    return new Map(this.gateway.isDown ? [] : this.gateway.tools.map((tool) => [tool.name, tool]));
  }

  private judge(turn: Turn, context: readonly string[]): void {
    const { tools: offered, state } = turn;
    const live = this.live();
    for (const tool of offered) expect(tool.inputSchema).toEqual(live.get(tool.name)?.inputSchema);
    expect(state.catalog === 'no_agent').toBe(!this.given.isNamed);
    if (this.gateway.isDown) expect([state.gateway, state.fallback]).toEqual(['unavailable', undefined]);
    else if (state.catalog === 'refused') expect([offered, state.fallback]).toEqual([[], undefined]);
    else if (state.catalog === 'no_agent' || state.catalog === 'none') this.judgeBeside(turn, live);
    else this.judgeWithin(turn, live, context);
  }

  /** Without a catalog: all that the gateway lists, or nothing, as it is configured for the cause. */
  private judgeBeside({ tools: offered, state }: Turn, live: LiveTools): void {
    const { noAgent, noCatalog } = this.given.fallback;
    const isNamed = state.catalog === 'none';
    expect(state.fallback).toBe(isNamed ? 'no_catalog' : 'no_agent');
    const all = (isNamed ? noCatalog : noAgent) === 'none' ? [] : [...live.keys()];
    expect(offered.map((tool) => tool.name)).toEqual(all);
  }

  /** What the catalog and the gateway both give; more only where nothing matches, and as far as it is configured. */
  private judgeWithin({ tools: offered, state }: Turn, live: LiveTools, context: readonly string[]): void {
    const { noMatch } = this.given.fallback;
    const document = this.served.get(state.catalogHash ?? '');
    if (document === undefined) throw new Error('The catalog used is none that was ever served.');
    // A version may grow while content and hash stay: the latest with this hash counts.
    if (state.catalog === 'fresh') expect(document.catalogVersion).toBeGreaterThanOrEqual(this.notified);
    const disclosed = document.skills.flatMap(({ tools: own }) => own);
    const may = (tool: CatalogTool): boolean => {
      const { requiredContext } = tool.routingMetadata.contextRequirements;
      const listed = live.get(listedOf(tool));
      return (
        tool.lifecycleStatus !== 'retired' &&
        requiredContext.every((need) => context.includes(need)) &&
        listed !== undefined &&
        !breaks(tool.inputSchema, listed.inputSchema)
      );
    };
    const known = new Set(disclosed.map(listedOf));
    const callable = new Set(disclosed.filter(may).map(listedOf));
    const names = offered.map((tool) => tool.name);
    if (state.fallback === undefined) expect(names.filter((one) => !callable.has(one))).toEqual([]);
    else {
      const own = noMatch === 'none' ? [] : [...live.keys()].filter((one) => callable.has(one));
      const more = noMatch === 'gateway-tools' ? [...live.keys()].filter((one) => !known.has(one)) : [];
      expect([state.fallback, ...names.sort()]).toEqual(['no_match', ...[...own, ...more].sort()]);
    }
  }
}

it('offers nothing that a fresh catalog withholds or the gateway does not list, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { minLength: 3, maxLength: 14 }), async (given, steps) => {
      const world = new World(given);
      try {
        for (const next of steps) await world.take(next);
      } finally {
        await world.end();
      }
    }),
    many(200),
  );
});
