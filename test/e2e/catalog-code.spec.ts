import { v7 } from 'uuid';
import { eachServer, type ApiAnswer } from './server.js';

interface Document {
  readonly kind: string;
  readonly key: string;
  readonly spec: Readonly<Record<string, unknown>>;
}
interface Plan {
  readonly plan: {
    readonly actions: readonly { readonly op: string; readonly kind: string; readonly key: string }[];
    readonly refused: readonly { readonly key: string; readonly field?: string; readonly code: string }[];
  };
  readonly text: string;
  readonly signature: string;
}

const owner = 'repo:support';

/** Each on a host of its own. */
const documents: readonly Document[] = [
  { kind: 'Agent', key: 'helper@1.0.0', spec: { modelName: 'm-1', skills: [{ skill: 'refunds' }] } },
  {
    kind: 'Skill',
    key: 'refunds',
    spec: {
      description: 'How to pay back.',
      contentMarkdown: 'Look the order up first.',
      categories: ['refunds'],
      parentSkill: 'orders',
      tools: [{ name: 'payBack', accessLevel: 'write' }],
    },
  },
  { kind: 'Skill', key: 'orders', spec: { contentMarkdown: 'All about orders.', active: false } },
  { kind: 'Category', key: 'skill/billing/refunds', spec: {} },
  { kind: 'Category', key: 'skill/billing', spec: { categoryDesc: 'Money.' } },
  { kind: 'Api', key: 'helper', spec: { apiName: 'Helper' } },
  {
    kind: 'ApiVersion',
    key: 'helper@1.0.0',
    spec: { apiType: 'agent', serviceId: 'com.example.helper-1.0.0', envTag: 'dev' },
  },
  {
    kind: 'Gateway',
    key: 'com.example.gateway-1.0.0@dev',
    spec: {
      url: 'https://gateway.example.com/mcp',
      auth: { type: 'bearer', secret: 'gateway' },
      tools: [{ tool: 'payBack' }],
    },
  },
  {
    kind: 'Webhook',
    key: 'https://hooks.example.com/catalog',
    spec: { secret: 'hook', kinds: ['review-wanted'] },
  },
];

eachServer((server) => {
  /** A catalog of its own. */
  class Catalog {
    readonly hostId = v7();
    private readonly token = server().token({ host: this.hostId });

    async api<Body = Record<string, unknown>>(
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<ApiAnswer<Body>> {
      const call = { token: await this.token, headers, ...(body !== undefined && { body }) };
      return server().api<Body>(method, `//v1/hosts/${this.hostId}${path}`, call);
    }

    /** A catalog with a tool, which documents refer to. */
    static async withTool(): Promise<Catalog> {
      const catalog = new Catalog();
      const { status, text } = await catalog.api('POST', '/tools', {
        ...{ name: 'payBack', description: 'Pays an order back.', implementationType: 'javascript' },
        ...{ inputSchema: { type: 'object' }, scriptContent: 'return 1;' },
      });
      expect([status, text]).toEqual([201, expect.any(String)]);
      return catalog;
    }

    async export(): Promise<readonly Document[]> {
      return (await this.api<{ documents: readonly Document[] }>('GET', '/code/documents')).body.documents;
    }

    async plan(wanted: readonly Document[], more: object = {}): Promise<Plan> {
      const answer = await this.api<Plan>('POST', '/code/plans', { owner, documents: wanted, ...more });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body;
    }

    apply(plan: Plan, headers = {}) {
      return this.api<{ code?: string; created?: number }>('POST', '/code/plans/apply', plan, headers);
    }

    /** Plans and applies, and gives what was done. */
    async made(wanted: readonly Document[], more: object = {}): Promise<readonly string[]> {
      const plan = await this.plan(wanted, more);
      expect(plan.plan.refused).toEqual([]);
      const { status, text } = await this.apply(plan);
      expect([status, text]).toEqual([200, expect.any(String)]);
      return plan.plan.actions.map(({ op, kind, key }) => `${op} ${kind} ${key}`);
    }

    /** The description of a skill as operators change it. */
    async describe(name: string, description: string): Promise<void> {
      const { body } = await this.api<{ items: readonly { skillId: string }[] }>(
        'GET',
        `/skills?active=all&q=${name}`,
      );
      const { status } = await this.api('PATCH', `/skills/${body.items[0]?.skillId ?? ''}`, { description });
      expect(status).toBe(200);
    }
  }

  const changed = (key: string, spec: Document['spec']): readonly Document[] =>
    documents.map((document) =>
      document.key === key ? { ...document, spec: { ...document.spec, ...spec } } : document,
    );

  it('makes an empty catalog what documents say, in any order; then there is nothing left to do', async () => {
    const catalog = await Catalog.withTool();
    const done = await catalog.made(documents);
    expect(done).toEqual([
      'create Category skill/billing',
      'create Category skill/billing/refunds',
      'create Api helper',
      'create ApiVersion helper@1.0.0',
      'create Gateway com.example.gateway-1.0.0@dev',
      'create Skill orders',
      'create Skill refunds',
      'create Agent helper@1.0.0',
      'create Webhook https://hooks.example.com/catalog',
    ]);
    const plan = await catalog.plan(documents);
    expect(plan.plan.actions).toEqual([]);
    expect(plan.text).toContain('Nothing to do');
    const events = await catalog.api('GET', '/events?limit=500');
    const again = await catalog.apply(plan);
    expect(again.status).toBe(200);
    expect((await catalog.api('GET', '/events?limit=500')).text).toBe(events.text);
  });

  it('gives a catalog elsewhere the same documents as the one that they come from', async () => {
    const [first, second] = [await Catalog.withTool(), await Catalog.withTool()];
    await first.made(documents);
    const all = await first.export();
    expect(all.map(({ kind, key }) => `${kind} ${key}`)).toContain('Skill refunds');
    expect((await first.plan(all)).plan.actions).toEqual([]);
    await second.made(all);
    expect(JSON.stringify(await second.export())).toBe(JSON.stringify(all));
  });

  it('says what an owner has, and overwrites nobody else’s fields', async () => {
    const catalog = await Catalog.withTool();
    await catalog.made(documents);
    await catalog.describe('refunds', 'What an operator wrote.');
    const wanted = changed('refunds', {
      description: 'What the repository says.',
      contentMarkdown: 'Ask first.',
    });
    const { plan } = await catalog.plan(wanted);
    expect(plan.refused).toMatchObject([
      { key: 'refunds', field: 'description', code: 'owned_by_operators' },
    ]);
    const others = await catalog.plan(
      [{ kind: 'Skill', key: 'refunds', spec: { contentMarkdown: 'Mine.' } }],
      {
        owner: 'repo:others',
      },
    );
    expect(others.plan.refused).toMatchObject([{ code: 'owned_by_another_repository' }]);
    expect((await catalog.apply(others)).body.code).toBe('plan_refused');
    expect(await catalog.made(wanted, { adopt: true })).toContain('adopt Skill refunds');
    expect(
      await catalog.made(changed('refunds', { description: 'Ours now.', contentMarkdown: 'Ask first.' })),
    ).toEqual(['update Skill refunds']);
  });

  it('lets a repository take over what is already as it says', async () => {
    const catalog = new Catalog();
    const same: readonly Document[] = [
      { kind: 'HostSettings', key: 'host', spec: { quarantine: true } },
      { kind: 'Category', key: 'skill/billing', spec: { categoryDesc: 'Money.' } },
      { kind: 'Tag', key: 'skill/fine', spec: { tagDesc: 'Fine.' } },
    ];
    await catalog.made(same, { adopt: true });
    expect(await catalog.made(same, { owner: 'repo:finance', adopt: true })).toEqual([
      'adopt HostSettings host',
      'adopt Category skill/billing',
      'adopt Tag skill/fine',
    ]);
  });

  it('carries a plan out only as it was signed, and only while what it is about is as it was', async () => {
    const catalog = await Catalog.withTool();
    await catalog.made(documents);
    const plan = await catalog.plan(changed('refunds', { description: 'Later.' }));
    const forged = JSON.parse(JSON.stringify(plan).replaceAll('Later.', 'Forged.')) as Plan;
    expect((await catalog.apply(forged)).body.code).toBe('plan_not_genuine');
    // Who looks at a plan reads its text: it says what is carried out, and nothing else.
    const hushed = { ...plan, text: 'Nothing to do: the catalog is what the documents say.\n' };
    expect((await catalog.apply(hushed)).body.code).toBe('plan_not_genuine');
    expect((await new Catalog().apply(plan)).status).toBe(404);
    // Elsewhere in the catalog somebody works on.
    await catalog.describe('orders', 'Another skill.');
    const once = { 'idempotency-key': 'merge-17' };
    const first = await catalog.apply(plan, once);
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('"changed":1')]);
    expect((await catalog.apply(plan, once)).text).toBe(first.text);
    expect((await catalog.apply(plan)).body.code).toBe('plan_stale');
    const late = await catalog.plan(changed('refunds', { description: 'Too late.' }));
    await catalog.describe('refunds', 'An operator was faster.');
    const stale = await catalog.apply(late);
    expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
    expect(stale.text).toContain('SkillUpdatedEvent');
  });

  it('is refused for what the rules of the catalog refuse, before anything is written', async () => {
    const catalog = new Catalog();
    const { plan } = await catalog.plan([
      { kind: 'Skill', key: 'lost', spec: { contentMarkdown: 'x', parentSkill: 'nowhere' } },
      { kind: 'Skill', key: 'leaky', spec: { contentMarkdown: `Use ghp_${'a1B2'.repeat(9)}.` } },
      { kind: 'Agent', key: 'nobody@1.0.0', spec: {} },
      { kind: 'Tag', key: 'skill/fine', spec: {} },
    ]);
    expect(plan.refused.map(({ key, code }) => [key, code])).toEqual([
      ['leaky', 'skill_contains_secret'],
      ['lost', 'reference_not_found'],
      ['nobody@1.0.0', 'reference_not_found'],
    ]);
    expect((await catalog.api('GET', '/events?limit=5')).text).not.toContain('Tag');
    const unfit = await catalog.api('POST', '/code/plans', {
      owner,
      documents: [{ kind: 'Tag', key: 'skill/x', spec: { colour: 'red' } }],
    });
    expect([unfit.status, unfit.text]).toEqual([400, expect.stringContaining('/documents/0/spec')]);
  });

  it('takes out of use what its owner names no more, and no more than allowed', async () => {
    const catalog = await Catalog.withTool();
    await catalog.made(documents);
    const kept = documents.filter(
      ({ kind, key }) => kind !== 'Webhook' && key !== 'refunds' && kind !== 'Agent',
    );
    expect((await catalog.plan(kept)).plan.actions).toEqual([]);
    const { plan } = await catalog.plan(kept, { prune: true, maxDeletions: 1 });
    expect(plan.refused).toMatchObject([{ code: 'too_many_deletions' }]);
    expect(await catalog.made(kept, { prune: true })).toEqual([
      'delete Webhook https://hooks.example.com/catalog',
      'switch-off Agent helper@1.0.0',
      'switch-off Skill refunds',
    ]);
    const states = (await catalog.export()).filter(({ key }) => key === 'refunds' || key === 'helper@1.0.0');
    expect(states.map(({ kind, spec }) => [kind, spec['active']])).toEqual([
      ['ApiVersion', true],
      ['Skill', false],
      ['Agent', false],
    ]);
  });
});
