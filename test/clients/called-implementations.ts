import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import type { GeneratedModule, Language } from '../../packages/tool-clients/tool-interface.js';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { caseTools, cases } from '../client-cases.js';
import { compileTypescript, Implementations, lacking, onTheWire, writePackage } from './implementations.js';
import { OwnServer } from '../e2e/own-server.js';
import { hostId } from '../e2e/server.js';
import { describeUnless } from '../unless.js';

interface Generated {
  readonly files: Readonly<Record<string, string>>;
  readonly modules: readonly GeneratedModule[];
}

/** What MCP can carry: an object of numbers that JSON has, and no name that the catalog can’t keep. */
const calls = cases.filter(([, text]) => text.startsWith('{') && !/1e400|__proto__/.test(text));
const kept = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) => (name === '__proto__' ? undefined : value));

/** Implements every tool of the cases in each of the languages, and calls it through a gateway. */
export function callImplementations(languages: readonly Language[]): void {
  describe('tools of the catalog, implemented and called through the development gateway', () => {
    let folder: string;
    let server: OwnServer;
    const toolIds = new Map<string, string>();

    const asked = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
      const answer = await server.api<Body>(method, path, { body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-catalog-implementations-'));
      server = await OwnServer.start('embedded', { OUTBOUND_ALLOW: '127.0.0.1' });
      const latest = new Map(caseTools.map((tool) => [tool.name, tool]));
      for (const { name, description, inputSchema, outputSchema } of latest.values()) {
        const script = { implementationType: 'python', scriptContent: 'pass' };
        const schemas = {
          inputSchema: kept(inputSchema),
          ...(outputSchema && { responseSchema: outputSchema }),
        };
        const { id } = await asked<{ id: string }>('POST', '/tools', {
          name,
          description,
          ...script,
          ...schemas,
        });
        toolIds.set(name, id);
      }
    });
    afterAll(async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    });

    for (const language of languages)
      describeUnless(lacking[language], `in ${language}`, () => {
        let implementations: Implementations;
        let gateway: RunningGateway;
        let client: Client;
        let modules: ReadonlyMap<string, GeneratedModule>;

        beforeAll(async () => {
          const generated = await asked<Generated>('GET', `/tool-clients/${language}?format=json`);
          const own = join(folder, language);
          writePackage(own, new Map(Object.entries(generated.files)));
          if (language === 'typescript') await compileTypescript(own);
          modules = new Map(generated.modules.map((module) => [module.tool, module]));
          const paths = generated.modules.map(({ tool, version, module }) => [`/${tool}/${version}`, module]);
          implementations = await Implementations.start(
            language,
            own,
            Object.fromEntries(paths) as Record<string, string>,
          );
          gateway = await exposed(language, implementations.url);
          client = new Client(
            { name: 'test', version: '1' },
            { versionNegotiation: { mode: { pin: '2026-07-28' } } },
          );
          const headers = {
            authorization: `Bearer ${await server.token({ sid: 'accounts', scope: 'catalog:agent' })}`,
          };
          await client.connect(
            new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
          );
        });
        afterAll(async () => {
          await client.close();
          await gateway.stop();
          await implementations.stop();
        });

        it.each(
          calls.map(([tool, text, expected]) => [tool, text.slice(0, 80), { text, expected }] as const),
        )('%s %s', async (tool, _, { text, expected }) => {
          const args = JSON.parse(text) as Record<string, unknown>;
          const { isError, content } = await client.callTool({ name: tool, arguments: args });
          const [first] = content;
          const said = first?.type === 'text' ? first.text : '';
          if (isError === true) {
            const { faults } = JSON.parse(said.replace(/^http_(?:400|500): /, '')) as { faults: unknown };
            expect(faults).toEqual(expected);
          } else
            expect(onTheWire(JSON.parse(said) as object, modules.get(tool)?.renamed ?? {})).toEqual(expected);
        });
      });

    /** Serves all tools on a gateway whose calls go to `targetHost`. */
    async function exposed(language: Language, targetHost: string): Promise<RunningGateway> {
      const gatewayId = v7();
      const profile = { serviceId: `gateway-${language}`, envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };
      await asked('PUT', `/gateways/${gatewayId}`, profile);
      const tools = [...toolIds.values()].map((toolId) => ({ toolId, targetHost }));
      await asked('PUT', `/gateways/${gatewayId}/exposures`, { tools });
      const settings = {
        gateway: { gatewayId, hostId, envTag: 'dev' },
        address: new URL('http://127.0.0.1:0/mcp'),
        anonymous: false,
        readConfig: async () => (await server.api('GET', `/gateways/${gatewayId}/config`)).text,
      };
      const config = readConfig({ DATA_DIR: server.directory, OUTBOUND_ALLOW: '127.0.0.1' });
      return startDevelopmentGateway(settings, config, createLog('error'));
    }
  });
}
