/** What people do to one tool whose texts are reviewed, and what the log says of what agents read afterwards. */
import fc from 'fast-check';
import { fresh, type guardsWorld, openapi, service } from './guards-world.js';
import type { Server } from './server.js';

/** `ann` writes; `ben` may approve, too; `cat` is an administrator as well. */
export const people = ['ann', 'ben', 'cat'] as const;
export type Person = (typeof people)[number];

const verbs = [
  ...[
    'push',
    'push',
    'push',
    'draft',
    'patch',
    'patch',
    'route',
    'revise',
    'prompts',
    'teach',
    'link',
    'import',
    'override',
  ],
  ...['dataSet', 'submit', 'submit', 'submit', 'evaluate', 'evaluate', 'evaluate'],
  ...['approve', 'approve', 'approve', 'approveOld', 'force', 'accept', 'acceptByForce'],
  ...['reject', 'retire', 'deprecate', 'activate', 'deactivate', 'settings'],
] as const;
type Verb = (typeof verbs)[number];

/** Who does what; `pick` chooses among versions, numbers and the like. */
export interface Step {
  readonly who: Person;
  readonly verb: Verb;
  readonly pick: number;
}
export const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(...people),
  verb: fc.constantFrom(...verbs),
  pick: fc.nat(5),
});

interface Version {
  readonly version: string;
  readonly state: string;
  readonly digest: string;
  readonly specText: string | null;
  readonly evalConfigText: string | null;
  readonly content: object;
}
interface Logged {
  readonly type: string;
  readonly subject: string;
  readonly data: {
    readonly version: string;
    readonly digest: string | null;
    readonly override: object | null;
  };
}
const bumps = ['1.0.1', '1.0.2', '1.1.0', '1.2.0', '2.0.0', '3.0.0'];
const marksIn = (said: unknown): readonly string[] => [
  ...new Set(JSON.stringify(said).match(/mark\d+x/g) ?? []),
];

/** One tool that came as a spec, or has a version that did, with an agent that has it. */
export class ReviewedTool {
  private marks = 0;
  private readonly writers = new Map<string, Person>();
  /** What stands beside the versions: prompts and words of a link. */
  private readonly beside = new Set<string>();
  /** What agents had before anything of it was reviewed. */
  private readonly before = new Set<string>();
  private readonly digests = new Map<string, string>();
  private isReviewed = false;

  private constructor(
    private readonly server: () => Server,
    private readonly tokens: Readonly<Record<Person | 'agent', string>>,
    private readonly at: {
      readonly name: string;
      readonly api: string;
      readonly tool: string;
      readonly skill: string;
      readonly agent: string;
    },
  ) {}

  /** @param ofDocument whether it began with a document, and the spec came later */
  static async make(
    server: () => Server,
    { ask, bring, toolOf, agentWith }: ReturnType<typeof guardsWorld>,
    ofDocument: boolean,
  ): Promise<ReviewedTool> {
    const [name, api] = [fresh('reads'), fresh('files')];
    const scope = 'catalog:read catalog:write catalog:all-services';
    const approving = `${scope} catalog:approve`;
    const scopes = { ann: scope, ben: approving, cat: `${approving} catalog:admin` };
    const made = await Promise.all(people.map((sub) => server().token({ sub, scope: scopes[sub] })));
    const tokens = Object.fromEntries(people.map((sub, place) => [sub, made[place] ?? ''])) as Record<
      Person,
      string
    >;
    let tool = '';
    if (ofDocument) {
      await bring(api, openapi({ [name]: {} }), { publish: true }, tokens.cat);
      tool = (await toolOf(api)).toolId;
    } else {
      const specText = specOf(name, '1.0.0', 'Reads a file.');
      tool = (await ask<{ id: string }>('POST', '/tools/specs', { specText }, tokens.cat)).id;
    }
    const agent = await agentWith([tool]);
    const { items } = await ask<{ items: { skillId: string }[] }>('GET', `/agents/${agent}/skills`);
    const reader = { sub: 'agent', sid: ['desk', 'shop'], agent_def_id: agent, scope: 'catalog:read' };
    const at = { name, api, tool, agent, skill: items[0]?.skillId ?? '' };
    return new ReviewedTool(server, { ...tokens, agent: await server().token(reader) }, at);
  }

  /** What was answered: a code where it was refused. */
  async take({ who, verb, pick }: Step): Promise<string> {
    const { tool, skill, name, api } = this.at;
    const post = (path: string, body: object = {}) => this.send(who, 'POST', path, body);
    const versions = await this.versions();
    const some = versions[pick % versions.length]?.version ?? '';
    const open = versions.filter(({ state }) => state === (verb === 'submit' ? 'draft' : 'in_review'));
    const version = open[pick % Math.max(open.length, 1)]?.version ?? some;
    const path = `/tools/${tool}/versions/${version}`;
    const text = () => `Reads a file as ${this.mark(who)} says.`;
    switch (verb) {
      case 'push': {
        const prompt = this.mark(who);
        const evalConfigText =
          pick % 2 === 0 ? { evalConfigText: `prompts:\n  - prompt: read ${prompt}\n` } : {};
        return post('/tools/specs', { specText: specOf(name, bumps[pick] ?? '', text()), ...evalConfigText });
      }
      case 'draft':
        return post(`/tools/${tool}/versions`, {
          version: bumps[pick],
          description: text(),
          inputSchema: schema,
        });
      case 'patch':
        return this.send(who, 'PATCH', `/tools/${tool}`, { description: pick === 0 ? null : text() });
      case 'route':
        return this.send(who, 'PATCH', `/tools/${tool}`, { routing: { semanticDescription: text() } });
      case 'revise': {
        const properties = { path: { type: 'string', description: text() } };
        return this.send(who, 'PATCH', `/tools/${tool}`, { inputSchema: { type: 'object', properties } });
      }
      case 'prompts':
        return this.send(who, 'PATCH', `/tools/${tool}`, { examplePrompts: [this.besideOf(who)] });
      case 'teach':
        return post('/tools/examples', {
          items: [{ toolId: tool, prompts: [this.besideOf(who)] }],
          mode: 'add',
        });
      case 'link': {
        const config = { description: this.besideOf(who), examples: [this.besideOf(who)] };
        return this.send(who, 'PUT', `/skills/${skill}/tools/${tool}`, {
          accessLevel: 'execute',
          config,
          range: pick < 3 ? 'approved' : '^1',
        });
      }
      case 'import': {
        const parameters = pick % 2 === 0 ? [{ name: 'more', in: 'query', required: true, schema: {} }] : [];
        const document = openapi({ [name]: { summary: text(), parameters } });
        return post('/imports', {
          api: { apiId: api },
          version: { apiVersion: '1', ...service },
          document,
          publish: true,
        });
      }
      case 'override': {
        const { body } = await this.server().api<{ items?: { endpointId: string }[] }>(
          'GET',
          `/endpoints?apiId=${api}`,
        );
        const endpoint = body.items?.[0]?.endpointId;
        return endpoint === undefined
          ? 'none'
          : this.send(who, 'PATCH', `/endpoints/${endpoint}`, { description: text() });
      }
      case 'dataSet':
        return this.send(who, 'PUT', `/evaluation-sets/${name}`, {
          rows: [{ prompt: `read ${this.mark(who)}`, expect: [name] }],
        });
      case 'submit':
      case 'evaluate':
        return post(`${path}/${verb}`);
      case 'approve':
        return post(`${path}/approve`, { digest: versions.find((each) => each.version === version)?.digest });
      case 'approveOld':
        return post(`${path}/approve`, { digest: this.digests.get(version) ?? '0'.repeat(64) });
      case 'force':
        return post(`${path}/approve`, {
          digest: versions.find((each) => each.version === version)?.digest,
          override: { reason: 'Looked at.' },
        });
      case 'accept':
      case 'acceptByForce': {
        const digest = open[0]?.digest;
        return post(`/tools/${tool}/changes/accept`, {
          ...(digest && { digest }),
          ...(verb === 'acceptByForce' && { override: { reason: 'Looked at.' } }),
        });
      }
      case 'reject':
        return post(`${path}/reject`, { reason: 'Not so.' });
      case 'retire':
        return post(`/tools/${tool}/versions/${some}/retire`, { reason: 'Not needed.' });
      case 'deprecate':
        return post(`/tools/${tool}/versions/${some}/deprecate`, {
          on: '2099-01-01',
          message: 'Take another.',
        });
      case 'activate':
      case 'deactivate':
        return post(`/tools/${tool}/${verb}`);
      case 'settings':
        return this.send(who, 'PUT', '/settings', { autoApprove: pick % 2 === 0 });
    }
  }

  /**
   * What agents read of it that nobody may have let through; each with why.
   *
   * @param doors all of an agent’s, or its catalog alone
   */
  async unreviewed(doors: 'all' | 'catalog'): Promise<readonly string[]> {
    const [given, versions, log] = await Promise.all([this.given(doors), this.versions(), this.approvals()]);
    for (const { version, digest } of versions)
      if (!this.digests.has(version)) this.digests.set(version, digest);
    this.isReviewed ||= log.some(({ data }) =>
      versions.some(({ version, specText }) => version === data.version && specText !== null),
    );
    if (!this.isReviewed) for (const mark of marksIn(given)) this.before.add(mark);
    return marksIn(given).flatMap((mark) => (this.before.has(mark) ? [] : this.faultOf(mark, versions, log)));
  }

  private faultOf(mark: string, versions: readonly Version[], log: readonly Logged[]): readonly string[] {
    const writer = this.writers.get(mark) ?? 'ann';
    if (this.beside.has(mark)) return writer === 'ann' ? [`${mark} beside the versions is by ${writer}`] : [];
    const saying = versions.filter(({ content }) => marksIn(content).includes(mark));
    const why = saying.flatMap((version) =>
      log
        .filter(({ data }) => data.version === version.version)
        .map((approval) => this.whyNot(version, approval)),
    );
    if (why.includes(undefined)) return [];
    return [
      `${mark} by ${writer} in ${saying.map(({ version }) => version).join(', ')}: ${why.join('; ') || 'no approval'}`,
    ];
  }

  /** Undefined where this approval lets the version through. */
  private whyNot(version: Version, { subject, data }: Logged): string | undefined {
    if (data.digest !== version.digest)
      return `approved was ${String(data.digest)}, given is ${version.digest}`;
    if (data.override !== null) return undefined;
    if (subject === 'ann') return 'ann may not approve';
    const own = marksIn([version.content, version.evalConfigText]).filter(
      (mark) => this.writers.get(mark) === subject,
    );
    return own.length === 0 ? undefined : `${subject} wrote ${own.join(', ')}`;
  }

  /** All that an agent reads of the tool, by each of its doors. */
  private async given(doors: 'all' | 'catalog'): Promise<unknown> {
    const { agent, tool, name, skill } = this.at;
    const query = 'serviceId=desk&envTag=dev&examples=true';
    const read = async (method: string, path: string, body?: object) => {
      const answer = await this.server().api(method, path, {
        token: this.tokens.agent,
        ...(body && { body }),
      });
      if (answer.status >= 400 && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    const nodes = [{ id: 'a', entity: 'Tool', columns: '*', filters: { name } }];
    const catalog = await read('GET', `/agents/${agent}/effective-catalog?${query}`);
    if (doors === 'catalog') return catalog;
    return [
      catalog,
      await read('GET', `/tools/${tool}`),
      await read('POST', '/agent/commands/get_tool', { name }),
      await read('POST', '/agent/commands/get_skill', { skillId: skill }),
      await read('POST', '/search', { prompt: `read ${name}`, kinds: ['tool', 'endpoint'] }),
      await read('POST', '/graph/query', { query: { query_type: 'traversal', nodes } }),
    ];
  }

  private async versions(): Promise<readonly Version[]> {
    const { tool } = this.at;
    const { body } = await this.server().api<{ items: Version[] }>('GET', `/tools/${tool}/versions`);
    const all = body.items.map(
      async ({ version }) =>
        (await this.server().api<Version>('GET', `/tools/${tool}/versions/${version}`)).body,
    );
    return Promise.all(all);
  }

  private async approvals(): Promise<readonly Logged[]> {
    const { body } = await this.server().api<{ items: Logged[] }>(
      'GET',
      `/streams/Tool/${this.at.tool}?limit=500`,
    );
    return body.items.filter(({ type }) => type === 'ToolVersionApprovedEvent');
  }

  private mark(who: Person): string {
    const mark = `mark${String((this.marks += 1))}x`;
    this.writers.set(mark, who);
    return mark;
  }

  private besideOf(who: Person): string {
    const mark = this.mark(who);
    this.beside.add(mark);
    return `read it as ${mark} says`;
  }

  private async send(who: Person, method: string, path: string, body: object): Promise<string> {
    const answer = await this.server().api<{ code?: string; outcome?: string }>(method, path, {
      token: this.tokens[who],
      body,
    });
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.code ?? 'done';
  }
}

const schema = { type: 'object', properties: { path: { type: 'string', description: 'Where it is.' } } };
const specOf = (name: string, version: string, description: string): string =>
  `version: ${version}\nname: ${name}\ndescription: ${description} Use it when its path is known.\n` +
  `annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false }\nhost: shop\n` +
  `inputSchema:\n  parameters:\n    - { name: path, description: Where it is., type: string }\n`;
