import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import {
  languages,
  type GeneratedModule,
  type Language,
} from '../../packages/tool-clients/tool-interface.js';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { caseTools, cases } from '../../test/client-cases.js';
import {
  compileTypescript,
  Implementations,
  lacking,
  onTheWire,
  writePackage,
} from '../../test/clients/implementations.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { describeUnless } from '../../test/unless.js';
import { hostId, ServiceProcess } from '../../test/system/service-process.js';

interface Generated {
  readonly files: Readonly<Record<string, string>>;
  readonly modules: readonly GeneratedModule[];
}

/** What MCP can carry: an object of numbers that JSON has, and no name that the catalog can’t keep. */
const calls = cases.filter(([, text]) => text.startsWith('{') && !/1e400|__proto__/.test(text));
const kept = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) => (name === '__proto__' ? undefined : value));

describe('tools of the catalog, implemented and called through the development gateway', () => {
  let home: Home;
  let folder: string;
  let service: ServiceProcess;
  let token: string;
  const toolIds = new Map<string, string>();

  const asked = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await service.send(method, path, token, { ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return JSON.parse(answer.text) as Body;
  };

  beforeAll(async () => {
    home = await newHome('embedded');
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-implementations-'));
    service = await ServiceProcess.start(home, { OUTBOUND_ALLOW: '127.0.0.1' });
    token = await service.token({
      scope: 'catalog:read catalog:write catalog:admin catalog:all-services',
    });
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
    await service.stop('SIGTERM');
    await home.raze();
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
        const headers = { authorization: `Bearer ${await service.token({ scope: 'catalog:agent' })}` };
        await client.connect(
          new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
        );
      });
      afterAll(async () => {
        await client.close();
        await gateway.stop();
        await implementations.stop();
      });

      it.each(calls.map(([tool, text, expected]) => [tool, text.slice(0, 80), { text, expected }] as const))(
        '%s %s',
        async (tool, _, { text, expected }) => {
          const args = JSON.parse(text) as Record<string, unknown>;
          const { isError, content } = await client.callTool({ name: tool, arguments: args });
          const [first] = content;
          const said = first?.type === 'text' ? first.text : '';
          if (isError === true) {
            const { faults } = JSON.parse(said.replace(/^http_(?:400|500): /, '')) as { faults: unknown };
            expect(faults).toEqual(expected);
          } else
            expect(onTheWire(JSON.parse(said) as object, modules.get(tool)?.renamed ?? {})).toEqual(expected);
        },
      );
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
      readConfig: async () => (await service.send('GET', `/gateways/${gatewayId}/config`, token)).text,
    };
    const config = readConfig({ DATA_DIR: home.directory, OUTBOUND_ALLOW: '127.0.0.1' });
    return startDevelopmentGateway(settings, config, createLog('error'));
  }
});
