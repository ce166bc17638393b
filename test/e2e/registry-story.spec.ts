import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import { exitCodes } from '../../src/cli/output.js';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Implementations, lacking } from '../clients/implementations.js';
import { describeUnless } from '../unless.js';
import { asRead } from './approving.js';
import { runHere } from './command-line.js';
import { eachServer, hostId } from './server.js';

/** The short form of the specification, with parameters that later versions change. */
const spec = (version: string, parameters: string): string => `version: ${version}
title: Read File
name: read_file
description: A tool to read the partial content of a given file path based on the offset and limit setting
host: duo_workflow_service
inputSchema:
  parameters:
    - name: file_path
      description: The path of the file
      type: string
      required: true
${parameters}`;
const offset = `    - name: offset
      description: number of byte to skip read
      type: integer
      required: false
      default: 1
`;
const limit = `    - name: limit
      description: max number of byte to read
      type: integer
      required: false
      default: 2000
`;
const encoding = `    - name: encoding
      description: how its bytes are read as text
      type: string
      required: false
      default: utf-8
`;
const lines = `    - name: lines
      description: max number of lines to read
      type: integer
      required: true
`;
const prompts = `# What people say who want it.
prompts:
  - prompt: read the content of the file README.md
    forbidden: [list_folder]
  - prompt: show me part of a file from an offset
thresholds: { hitAt1: 1 }
`;

/** What the implementation of a later version has instead. */
const changed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '0.1.0': { 'limit=2000': 'limit=2000, encoding="utf-8"' },
  '1.0.0': {
    'offset=1, limit=2000': 'lines',
    'if offset < 2000': 'if lines > 1',
    '"offset": offset, "limit": limit': '"lines": lines',
  },
};

interface Given {
  readonly name: string;
  readonly version: string;
  readonly inputSchema: { readonly properties: object };
}

describe('a tool, from its spec to its call', () => {
  eachServer((server) => {
    let folder: string;
    let toolId = '';
    const tokens = { ada: '', grace: '' };
    const running: { stop(): Promise<void> }[] = [];

    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    const asked = async <Body>(
      token: string,
      method: string,
      path: string,
      body?: unknown,
    ): Promise<Body> => {
      const answer = await server().api<Body>(method, path, { token, body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    const refused = async (token: string, path: string): Promise<unknown> => {
      const body = await asRead(server(), path);
      const answer = await server().api<{ code: string }>('POST', path, { token, body });
      return [answer.status, answer.body.code];
    };
    const registry = async (command: string, ...args: string[]): Promise<string> => {
      const connection = ['--url', server().address, '--token', tokens.ada];
      const ended = await runHere('registry', command, ...args, ...connection);
      expect([command, ended.code, ended.output]).toEqual([command, exitCodes.done, expect.any(String)]);
      return ended.output;
    };
    /** Pushes what the folder has of a version, asks for a review, and evaluates it: by its author. */
    const pushed = async (version: string, parameters: string): Promise<string> => {
      const file = `read_file/v${version.replaceAll('.', '_')}.yaml`;
      await put(`tools/specs/${file}`, spec(version, parameters));
      await put(`eval/configs/${file}`, prompts);
      expect(await registry('push', folder, '--submit')).toContain(`read_file ${version}, new`);
      const { items } = await asked<{ items: { toolId: string }[] }>(
        tokens.ada,
        'GET',
        '/tools?name=read_file',
      );
      toolId = items[0]?.toolId ?? '';
      const path = `/tools/${toolId}/versions/${version}`;
      const { evaluation } = await asked<{ evaluation: object }>(tokens.ada, 'POST', `${path}/evaluate`, {});
      expect(evaluation).toMatchObject({ passed: true, asked: { config: 2 } });
      return path;
    };
    const published = async (version: string, parameters: string): Promise<void> => {
      const path = await pushed(version, parameters);
      await asked(tokens.grace, 'POST', `${path}/approve`, await asRead(server(), `${path}/approve`));
    };
    /** An agent with a skill of its own that links the tool. */
    const agentWith = async (name: string): Promise<string> => {
      const { ada } = tokens;
      await asked(ada, 'POST', '/apis', { apiId: name, apiName: name });
      const version = { apiVersion: '1', apiType: 'agent', serviceId: 'desk', envTag: 'dev' };
      const { id } = await asked<{ id: string }>(ada, 'POST', `/apis/${name}/versions`, version);
      await asked(ada, 'PUT', `/agents/${id}`, { maxSensitivityTier: 'restricted' });
      const skill = await asked<{ id: string }>(ada, 'POST', '/skills', { name, contentMarkdown: 'Read.' });
      await asked(ada, 'PUT', `/skills/${skill.id}/tools/${toolId}`, { accessLevel: 'execute' });
      await asked(ada, 'POST', `/agents/${id}/skills`, { skills: [{ skillId: skill.id }] });
      return id;
    };
    const given = async (agent: string): Promise<readonly (readonly [string, readonly string[]])[]> => {
      const path = `/agents/${agent}/effective-catalog?serviceId=desk&envTag=dev`;
      const { skills } = await asked<{ skills: { tools: Given[] }[] }>(tokens.ada, 'GET', path);
      return skills.flatMap(({ tools }) =>
        tools.map(
          ({ version, inputSchema }) => [version, Object.keys(inputSchema.properties).sort()] as const,
        ),
      );
    };
    /** Serves implementations as the specification writes them, each on the base class of its version. */
    const implemented = async (clients: string, ...versions: string[]): Promise<Implementations> => {
      const example = await readFile('test/clients/read_file.py', 'utf8');
      const modules: Record<string, string> = {};
      for (const version of versions) {
        const module = `read_file_v${version.replaceAll('.', '_')}`;
        const code = example.replaceAll('v0_0_2', module.replace('read_file_', ''));
        const changes: Readonly<Record<string, string>> = changed[version] ?? {};
        const own = Object.entries(changes).reduce((text, [old, now]) => text.replace(old, now), code);
        await writeFile(join(clients, 'src', `${module}.py`), own);
        modules[`/read_file/${version}`] = module;
      }
      const served = await Implementations.start('python', clients, modules);
      running.push(served);
      return served;
    };
    const gatewayTo = async (targetHost: string): Promise<RunningGateway> => {
      const gatewayId = v7();
      const profile = { serviceId: `gateway-${gatewayId}`, envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };
      await asked(tokens.ada, 'PUT', `/gateways/${gatewayId}`, profile);
      await asked(tokens.ada, 'PUT', `/gateways/${gatewayId}/exposures`, { tools: [{ toolId, targetHost }] });
      const settings = {
        gateway: { gatewayId, hostId, envTag: 'dev' },
        address: new URL('http://127.0.0.1:0/mcp'),
        anonymous: false,
        readConfig: async () =>
          (await server().api('GET', `/gateways/${gatewayId}/config`, { token: tokens.ada })).text,
      };
      const config = readConfig({ DATA_DIR: server().directory, OUTBOUND_ALLOW: '127.0.0.1' });
      const gateway = await startDevelopmentGateway(settings, config, createLog('error'));
      running.push(gateway);
      return gateway;
    };
    const called = async ({ url }: RunningGateway, args: Record<string, unknown>, version?: string) => {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      const headers = {
        authorization: `Bearer ${await server().token({ sid: 'accounts', scope: 'catalog:agent' })}`,
      };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      try {
        const { isError, content } = await client.callTool({
          ...{ name: 'read_file', arguments: args },
          ...(version !== undefined && { _meta: { 'portal-catalog/version': version } }),
        });
        const [first] = content;
        return { isError, said: first?.type === 'text' ? first.text : '' };
      } finally {
        await client.close();
      }
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-catalog-registry-'));
      const scope = 'catalog:read catalog:write catalog:admin catalog:all-services';
      tokens.ada = await server().token({ sub: 'ada', scope });
      tokens.grace = await server().token({ sub: 'grace', scope: `${scope} catalog:approve` });
      await asked(tokens.ada, 'POST', '/tools', {
        ...{ name: 'list_folder', description: 'Lists the names of what a folder holds.' },
        ...{ implementationType: 'python', inputSchema: { type: 'object', properties: {} } },
      });
    });
    afterAll(async () => {
      for (const each of running.reverse()) await each.stop();
      await rm(folder, { recursive: true });
    });

    let first = '';

    it('is pushed, evaluated, and approved by somebody else; no agent is given it before', async () => {
      const path = await pushed('0.0.1', offset + limit);
      first = await agentWith('reader');
      expect(await given(first)).toEqual([]);
      const own = await server().token({ sub: 'ada', scope: 'catalog:approve catalog:all-services' });
      expect(await refused(own, `${path}/approve`)).toEqual([409, 'own_version']);
      await asked(tokens.grace, 'POST', `${path}/approve`, await asRead(server(), `${path}/approve`));
      expect(await given(first)).toEqual([['0.0.1', ['file_path', 'limit', 'offset']]]);
    });

    describeUnless(lacking.python, 'in Python', () => {
      it('is implemented on the base class that is generated, and called through a gateway', async () => {
        const clients = join(folder, 'clients');
        await registry('generate', '--language', 'python', '--out', clients);
        const gateway = await gatewayTo((await implemented(clients, '0.0.1')).url);
        const answer = await called(gateway, { file_path: 'a.txt', offset: 3000 });
        expect(JSON.parse(answer.said)).toEqual({
          result: 'content read from version: 0.0.1 Junming is a Senior ML Engineer at GitLab!',
          metadata: { offset: 3000, limit: 2000, total_lines: 5000 },
          instruction: expect.stringContaining('partial from the file: a.txt') as string,
        });
        const wrong = await called(gateway, { offset: 'x' });
        expect([wrong.isError, wrong.said]).toEqual([true, expect.stringContaining('file_path')]);
      });
    });

    it('reaches those who link its major where a minor version adds to it', async () => {
      await published('0.1.0', offset + limit + encoding);
      expect(await given(first)).toEqual([['0.1.0', ['encoding', 'file_path', 'limit', 'offset']]]);
    });

    it('keeps them where a version breaks callers, beside those who take it', async () => {
      const tooSmall = 'tools/specs/read_file/v0_2_0.yaml';
      await put(tooSmall, spec('0.2.0', lines));
      const connection = ['--url', server().address, '--token', tokens.ada];
      const { code, output } = await runHere('registry', 'push', folder, ...connection);
      expect([code, output]).toEqual([exitCodes.failed, expect.stringContaining('Take 1.0.0 or higher.')]);
      // Unless somebody has said, until a day, that this change does no harm.
      await put(tooSmall, spec('0.2.0', offset + limit + encoding + lines));
      await put(
        'tools/accepted-findings.yaml',
        'accepted:\n  - { tool: read_file, version: 0.2.0, rule: input.required.narrower, pointer: /inputSchema,\n' +
          '      reason: All send it., approver: Grace, expires: 2999-12-31 }\n',
      );
      expect(await registry('push', folder, '--dry-run')).toContain('read_file 0.2.0, new version');
      await rm(join(folder, 'tools/accepted-findings.yaml'));
      await rm(join(folder, tooSmall));
      await published('1.0.0', lines);
      const second = await agentWith('liner');
      expect(await given(first)).toEqual([['0.1.0', ['encoding', 'file_path', 'limit', 'offset']]]);
      expect(await given(second)).toEqual([['1.0.0', ['file_path', 'lines']]]);
    });

    describeUnless(lacking.python, 'in Python', () => {
      it('has both versions implemented side by side', async () => {
        const clients = join(folder, 'clients');
        await registry('generate', '--language', 'python', '--out', clients);
        await runHere('registry', 'generate', '--language', 'python', '--out', `${clients}-2`, folder);
        for (const module of ['v0_1_0.py', 'v1_0_0.py']) {
          const path = join('src/tool_registry/read_file', module);
          expect(await readFile(join(clients, path), 'utf8')).toBe(
            await readFile(join(`${clients}-2`, path), 'utf8'),
          );
        }
        const both = await implemented(clients, '0.1.0', '1.0.0');
        const [old, now] = [
          await both.call('/read_file/0.1.0', '{"file_path": "a.txt"}'),
          await both.call('/read_file/1.0.0', '{"file_path": "a.txt", "lines": 1}'),
        ];
        expect(old).toMatchObject({ metadata: { offset: 1, limit: 2000 } });
        expect(now).toMatchObject({
          result: expect.stringContaining('version: 1.0.0') as string,
          metadata: { lines: 1 },
        });
        expect(await both.call('/read_file/1.0.0', '{"file_path": "a.txt"}')).toHaveLength(1);

        // Agents of both skills call through one gateway, each in the version that it was given.
        const gateway = await gatewayTo(both.url);
        const newest = await called(gateway, { file_path: 'a.txt', lines: 1 });
        expect(newest.said).toContain('version: 1.0.0');
        const older = await called(gateway, { file_path: 'a.txt', encoding: 'latin-1' }, '0.1.0');
        expect(JSON.parse(older.said)).toMatchObject({ metadata: { offset: 1, limit: 2000 } });
        await expect(called(gateway, { file_path: 'a.txt' }, '0.0.1')).rejects.toThrow(
          'No implementation found for version 0.0.1 of read_file. There is: 1.0.0, 0.1.0.',
        );
      });
    });

    it('is pulled as it was pushed', async () => {
      expect(await registry('pull', folder, '--tool', 'read_file')).toBe('0 files written, 6 unchanged.\n');
    });
  });
});
