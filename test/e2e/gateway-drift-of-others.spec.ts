/** Servers that others wrote, as gateways: registered, verified, in sync, used; then what of their lists has changed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { AgentClient } from '../../packages/agent-client/agent-client.js';
import { asRead } from './approving.js';
import { AlteringRelay, type ListedTool } from './altering-relay.js';
import { startEverything, startFilesystem, type McpServer } from './gateway-servers.js';
import { override } from './guards-world.js';
import { eachServer, type Server } from './server.js';

interface Drift {
  readonly items: readonly {
    readonly toolName: string;
    readonly toolId?: string;
    readonly finding: string;
    readonly grade?: string;
    readonly reason?: string;
  }[];
}

/** Five tools of a server, each to be changed in its own way. */
type Chosen = readonly [string, string, string, string, string];

/** What a release of such a server may bring. */
function released(tools: readonly ListedTool[], chosen: Chosen, added: string) {
  const [narrower, wider, reworded, hinted, removed] = chosen;
  const altered = tools.flatMap((tool): ListedTool[] => {
    const { name, inputSchema, annotations } = tool;
    const { properties = {}, required = [] } = inputSchema;
    const more = { ...properties, added: { type: 'string' } };
    switch (name) {
      case narrower:
        return [
          { ...tool, inputSchema: { ...inputSchema, properties: more, required: [...required, 'added'] } },
        ];
      case wider:
        return [{ ...tool, inputSchema: { ...inputSchema, properties: more } }];
      case reworded:
        return [{ ...tool, description: 'Does something else.' }];
      case hinted:
        return [{ ...tool, annotations: { ...annotations, openWorldHint: true, title: 'Another' } }];
      case removed:
        return [];
      default:
        return [tool];
    }
  });
  const inputSchema = { type: 'object', properties: {} };
  return [...altered, { name: added, description: 'New.', inputSchema }];
}

/** An agent that has these tools by one skill, before the gateway at `url`. */
async function agentWith(server: Server, items: Drift['items'], url: string): Promise<AgentClient> {
  const make = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await server.api<{ id: string }>(method, path, { body });
    expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
    return answer.body.id;
  };
  const name = `agent-${v7()}`;
  const skillId = await make('POST', '/skills', { name, contentMarkdown: 'Use them.' });
  for (const { toolId = '' } of items)
    await make('PUT', `/skills/${skillId}/tools/${toolId}`, { accessLevel: 'execute' });
  await make('POST', '/apis', { apiId: name, apiName: name });
  const version = { apiVersion: '1', apiType: 'agent', serviceId: name, envTag: 'dev' };
  const agentDefId = await make('POST', `/apis/${name}/versions`, version);
  await make('PUT', `/agents/${agentDefId}`, {});
  await make('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  const token = await server.token({ sid: name, scope: 'catalog:agent', agent_def_id: agentDefId });
  return new AgentClient({
    catalog: { url: server.address, token },
    gateway: { url },
    follow: false,
    fallback: { noMatch: 'catalog-tools' },
  });
}

/** All that it offers, in order, with what it says of their schemas. */
async function offeredBy(agent: AgentClient): Promise<readonly string[]> {
  const { tools } = await agent.prepare('');
  return tools.map(({ name, schemaDiffers = '' }) => `${name} ${schemaDiffers}`.trim()).sort();
}

eachServer((server) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each<[string, () => Promise<McpServer>]>([
    ['server-everything', startEverything],
    ['server-filesystem', () => startFilesystem(folder)],
  ])('finds what %s changed, removed and added, and takes it over', async (program, start) => {
    const relay = await AlteringRelay.before(await start());
    const [id, added] = [v7(), `added_to_${program}`];
    let agent: AgentClient | undefined;
    const look = async (): Promise<Drift['items']> => {
      const answer = await server().api<Drift>('GET', `/gateways/${id}/drift`);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body.items;
    };
    const unlike = (items: Drift['items']): readonly string[] =>
      items
        .filter(({ finding }) => finding !== 'in_sync' && finding !== 'policy_blocked')
        .map(({ toolName, finding, grade = '' }) => `${toolName} ${finding} ${grade}`.trim())
        .sort();
    const acceptAll = async (): Promise<void> => {
      const findings = (await look())
        .filter(({ finding }) => finding !== 'in_sync' && finding !== 'policy_blocked')
        .map(({ toolName, finding }) => ({ toolName, finding }));
      const answer = await server().api('POST', `/gateways/${id}/drift/accept`, { body: { findings } });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      // What breaks callers waits for a review.
      for (const { toolId } of await look())
        if (toolId) {
          const path = `/tools/${toolId}/changes/accept`;
          const body = await asRead(server(), path, override);
          expect((await server().api('POST', path, { body })).status).toBe(200);
        }
    };
    try {
      const profile = { serviceId: `gateway-${id}`, envTag: 'dev', url: relay.url };
      expect((await server().api('PUT', `/gateways/${id}`, { body: profile })).status).toBe(201);
      const first = await look();
      expect(first.length).toBeGreaterThan(5);
      expect(new Set(first.map(({ finding }) => finding))).toEqual(new Set(['not_in_catalog']));
      await acceptAll();
      const before = await look();
      expect(before.map(({ toolName }) => toolName)).toEqual(first.map(({ toolName }) => toolName));
      expect(unlike(before)).toEqual([]);
      const blocked = before.filter(({ finding }) => finding === 'policy_blocked');
      for (const { reason } of blocked) expect(reason).toBe('destructive_tool_requires_approval_workflow');
      // What policy blocks is not in the way of what is to be seen here.
      const usable = before
        .filter(({ finding }) => finding === 'in_sync')
        .map(({ toolName }) => toolName)
        .sort();
      const chosen = usable.slice(0, 5) as unknown as Chosen;
      const [narrower, wider, reworded, hinted, removed] = chosen;
      agent = await agentWith(server(), before, relay.url);
      expect(await offeredBy(agent)).toEqual(usable);

      relay.alter = (tools) => released(tools, chosen, added);
      expect(unlike(await look())).toEqual(
        [
          `${narrower} schema_changed breaking`,
          `${wider} schema_changed compatible`,
          `${reworded} description_changed`,
          `${hinted} annotations_changed`,
          `${removed} missing_from_gateway`,
          `${added} not_in_catalog`,
        ].sort(),
      );
      const left = usable.filter((name) => name !== removed);
      expect(await offeredBy(agent)).toEqual(
        left
          .filter((name) => name !== narrower)
          .map((name) => (name === wider ? `${name} compatible` : name))
          .sort(),
      );
      await acceptAll();
      const after = await look();
      // The skill keeps to the version that it was linked with, and the gateway serves that no more.
      expect(unlike(after)).toEqual([`${narrower} version_not_served breaking`]);
      await agent.clearCache();
      // The skill keeps to the major that it was linked with, which the gateway serves no more.
      expect(await offeredBy(agent)).toEqual(left.filter((name) => name !== narrower));
      expect(after).toHaveLength(before.length);

      // And back again: the same tools under the same ids. Who has learnt to send `added` is refused now.
      relay.alter = (tools) => tools;
      expect(unlike(await look())).toEqual(
        [
          `${narrower} schema_changed breaking`,
          `${wider} schema_changed breaking`,
          `${reworded} description_changed`,
          `${hinted} annotations_changed`,
          `${removed} inactive_in_catalog`,
          `${added} missing_from_gateway`,
        ].sort(),
      );
      await acceptAll();
      const ids = (items: Drift['items']) => items.map(({ toolName, toolId }) => [toolName, toolId]);
      expect(ids(await look())).toEqual(ids(before));
    } finally {
      await agent?.close();
      await relay.stop();
    }
  });
});
