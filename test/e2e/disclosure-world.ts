import type { Server } from './server.js';

/** Reasons to withhold a tool, in the order in which they are tried (docs/contract.md, section 7). */
export const reasons = [
  'skill_inactive',
  'skill_dependency_missing',
  'tool_inactive',
  'endpoint_inactive',
  'change_not_accepted',
  'lifecycle_retired',
  'environment_mismatch',
  'not_exposed',
  'access_level_too_low',
  'sensitivity_tier_exceeds_policy',
  'persona_mismatch',
  'domain_mismatch',
  'destructive_tool_requires_approval_workflow',
  'approval_required_missing_workflow',
  'context_missing',
] as const;
type Reason = (typeof reasons)[number];

/** Found nowhere by chance: the mark of a tool is in its name, its texts and its endpoint. */
export const markOf = (reason: Reason): string => `zq${String(reasons.indexOf(reason))}qz`;
export const openMark = 'zqopenqz';

export const registered = { serviceId: 'desk-agent', envTag: 'dev' };

interface Tool {
  readonly toolId: string;
  readonly endpointId: string;
  readonly name: string;
}

const operation = (mark: string, more: object = {}): object => ({
  operationId: `tool_${mark}`,
  description: `About ${mark}.`,
  tags: ['desk'],
  responses: { 200: { description: `Gives ${mark}.` } },
  ...more,
});

/** What the document says of the tool that is withheld for a reason. */
const said: Partial<Record<Reason, object>> = {
  domain_mismatch: { tags: ['hr'] },
};
const methods: Partial<Record<Reason, string>> = {
  access_level_too_low: 'post',
  destructive_tool_requires_approval_workflow: 'delete',
};
/** What an operator says of it. */
const patches: Partial<Record<Reason, object>> = {
  lifecycle_retired: { lifecycleStatus: 'retired' },
  sensitivity_tier_exceeds_policy: { routing: { sensitivityTier: 'restricted' } },
  persona_mismatch: { routing: { targetPersonas: ['auditor'] } },
  approval_required_missing_workflow: { safety: { humanApprovalRequired: true } },
  context_missing: { routing: { contextRequirements: { requiredContext: ['vault'] } } },
};
/** Of an API version of their own. */
const elsewhere: readonly Reason[] = ['environment_mismatch', 'change_not_accepted'];

/**
 * An agent with one tool that it is given and, for each reason, one that is withheld for it. The open tool names all the
 * others' endpoints, a workflow calls them, and the open skill depends on those that are not given.
 */
export class DisclosureWorld {
  readonly tools = new Map<string, Tool>();
  agentDefId = '';
  skillId = '';
  wfDefId = '';
  /** Skills that are not given: the inactive one, and the one that lacks another. */
  private closed: readonly string[] = [];

  constructor(
    private readonly server: Server,
    private readonly token: string,
  ) {}

  /** Imports, writes skills, assigns them, and only then lets go wrong what would have been refused. */
  async make(): Promise<this> {
    await this.importTools();
    await this.makeSkills();
    await this.makeAgent();
    for (const [reason, body] of Object.entries(patches)) await this.ask('PATCH', this.path(reason), body);
    await this.ask('POST', `${this.path('tool_inactive')}/deactivate`);
    await this.ask('POST', `/endpoints/${this.tool('endpoint_inactive').endpointId}/deactivate`);
    await this.importChanging({ parameters: [{ name: 'day', in: 'query', required: true }] });
    return this;
  }

  tool(mark: string): Tool {
    const tool = this.tools.get(mark);
    if (tool === undefined) throw new Error(`There is no tool for ${mark}.`);
    return tool;
  }

  /** Path of the link of the tool that is withheld for a reason. */
  link(reason: string): string {
    const [inactive, needy] = this.closed;
    const skillId = { skill_inactive: inactive, skill_dependency_missing: needy }[reason] ?? this.skillId;
    return `/skills/${skillId}/tools/${this.tool(reason).toolId}`;
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.server.api(method, path, { body, token: this.token });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.text}`);
    return answer.body as T;
  }

  private path(reason: string): string {
    return `/tools/${this.tool(reason).toolId}`;
  }

  private async importTools(): Promise<void> {
    const here = reasons.filter((reason) => !elsewhere.includes(reason));
    const paths = here.map((reason) => [
      `/${markOf(reason)}`,
      { [methods[reason] ?? 'get']: operation(markOf(reason), said[reason]) },
    ]);
    const parameters = [{ name: 'day', in: 'query', schema: { type: 'string' } }];
    paths.push(['/open', { get: operation(openMark, { parameters }) }]);
    await this.importApi('desk', Object.fromEntries(paths) as object);
    const prod = markOf('environment_mismatch');
    await this.importApi('prod', { [`/${prod}`]: { get: operation(prod) } }, 'prod');
    const { apiVersionId } = await this.importChanging({});
    await this.ask('PATCH', `/api-versions/${apiVersionId}`, { quarantine: true });
    const { items } = await this.ask<{ items: Tool[] }>('GET', '/tools?limit=100');
    for (const reason of ['open', ...reasons] as const) {
      const mark = reason === 'open' ? openMark : markOf(reason);
      const tool = items.find(({ name }) => name === `tool_${mark}`);
      if (tool !== undefined) this.tools.set(reason, tool);
    }
  }

  private importChanging(more: object): Promise<{ apiVersionId: string }> {
    const mark = markOf('change_not_accepted');
    return this.importApi('changing', { [`/${mark}`]: { get: operation(mark, more) } });
  }

  private importApi(apiId: string, paths: object, envTag = 'dev'): Promise<{ apiVersionId: string }> {
    const document = { openapi: '3.1.0', info: { title: apiId, version: '1' }, paths };
    const version = { apiVersion: '1', serviceId: 'desk', envTag };
    return this.ask('POST', '/imports', { api: { apiId, apiName: apiId }, version, document, publish: true });
  }

  private async makeSkills(): Promise<void> {
    const skill = async (name: string): Promise<string> =>
      (await this.ask<{ id: string }>('POST', '/skills', { name, contentMarkdown: 'Do.' })).id;
    this.skillId = await skill('Desk');
    const closed = await skill(markOf('skill_inactive'));
    const needy = await skill(markOf('skill_dependency_missing'));
    const missing = await skill('Unassigned');
    this.closed = [closed, needy];
    for (const reason of this.tools.keys()) {
      const accessLevel = reason === 'access_level_too_low' ? 'read' : 'execute';
      await this.ask('PUT', this.link(reason), { accessLevel });
    }
    await this.ask('PUT', `/skills/${needy}/dependencies/${missing}`, { required: true });
    for (const id of [closed, needy])
      await this.ask('PUT', `/skills/${this.skillId}/dependencies/${id}`, { required: false });
    await this.refer();
  }

  /** The open tool and a workflow name all the others. */
  private async refer(): Promise<void> {
    const { items } = await this.ask<{ items: { endpoint: string }[] }>('GET', '/endpoints?limit=100');
    const dependencies = items.map(({ endpoint }) => ({ endpoint, relation: 'before' }));
    const fallbackEndpoint = `/${markOf('tool_inactive')}@get`;
    await this.ask('PATCH', this.path('open'), { routing: { dependencies, fallbackEndpoint } });
    const names = [...this.tools.values()].map(({ name }) => name);
    const steps = names.map(
      (name) => `  - call-${name}: {call: mcp, with: {tool: ${name}}, metadata: {dependency: external}}`,
    );
    const definition = ['do:', ...steps, ''].join('\n');
    const workflow = { namespace: 'desk', name: 'all', version: '1.0.0', definition };
    this.wfDefId = (await this.ask<{ id: string }>('POST', '/workflows', workflow)).id;
    await this.ask('POST', `/workflows/${this.wfDefId}/publish`);
    await this.ask('PUT', `/skills/${this.skillId}/workflows/${this.wfDefId}/primary`, {});
  }

  private async makeAgent(): Promise<void> {
    await this.ask('POST', '/apis', { apiId: 'agent', apiName: 'Desk Agent' });
    const version = { apiVersion: '1', apiType: 'agent', ...registered };
    this.agentDefId = (await this.ask<{ id: string }>('POST', '/apis/agent/versions', version)).id;
    const gatewayId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5aaa';
    const gateway = { serviceId: 'gateway', envTag: 'dev', url: 'https://gateway.example.com/mcp' };
    await this.ask('PUT', `/gateways/${gatewayId}`, gateway);
    const exposed = [...this.tools].filter(
      ([reason]) => !['not_exposed', 'environment_mismatch'].includes(reason),
    );
    const tools = exposed.map(([, { toolId }]) => ({ toolId }));
    await this.ask('PUT', `/gateways/${gatewayId}/exposures`, { tools });
    await this.ask('PUT', `/agents/${this.agentDefId}`, { personas: ['teller'], domains: ['desk'] });
    const skills = [this.skillId, ...this.closed].map((skillId) => ({ skillId }));
    await this.ask('POST', `/agents/${this.agentDefId}/skills`, { skills });
    await this.ask('POST', `/skills/${this.closed[0] ?? ''}/deactivate`);
  }
}
