/** Servers that others wrote, as gateways: registered, verified, in sync; then what of their lists has changed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { AlteringRelay, type ListedTool } from './altering-relay.js';
import { startEverything, startFilesystem, type McpServer } from './gateway-servers.js';
import { eachServer } from './server.js';

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

eachServer(
  (server) => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-catalog-files-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it.each<[string, () => Promise<McpServer>]>([
      ['server-everything', startEverything],
      ['server-filesystem', () => startFilesystem(folder)],
    ])(
      'finds what %s changed, removed and added, and takes it over',
      async (program, start) => {
        const relay = await AlteringRelay.before(await start());
        const [id, added] = [v7(), `added_to_${program}`];
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
          for (const { reason } of blocked)
            expect(reason).toBe('destructive_tool_requires_approval_workflow');
          // What policy blocks is not in the way of what is to be seen here.
          const chosen = before
            .filter(({ finding }) => finding === 'in_sync')
            .map(({ toolName }) => toolName)
            .slice(0, 5) as unknown as Chosen;
          const [narrower, wider, reworded, hinted, removed] = chosen;

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
          await acceptAll();
          const after = await look();
          expect(unlike(after)).toEqual([]);
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
          await relay.stop();
        }
      },
      120_000,
    );
  },
  { OUTBOUND_ALLOW: '127.0.0.1', GATEWAY_TIMEOUT: '20000' },
);
