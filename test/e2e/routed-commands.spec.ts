import { readFile } from 'node:fs/promises';
import type { JSONSchema } from 'json-schema-to-ts';
import { v7 } from 'uuid';
import { commandNameOf, routedNames } from '../../src/command-surface/routed-commands.js';
import { jsonValidator } from '../../src/platform/validation/validator.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer } from './server.js';

type Values = Readonly<Record<string, unknown>>;

/** What a scenario asks of a door: an operation, by its name and all that it takes. */
type Ask = (operation: string, values?: Values) => Promise<{ readonly id?: string }>;

interface Door {
  readonly host: string;
  readonly token: string;
  readonly agent: AccountAgent;
}

interface Answered {
  readonly name: string;
  /** Without what differs from host to host. */
  readonly leveled: unknown;
  /** As it came, where it is no refusal. */
  readonly whole?: object;
}

interface Operation {
  readonly method: string;
  /** Below the host. */
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
}

const prefix = '/v1/hosts/{hostId}';
const gatewayId = v7();
const webhookId = v7();

const definition = (name: string): string =>
  `document: { dsl: 1.0.3, namespace: ops, name: ${name}, version: 1.0.0 }\ndo:\n  - ask: { wait: { seconds: 1 } }\n`;

/** Every command once at least, each with an effect, where one can be had without a gateway or a changed document. */
async function scenario(
  ask: Ask,
  { agent, endpoint }: Door & { readonly endpoint: Endpoint },
): Promise<void> {
  const { agentDefId, skillId, toolIds } = agent;
  const [[toolName, toolId] = ['', ''], [, otherTool] = ['', '']] = Object.entries(toolIds);
  const drafted = await ask('draftSkillFromTools', { toolIds: [toolId, otherTool] });
  await ask('updateSkill', { skillId, version: '1.1.0' });
  await ask('updateSkill', { skillId, parentSkillId: v7Of(1) });
  const { id: second } = await ask('createSkill', { name: 'Second', contentMarkdown: 'Do.' });
  const tools = [toolId, otherTool].map((id) => ({ toolId: id, accessLevel: 'write' }));
  await ask('saveSkill', { skillId: second, tools, dependencies: [] });
  await ask('saveSkill', { skillId: second, tools: [] });
  await ask('saveSkill', { tools });
  await ask('putSkillDependency', { skillId, dependsOnSkillId: second, required: true });
  await ask('deleteSkillDependency', { skillId, dependsOnSkillId: second });
  await ask('previewSkill', { skillId, prompt: 'look up an account' });
  await ask('previewSkill', { skillId, agentDefId });
  await ask('getSkillImpact', { skillId });
  const { id: categoryId } = await ask('createCategory', { entityType: 'skill', categoryName: 'care' });
  await ask('updateCategory', { categoryId, categoryDesc: 'All of it.' });
  const { id: tagId } = await ask('createTag', { entityType: 'skill', tagName: 'accounts' });
  await ask('updateTag', { tagId, tagName: 'money' });
  await ask('listCategories');
  await ask('listTags', { limit: 5 });
  await ask('putSkillTaxonomy', { skillId, categoryIds: [categoryId], tagIds: [tagId] });
  await ask('putToolTaxonomy', { toolId, categoryIds: [], tagIds: [] });
  await ask('putEndpointTaxonomy', { endpointId: endpoint.endpointId, categoryIds: [], tagIds: [] });
  await ask('deleteCategory', { categoryId });
  await ask('deleteTag', { tagId });

  const workflow = { namespace: 'ops', name: 'wait', version: '1.0.0', definition: definition('wait') };
  await ask('validateWorkflow', { definition: workflow.definition, skillId });
  await ask('validateWorkflow', { definition: 'do: 1' });
  const { id: wfDefId } = await ask('createWorkflow', workflow);
  await ask('updateWorkflow', { wfDefId, name: 'wait' });
  await ask('putWorkflowTaxonomy', { wfDefId, categoryIds: [], tagIds: [] });
  const use = { skillId, wfDefId, workflowRole: 'primary' };
  await ask('putSkillWorkflow', { ...use, startMode: 'agent' });
  await ask('deleteSkillWorkflow', use);
  await ask('publishWorkflow', { wfDefId });
  await ask('updateWorkflow', { wfDefId, version: '1.1.0' });
  await ask('deactivateWorkflow', { wfDefId });
  await ask('activateWorkflow', { wfDefId });
  await ask('deprecateWorkflow', { wfDefId });
  await ask('listWorkflows');

  await ask('listAgentDefinitions');
  await ask('putAgentDefinition', { agentDefId, personas: ['ada'], maxSensitivityTier: 'internal' });
  await ask('getAgentDefinitionImpact', { agentDefId });
  await ask('validateAgentSkills', { agentDefId, skills: [{ skillId }, { skillId: second }] });
  await ask('createAgentSkill', { agentDefId, skills: [{ skillId: second }] });
  await ask('updateAgentSkill', { agentDefId, skillId, priority: 3 });
  await ask('deleteAgentSkill', { agentDefId, skillId });
  await ask('replaceAgentSkills', { agentDefId, skills: [{ skillId, priority: 4 }] });
  await ask('deactivateAgentDefinition', { agentDefId });
  await ask('activateAgentDefinition', { agentDefId });

  await ask('teachTools', { items: [{ toolName, prompts: ['what is in it'] }] });
  await ask('getToolImpact', { toolId });
  await ask('getEndpointImpact', { endpointId: endpoint.endpointId });
  await ask('getApiImpact', { apiId: 'account' });
  await ask('getApiVersionImpact', { apiVersionId: endpoint.apiVersionId });
  await ask('acceptToolChanges', { toolId });
  await ask('acceptEndpointChanges', { endpointId: endpoint.endpointId });
  await ask('settleEndpointConflict', {
    ...{ endpointId: endpoint.endpointId, field: 'description', take: 'operator' },
  });
  await ask('deleteSkillTool', { skillId, toolId });
  await ask('deactivateSkill', { skillId });
  await ask('activateSkill', { skillId });
  await ask('updateSkill', { skillId: drafted.id ?? skillId, name: 'Second' });

  const gateway = { serviceId: 'gateway', envTag: 'dev', url: 'https://gateway.example.com/mcp' };
  await ask('putGateway', { gatewayId, ...gateway });
  await ask('putToolExposures', { gatewayId, tools: [{ toolId }] });
  await ask('listGateways');
  await ask('getGatewayDrift', { gatewayId });
  await ask('checkGateway', { gatewayId: v7Of(2) });
  await ask('acceptGatewayDrift', {
    ...{ gatewayId, findings: [{ toolName: 'nothing', finding: 'not_in_catalog' }] },
  });
  const gone = { gatewayId, findings: [{ toolName: 'nothing', finding: 'missing_from_gateway' }] };
  await ask('dismissGatewayDrift', { ...gone, reason: 'It moves there next month.' });
  await ask('reopenGatewayDrift', gone);
  await ask('putPublicEntry', { entityId: gatewayId, kind: 'gateway', url: 'https://mcp.example.com/mcp' });
  await ask('listPublicEntries');
  await ask('deletePublicEntry', { entityId: gatewayId });
  await ask('deactivateGateway', { gatewayId });
  await ask('activateGateway', { gatewayId });

  await ask('putWebhook', { webhookId, url: 'https://agents.example.com/hooks', secret: 'agents-hook' });
  await ask('listWebhooks');
  await ask('replayWebhook', { webhookId });
  await ask('replayWebhookDelivery', { webhookId, deliveryId: v7Of(3) });
  await ask('deleteWebhook', { webhookId });
  await ask('putHostSettings', { quarantine: true });
  await ask('getHostSettings');
}

/** An id of nothing. */
const v7Of = (last: number): string => `0198c0de-0000-7000-8000-00000000ff0${String(last)}`;

interface Endpoint {
  readonly endpointId: string;
  readonly apiVersionId: string;
}

async function operations(): Promise<ReadonlyMap<string, Operation>> {
  const text = await readFile('openapi/portal-catalog.openapi.json', 'utf8');
  const { paths } = JSON.parse(text) as {
    paths: Record<
      string,
      Record<string, { operationId?: string; parameters?: Parameter[]; requestBody?: object }>
    >;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId = '', parameters = [], requestBody }]) => {
        const query = parameters.filter((each) => each.in === 'query').map((each) => each.name);
        const below = path.replace(prefix, '');
        return [
          operationId,
          { method: method.toUpperCase(), path: below, query, hasBody: requestBody !== undefined },
        ];
      }),
    ),
  );
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

eachServer((server) => {
  let known: ReadonlyMap<string, Operation>;
  beforeAll(async () => {
    known = await operations();
  });

  const overHttp = async ({ host, token }: Pick<Door, 'host' | 'token'>, name: string, values: Values) => {
    const operation = known.get(name);
    if (operation === undefined) throw new Error(`The document has no operation ${name}.`);
    const rest = new Map(Object.entries(values));
    const taken = (member: string): string => {
      const value = rest.get(member);
      rest.delete(member);
      return encodeURIComponent(String(value));
    };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, member: string) => taken(member));
    const asked = operation.query
      .filter((member) => rest.has(member))
      .map((member) => `${member}=${taken(member)}`);
    const sent = operation.hasBody ? { body: Object.fromEntries(rest) } : {};
    const query = asked.length > 0 ? `?${asked.join('&')}` : '';
    return server().api(operation.method, `//v1/hosts/${host}${path}${query}`, { token, ...sent });
  };
  const asCommand = async ({ host, token }: Pick<Door, 'host' | 'token'>, name: string, body: Values) =>
    server().api('POST', `//v1/hosts/${host}/agent/commands/${commandNameOf(name)}`, { token, body });

  /** Everything that the scenario is answered on a host of its own, without what differs from host to host. */
  const answersBy = async (routed: typeof overHttp): Promise<readonly Answered[]> => {
    const host = v7();
    const token = await server().token({ host });
    const send = async (method: string, path: string, _: string, more: { body?: unknown } = {}) =>
      server().api(method, `//v1/hosts/${host}${path}`, { token, ...more });
    const agent = await makeAccountAgent({ send }, token);
    const { body } = await server().api<{ items: Endpoint[] }>('GET', `//v1/hosts/${host}/endpoints`, {
      token,
    });
    const [endpoint = { endpointId: '', apiVersionId: '' }] = body.items;
    const given: Answered[] = [];
    const leveled = leveler();
    await scenario(
      async (name, values = {}) => {
        const by = routedNames.includes(name) ? routed : overHttp;
        const answer = await by({ host, token }, name, values);
        const { status, body: whole } = answer;
        const { instance: _, ...answered } = whole;
        const done = status < 300;
        given.push({
          name,
          leveled: leveled(done ? answered : { status, ...answered }),
          ...(done && { whole }),
        });
        return whole;
      },
      { host, token, agent, endpoint },
    );
    return given;
  };

  it('answers each command as its route does, and refuses it with the same words', async () => {
    const [routes, commands] = [await answersBy(overHttp), await answersBy(asCommand)];
    expect([...new Set(routes.map(({ name }) => name))].sort()).toEqual(
      [...routedNames, 'createSkill'].sort(),
    );
    const comparable = (answers: readonly Answered[]) => answers.map(({ name, leveled }) => [name, leveled]);
    expect(comparable(commands)).toEqual(comparable(routes));
    const listed = await server().api<{ commands: { name: string; result: JSONSchema }[] }>(
      'GET',
      '/agent/commands',
    );
    const results = new Map(listed.body.commands.map(({ name, result }) => [name, jsonValidator(result)]));
    for (const { name, whole } of commands) {
      if (whole === undefined) continue;
      const faults = results.get(commandNameOf(name))?.(whole) ?? [];
      expect([name, faults]).toEqual([name, []]);
    }
  });

  it('refuses each command as its route does where the token lacks the scope', async () => {
    const host = v7();
    const token = await server().token({ host, scope: 'catalog:agent', agent_def_id: v7() });
    for (const name of routedNames) {
      const [route, command] = [
        await overHttp({ host, token }, name, idsOf(known.get(name))),
        await asCommand({ host, token }, name, {}),
      ];
      expect([name, command.status, command.body['code']]).toEqual([name, 403, 'insufficient_scope']);
      expect([route.status, route.body['code']]).toEqual([403, 'insufficient_scope']);
    }
    const listed = await server().api<{ commands: { name: string }[] }>(
      'GET',
      `//v1/hosts/${host}/agent/commands`,
      {
        token,
      },
    );
    const names = listed.body.commands.map(({ name }) => name);
    expect(names.filter((name) => routedNames.map(commandNameOf).includes(name))).toEqual([]);
  });

  it('does a write with a key once, and refuses one on another version', async () => {
    const host = v7();
    const token = await server().token({ host });
    const { body: made } = await overHttp({ host, token }, 'createSkill', {
      ...{ name: 'Once', contentMarkdown: 'Do.' },
    });
    const skillId = made['id'];
    const write = { skillId, version: '1.1.0', idempotencyKey: 'once', expectedVersion: 1 };
    const [first, again] = [
      await asCommand({ host, token }, 'updateSkill', write),
      await asCommand({ host, token }, 'updateSkill', write),
    ];
    expect([first.status, first.body]).toEqual([200, again.body]);
    const stale = await asCommand({ host, token }, 'updateSkill', {
      ...{ skillId, version: '1.2.0', expectedVersion: 1 },
    });
    expect([stale.status, stale.body['code']]).toEqual([412, 'version_conflict']);
    const empty = await asCommand({ host, token }, 'putHostSettings', {});
    expect([empty.status, empty.body['code']]).toEqual([400, 'invalid_parameters']);
  });
});

/** An id for each parameter of the path. */
function idsOf(operation: Operation | undefined): Values {
  const names = [...(operation?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, v7Of(9)]));
}

/** Puts the order of their appearance in place of ids, and takes moments out. */
function leveler(): (value: unknown) => unknown {
  const seen = new Map<string, string>();
  const place = (id: string): string => {
    const at = seen.get(id) ?? `id ${String(seen.size)}`;
    seen.set(id, at);
    return at;
  };
  return (value) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, place)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment'),
    ) as unknown;
}
