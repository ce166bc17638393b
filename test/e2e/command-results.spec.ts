import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONSchema } from 'json-schema-to-ts';
import { CommandRegistry } from '../../src/command-surface/command-dispatcher.service.js';
import { jsonValidator } from '../../src/platform/validation/validator.js';
import { asRead } from './approving.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachOwnServer } from './own-server.js';

type Given = Readonly<Record<string, unknown>>;

/** A call of each command with every part of its answer that a parameter can add. */
function callsOf(
  { agentDefId, skillId, toolIds }: AccountAgent,
  newSkillId: string,
  [next, other, withdrawn]: readonly [string, string, string],
): Record<string, Given[]> {
  const [[tool, toolId]] = Object.entries(toolIds) as [[string, string]];
  const prompt = 'look up an account';
  const nodes = [
    { id: 's', entity: 'Skill' },
    { id: 't', entity: 'Tool', columns: '*' },
  ];
  const relationships = [{ type: 'USES_TOOL', from: 's', to: 't' }];
  const traversal = { query_type: 'traversal', nodes, relationships };
  return {
    get_effective_catalog: [{ agentDefId }, { agentDefId, examples: true, context: 'accountNo' }],
    search_tools: [
      { prompt, explain: true },
      { prompt, agentDefId },
    ],
    search_skills: [{ prompt }, { prompt, agentDefId }],
    get_skill: [{ skillId }, { skillId, agentDefId }, { skillId: newSkillId }],
    get_tool: Object.keys(toolIds).flatMap((name) => [{ name }, { name, agentDefId }]),
    draft_skill: [{ name: `Result ${randomUUID()}`, contentMarkdown: 'Do.' }],
    link_tool: [{ skillId: newSkillId, toolId }],
    assign_skill: [{ agentDefId, skillId: newSkillId }],
    list_tools: [{}, { inReview: true, q: 'a', active: 'all' }],
    list_tool_versions: [{ toolId }],
    lint_tool: [{ spec: specOf('lint_me') }, { spec: 'name: 1' }],
    consolidate_tools: [{}, { tools: Object.keys(toolIds).slice(0, 2), name: 'one_tool' }],
    push_tool_spec: [{ specText: specOf(`pushed_${randomUUID().replaceAll('-', '')}`) }],
    draft_tool_version: [next, other, withdrawn].map((version) => ({
      ...{ toolId, version, description: 'Shows an account.', inputSchema: { type: 'object' } },
    })),
    diff_tool_versions: [
      { toolId, version: next },
      { toolId, version: next, against: other },
    ],
    submit_tool_version: [{ toolId, version: next }],
    evaluate_tool_version: [{ toolId, version: next, config: { prompts: [{ prompt: 'show an account' }] } }],
    report_tool_version: [{ toolId, version: next }],
    approve_tool_version: [{ toolId, version: next, override: { reason: 'A test.' } }],
    withdraw_tool_version: [{ toolId, version: withdrawn }],
    reject_tool_version: [{ toolId, version: other, reason: 'A test.' }],
    deprecate_tool_version: [{ toolId, version: next, on: '2099-01-01', message: 'Take another.' }],
    retire_tool_version: [{ toolId, version: next, reason: 'A test.' }],
    explain_disclosure: [{ agentDefId, tool }],
    diagnose_agent: [{ agentDefId }],
    get_graph_schema: [{}, { expand_schema: true }],
    get_graph_status: [{}, { agentDefId }],
    get_query_dsl: [{}],
    get_response_format: [{}],
    find_nodes: [{ entity: 'Tool', columns: '*' }],
    traverse_relationships: [{ nodes, relationships }],
    explore_neighbors: [{ entity: 'Skill', node_id: skillId }],
    find_paths: [
      { from: { entity: 'Agent', node_ids: [agentDefId] }, to: { entity: 'Tool', node_ids: [toolId] } },
    ],
    aggregate_nodes: [{ nodes, relationships, aggregations: [{ count: 't' }], group_by: ['s'] }],
    query_graph: [{ query: traversal }, { query: { ...traversal, options: { include_debug_sql: true } } }],
  };
}

const specOf = (name: string) =>
  `version: 1.0.0\nname: ${name}\ndescription: Reads a file of a project.\nhost: shop\ninputSchema:\n  parameters: []\n`;

eachOwnServer((server) => {
  let agent: AccountAgent;
  let emptySkillId: string;
  let scriptId: string;

  beforeAll(async () => {
    const operator = await server().token();
    const send = async (method: string, path: string, token: string, more: { body?: unknown } = {}) =>
      server().api(method, path, { token, body: more.body });
    const made = await makeAccountAgent({ send }, operator);
    const catalog = await server().api<{ skills: { tools: { name: string; toolId: string }[] }[] }>(
      'GET',
      made.catalog,
    );
    const disclosed = catalog.body.skills.flatMap(({ tools }) => tools);
    agent = { ...made, toolIds: Object.fromEntries(disclosed.map(({ name, toolId }) => [name, toolId])) };
    const create = async (path: string, body: object) =>
      (await server().api<{ id: string }>('POST', path, { body })).body.id;
    emptySkillId = await create('/skills', { name: 'Empty', contentMarkdown: 'Nothing.' });
    scriptId = await create('/tools', {
      ...{ name: 'plain_script', description: 'Adds.', implementationType: 'python' },
      ...{ scriptContent: 'print(1)', inputSchema: { type: 'object' } },
    });
  });

  it.each([false, true])('answers every command as its result schema says (two tools: %s)', async (two) => {
    const requestInit = {
      headers: { authorization: `Bearer ${await server().token({ commandTools: two })}` },
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
    );
    const calls = callsOf(
      agent,
      emptySkillId,
      two ? ['98.0.0', '99.0.0', '100.0.0'] : ['95.0.0', '96.0.0', '97.0.0'],
    );
    calls['get_tool']?.push({ toolId: scriptId });
    // Those that follow from routes answer as these do: routed-commands.spec.ts.
    const commands = server()
      .app.get(CommandRegistry)
      .commands.filter(({ brief }) => !brief);
    expect(Object.keys(calls).sort()).toEqual(commands.map(({ name }) => name).sort());
    const results = two ? await listedResults(client) : await directResults(client);
    for (const [name, given] of commands.flatMap((each) =>
      (calls[each.name] ?? []).map((call): [string, Given] => [each.name, call]),
    )) {
      const path = `/tools/${String(given['toolId'])}/versions/${String(given['version'])}/approve`;
      const parameters =
        name === 'approve_tool_version' ? { ...given, ...(await asRead(server(), path)) } : given;
      const answer = await client.callTool(
        two
          ? { name: 'invoke_command', arguments: { command_name: name, parameters } }
          : { name, arguments: parameters },
      );
      const refused = answer.isError === true ? answer.content : [];
      expect([name, given, refused]).toEqual([name, given, []]);
      const faults = jsonValidator(results.get(name) ?? false)(answer.structuredContent);
      expect([name, given, faults]).toEqual([name, given, []]);
    }
    await client.close();
  });
});

async function directResults(client: Client): Promise<Map<string, JSONSchema>> {
  const { tools } = await client.listTools();
  return new Map(tools.map(({ name, outputSchema }) => [name, (outputSchema ?? false) as JSONSchema]));
}

async function listedResults(client: Client): Promise<Map<string, JSONSchema>> {
  const { structuredContent } = await client.callTool({ name: 'list_commands', arguments: {} });
  const { commands } = structuredContent as { commands: { name: string; result: JSONSchema }[] };
  return new Map(commands.map(({ name, result }) => [name, result]));
}
