import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeListener } from '../packages/agent-client/handler.js';
import {
  aCatalog,
  aSkill,
  aTool,
  identity,
  listedAs,
  ScriptedCatalog,
  SdkGateway,
  tokenOf,
} from './agent-world.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/agent-client');
interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly exports: Record<string, string>;
  readonly scripts: Record<string, string>;
  readonly engines: object;
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

describe('the package of the agent client', () => {
  const { dependencies, exports, scripts, engines } = manifestOf(source);
  const whole = manifestOf(root);
  const readme = readFileSync(join(source, 'README.md'), 'utf8');

  it('needs what the whole project has, in the same versions', () => {
    expect({ ...whole.devDependencies, ...whole.dependencies }).toMatchObject(dependencies);
    expect(engines).toEqual(whole.engines);
  });

  it('says how many dependencies it has', () => {
    expect(readme).toContain(`${Object.keys(dependencies).length} dependencies`);
  });

  describe('apart from this repository, with what it names and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-client-'));
    beforeAll(async () => {
      const home = join(folder, 'node_modules/portal-catalog-agent-client');
      const [program = '', ...args] = scripts['prepack']?.split(' ') ?? [];
      await run(program, [...args, '--outDir', join(home, 'dist')], { cwd: source });
      cpSync(join(source, 'package.json'), join(home, 'package.json'));
      for (const name of Object.keys(dependencies)) {
        mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
        symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
      }
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    it('can be loaded', async () => {
      const doors = Object.keys(exports).map((door) => door.replace('.', 'portal-catalog-agent-client'));
      const script = `const found = await Promise.all(${JSON.stringify(doors)}.map((door) => import(door)));
        process.stdout.write(JSON.stringify(found.map((each) => Object.keys(each).sort())));`;
      const { stdout } = await run('node', ['--input-type=module', '--eval', script], { cwd: folder });
      expect(JSON.parse(stdout)).toEqual([
        ['AgentClient'],
        ['anthropicTools', 'mcpTools', 'openAiTools'],
        ['agentHandler', 'nodeListener'],
      ]);
    });

    it('runs the program of its README, which offers and calls what the catalog gives, and ends', async () => {
      const [, program = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
      writeFileSync(join(folder, 'agent.mjs'), program);
      const bills = aTool('listBills', { description: 'Lists the open bills of an account.' });
      const catalog = new ScriptedCatalog(aCatalog([aSkill('Bills', [bills])]));
      const gateway = new SdkGateway([listedAs(bills), listedAs(aTool('deleteEverything'))]);
      const { hostId: host, agentDefId: agent_def_id, serviceId: sid, envTag: env } = identity;
      const AGENT_TOKEN = tokenOf({ host, agent_def_id, sid, env });
      const servers = [catalog, gateway].map((each) =>
        createServer(nodeListener((request) => each.fetch(request))).listen(0, '127.0.0.1'),
      );
      await Promise.all(servers.map((server) => once(server, 'listening')));
      const [CATALOG_URL, GATEWAY_URL] = servers.map(
        (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      );
      const said = async () => {
        const given = { ...process.env, CATALOG_URL, GATEWAY_URL, AGENT_TOKEN };
        return (await run('node', ['agent.mjs'], { cwd: folder, env: given })).stdout;
      };
      try {
        expect(await said()).toBe('tools: listBills\nlistBills was called\n');
        expect(gateway.calls).toEqual([{ name: 'listBills', args: { accountId: 'TW-204-881' } }]);
        catalog.answer = () => new Response('', { status: 503 });
        expect(await said()).toBe(
          'tools: none\nThis agent is offered no tools: its catalog is not known at the moment.\n',
        );
      } finally {
        for (const server of servers) {
          server.close();
          server.closeAllConnections();
        }
      }
    });
  });
});
