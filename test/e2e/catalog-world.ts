import { Heads } from '../../src/kernel/heads.js';
import { makeAccountAgent, type AccountAgent, type Sender } from './account-agent.js';
import { asRead } from './approving.js';
import type { OwnServer } from './own-server.js';

/** Something that may happen; `body` varies with the number given. */
export type Step = readonly [method: string, path: string, body?: (n: number) => unknown];

interface Ids {
  readonly otherSkill: string;
  readonly tags: readonly string[];
  readonly category: string;
  readonly apiVersion: string;
  readonly endpoint: string;
  /** Approves calls. */
  readonly approval: string;
  /** Linked to the skill. */
  readonly flow: string;
  /** Of an API that is imported again and again. */
  readonly moving: string;
  /** A tool that came as a spec. */
  readonly written: string;
}

const flow = 'do:\n  - read: {call: mcp, with: {tool: readAccount}}\n';

/** A tool as a file. */
function specOf(version: string, n: number): string {
  const parameter = `{name: path, type: string, required: true, description: "Path ${String(n)}."}`;
  const lines = [
    ...[`version: ${version}`, 'name: written', `description: Writes part ${String(n)} of a text file.`],
    ...['inputSchema:', '  parameters:', `    - ${parameter}`],
  ];
  return lines.join('\n');
}

const override = { override: { reason: 'Looked at.' } };

/** A document that loses an operation, and asks for more, as the number says. */
function movingDocument(n: number): object {
  const operation = (operationId: string): object => ({
    operationId,
    description: `Moves, ${String(n % 4)}.`,
    parameters: [{ name: 'date', in: 'query', required: n % 2 === 1, schema: { type: 'string' } }],
    responses: { 200: { description: 'ok' } },
  });
  const paths = {
    '/moves': { get: operation('listMoves') },
    ...(n % 3 > 0 && { '/moves/next': { get: operation('nextMove') } }),
  };
  return { openapi: '3.1.0', info: { title: 'Moving', version: '1' }, paths };
}

const moving = (n: number): object => ({
  api: { apiId: 'moving', apiName: 'Moving' },
  version: { apiVersion: '1', serviceId: 'moving', envTag: 'dev' },
  document: movingDocument(n),
  publish: true,
});

/** The account agent of one host, and what may happen to all that its catalog is made of. */
export class World {
  private constructor(
    private readonly server: OwnServer,
    readonly host: string,
    private readonly token: string,
    readonly agent: AccountAgent,
    private readonly ids: Ids,
  ) {}

  static async make(server: OwnServer, host: string): Promise<World> {
    const token = await server.token({ host }, 3600);
    const sender: Sender = {
      async send(method, path, token, { body } = {}) {
        const { status, text } = await server.api(method, `//v1/hosts/${host}${path}`, { token, body });
        return { status, text, headers: new Headers() };
      },
    };
    const agent = await makeAccountAgent(sender, token);
    const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const { status, text } = await sender.send(method, path, token, { body });
      if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${text}`);
      return JSON.parse(text) as T;
    };
    const create = async (path: string, body: object): Promise<string> =>
      (await ask<{ id: string }>('POST', path, body)).id;
    const workflow = { namespace: 'ops', version: '1.0.0' };
    const { endpointId } = await ask<{ endpointId: string }>(
      'GET',
      `/tools/${agent.toolIds['readAccount'] ?? ''}`,
    );
    const { apiVersionId } = await ask<{ apiVersionId: string }>('GET', `/endpoints/${endpointId}`);
    const { apiVersionId: movingId } = await ask<{ apiVersionId: string }>('POST', '/imports', moving(4));
    const { items } = await ask<{ items: { toolId: string; name: string }[] }>('GET', '/tools?apiId=moving');
    const ids: Ids = {
      otherSkill: await create('/skills', { name: 'Other', contentMarkdown: 'x' }),
      tags: [
        await create('/tags', { entityType: 'tool', tagName: 'one' }),
        await create('/tags', { entityType: 'tool', tagName: 'two' }),
      ],
      category: await create('/categories', { entityType: 'skill', categoryName: 'desk' }),
      ...{ apiVersion: movingId, endpoint: endpointId },
      approval: await create('/workflows', { ...workflow, name: 'approve', definition: 'do: []\n' }),
      flow: await create('/workflows', { ...workflow, name: 'read', definition: flow }),
      written: await create('/tools/specs', { specText: specOf('1.0.0', 0) }),
      moving: items.find(({ name }) => name === 'nextMove')?.toolId ?? '',
    };
    for (const { toolId } of items) await ask('PUT', `/skills/${agent.skillId}/tools/${toolId}`, {});
    await ask('POST', `/tools/${ids.written}/versions/1.0.0/submit`, {});
    const { digest } = await ask<{ digest: string }>('GET', `/tools/${ids.written}/versions/1.0.0`);
    await ask('POST', `/tools/${ids.written}/versions/1.0.0/approve`, { digest, ...override });
    await ask('PUT', `/skills/${agent.skillId}/tools/${ids.written}`, {});
    if (apiVersionId === movingId) throw new Error('Both APIs have the same version.');
    return new World(server, host, token, agent, ids);
  }

  /** Asks; who approves has read what it is about. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    server = this.server,
  ): Promise<{ status: number; text: string }> {
    const api = <Body>(verb: string, at: string, more: object = {}) =>
      server.api<Body>(verb, `//v1/hosts/${this.host}${at}`, { token: this.token, ...more });
    const isApproval = /^\/tools\/.*\/(approve|changes\/accept)$/.test(path);
    return api(method, path, {
      body: isApproval ? await asRead({ api }, path, { ...(body as object) }) : body,
    });
  }

  /** The catalog's bytes, or the status where there is none. */
  async catalog(more = '', server = this.server): Promise<string> {
    const { status, text } = await this.ask('GET', this.agent.catalog + more, undefined, server);
    return status === 200 ? text : `status ${String(status)}`;
  }

  /** Its things, as the parameters of paths name them. */
  names(): Readonly<Record<string, string>> {
    const { agentDefId, skillId, toolIds } = this.agent;
    const { otherSkill, tags, category, apiVersion, endpoint, flow } = this.ids;
    return {
      ...{ agentDefId, skillId, dependsOnSkillId: otherSkill, toolId: toolIds['readAccount'] ?? '' },
      ...{ tagId: tags[0] ?? '', categoryId: category, apiVersionId: apiVersion, endpointId: endpoint },
      ...{ wfDefId: flow, workflowRole: 'primary', apiId: 'moving', gatewayId: this.gatewayId() },
      ...{ aggregateType: 'Skill', aggregateId: skillId },
    };
  }

  private gatewayId(): string {
    return `${this.host.slice(0, -4)}aaaa`;
  }

  position(): Promise<number> {
    return this.server.app.get(Heads).position(this.host);
  }

  /** Requests, some of which break a rule in some states: then nothing changes. */
  steps(): readonly Step[] {
    return [
      ...this.ofSkills(),
      ...this.ofTools(),
      ...this.ofVersions(),
      ...this.ofEndpoints(),
      ...this.ofWorkflows(),
      ...this.ofAgents(),
    ];
  }

  private ofSkills(): readonly Step[] {
    const { otherSkill, tags, category } = this.ids;
    const { skillId, toolIds } = this.agent;
    const [tool, other] = [toolIds['readAccount'] ?? '', toolIds['listBills'] ?? ''];
    return [
      ['PATCH', `/skills/${skillId}`, (n) => ({ description: `Words ${String(n)}.` })],
      ['PATCH', `/skills/${otherSkill}`, (n) => ({ name: `Other ${String(n % 3)}` })],
      ['POST', `/skills/${otherSkill}/deactivate`],
      ['POST', `/skills/${otherSkill}/activate`],
      ['PUT', `/skills/${skillId}/tools/${tool}`, (n) => ({ accessLevel: n % 2 ? 'read' : 'execute' })],
      ['DELETE', `/skills/${skillId}/tools/${other}`],
      ['PUT', `/skills/${skillId}/tools/${other}`, () => ({})],
      ['PUT', `/skills/${otherSkill}/tools/${tool}`, (n) => ({ config: { priority: n } })],
      ['PUT', `/skills/${skillId}/dependencies/${otherSkill}`, (n) => ({ required: n % 2 === 0 })],
      ['DELETE', `/skills/${skillId}/dependencies/${otherSkill}`],
      ['PATCH', `/tags/${tags[0] ?? ''}`, (n) => ({ tagName: `tag-${String(n % 4)}` })],
      ['PUT', `/tools/${tool}/taxonomy`, (n) => ({ tagIds: tags.slice(0, n % 3) })],
      ['PUT', `/skills/${skillId}/taxonomy`, (n) => ({ categoryIds: n % 2 ? [category] : [] })],
      ['PATCH', `/categories/${category}`, (n) => ({ categoryName: `desk-${String(n % 3)}` })],
    ];
  }

  private ofTools(): readonly Step[] {
    const { toolIds } = this.agent;
    const [tool, other] = [toolIds['readAccount'] ?? '', toolIds['listBills'] ?? ''];
    return [
      ['PATCH', `/tools/${tool}`, (n) => ({ description: `Reads, ${String(n)}.` })],
      ['PATCH', `/tools/${tool}`, (n) => ({ routing: { sensitivityTier: n % 2 ? 'restricted' : 'public' } })],
      ['PATCH', `/tools/${tool}`, (n) => ({ examplePrompts: [`read ${String(n)}`] })],
      ['PATCH', `/tools/${other}`, (n) => ({ lifecycleStatus: n % 2 ? 'retired' : null })],
      ['PATCH', `/tools/${other}`, (n) => ({ safety: n % 2 ? { humanApprovalRequired: true } : null })],
      ['POST', `/tools/${other}/deactivate`],
      ['POST', `/tools/${other}/activate`],
      ['POST', `/tools/${this.ids.moving}/changes/accept`],
    ];
  }

  /** Of the tool that came as a spec, whose next versions somebody reviews, and of one that an import may change. */
  private ofVersions(): readonly Step[] {
    const { written, moving } = this.ids;
    const versions = `/tools/${written}/versions`;
    const link = `/skills/${this.agent.skillId}/tools/${written}`;
    return [
      ['POST', '/tools/specs', (n) => ({ specText: specOf(`1.${String(1 + (n % 2))}.0`, n) })],
      ['POST', '/tools/specs', (n) => ({ specText: specOf('1.1.0', n) })],
      ['POST', `${versions}/1.1.0/submit`, () => ({})],
      ['POST', `${versions}/1.1.0/approve`, () => override],
      ['POST', `${versions}/1.2.0/submit`, () => ({})],
      ['POST', `${versions}/1.2.0/reject`, () => ({ reason: 'Not yet.' })],
      ['POST', `${versions}/1.2.0/withdraw`, () => ({})],
      ['POST', `${versions}/1.0.0/deprecate`, () => ({ on: '2099-01-01', message: 'Take 1.1.0.' })],
      ['POST', `${versions}/1.0.0/retire`, () => ({ reason: 'It is old.' })],
      ['PATCH', `/tools/${written}`, (n) => ({ description: `Writes, ${String(n)}.` })],
      ['PUT', link, (n) => ({ range: n % 2 ? '1.0.0' : '^1' })],
      ['PUT', '/settings', (n) => ({ autoApprove: n % 2 === 0 })],
      ['POST', `/tools/${moving}/versions/2.0.0/approve`, () => override],
    ];
  }

  private ofEndpoints(): readonly Step[] {
    const { endpoint, apiVersion } = this.ids;
    return [
      ['PATCH', '/apis/account', (n) => ({ apiName: `Accounts ${String(n)}` })],
      ['POST', '/imports', moving],
      ['POST', '/imports', moving],
      ['PATCH', `/api-versions/${apiVersion}`, (n) => ({ quarantine: n % 2 === 0 })],
      ['PATCH', `/endpoints/${endpoint}`, (n) => ({ description: n % 3 ? `Operator ${String(n)}.` : null })],
      ['PATCH', `/endpoints/${endpoint}`, (n) => ({ safety: n % 2 ? { destructive: true } : null })],
      ['POST', `/endpoints/${endpoint}/deactivate`],
      ['POST', `/endpoints/${endpoint}/activate`],
      ['POST', `/api-versions/${apiVersion}/deactivate`],
      ['POST', `/api-versions/${apiVersion}/activate`],
      ['POST', '/apis/moving/deactivate'],
      ['POST', '/apis/moving/activate'],
    ];
  }

  private ofWorkflows(): readonly Step[] {
    const { approval, flow } = this.ids;
    const { skillId, toolIds } = this.agent;
    const close = toolIds['closeAccount'] ?? '';
    const link = `/skills/${skillId}/workflows/${flow}`;
    return [
      ['PUT', `/skills/${skillId}/tools/${close}`, () => ({ config: { approvalWorkflow: 'ops/approve' } })],
      ['PUT', `/skills/${skillId}/tools/${close}`, () => ({})],
      ['POST', `/workflows/${approval}/publish`],
      ['POST', `/workflows/${approval}/deactivate`],
      ['POST', `/workflows/${approval}/activate`],
      ['PATCH', `/workflows/${flow}`, (n) => ({ name: `read-${String(n % 3)}` })],
      ['POST', `/workflows/${flow}/deactivate`],
      ['POST', `/workflows/${flow}/activate`],
      ['PUT', `${link}/primary`, (n) => ({ startMode: n % 2 ? 'agent' : 'manual' })],
      ['PUT', `${link}/test`, () => ({})],
      ['DELETE', `${link}/primary`],
    ];
  }

  private ofAgents(): readonly Step[] {
    const { agentDefId, skillId, toolIds } = this.agent;
    const { otherSkill } = this.ids;
    const gatewayId = this.gatewayId();
    const gateway = { serviceId: 'gateway', envTag: 'dev', url: 'https://gateway.example.com/mcp' };
    const assigned = `/agents/${agentDefId}/skills`;
    const exposed = { tools: [{ toolId: toolIds['readAccount'] }] };
    return [
      [
        'PUT',
        `/agents/${agentDefId}`,
        (n) => ({ personas: [`p${String(n % 3)}`], maxSensitivityTier: 'restricted' }),
      ],
      ['PUT', `${assigned}/${otherSkill}`, (n) => ({ priority: n })],
      ['DELETE', `${assigned}/${otherSkill}`],
      ['PATCH', `${assigned}/${skillId}`, (n) => ({ config: n % 4 ? {} : { maxSensitivityTier: 'public' } })],
      ['PUT', `/gateways/${gatewayId}`, () => gateway],
      ['POST', `/gateways/${gatewayId}/deactivate`],
      ['PUT', `/gateways/${gatewayId}/exposures`, (n) => (n % 2 ? exposed : { tools: [] })],
    ];
  }
}
