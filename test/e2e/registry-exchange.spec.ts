import { createServer as createHttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { runHere } from './command-line.js';
import { eachServer } from './server.js';

/** Line ends of Windows, a comment, an order of members of its own. */
const readFileSpec = (version: string, more = ''): string =>
  [
    `name: read_file # As models call it.`,
    `version: ${version}`,
    'description: "Reads part of a file: a \\u00e9, an 😀."',
    'host: duo_workflow_service',
    'inputSchema:',
    '  parameters:',
    '    - { name: file_path, description: Path of the file, type: string, required: true }',
    more,
  ].join('\r\n');
const limit = '    - { name: limit, description: Bytes at most, type: integer, default: 2000 }\r\n';
const listFilesSpec = `\ufeffversion: 1.0.0
title: List files
name: list_files
description: >-
    Lists the files
    of a folder.
inputSchema: {type: object,   properties: {}}
`;

describe('a registry’s folder and a service', () => {
  eachServer((server) => {
    let folder: string;
    let token: string;
    const at = (name: string): string => join(folder, name);
    const run = async (command: string, name: string, ...args: string[]) => {
      const connection = ['--url', server().address, '--token', token];
      return runHere('registry', command, at(name), ...args, ...connection);
    };
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text);
    };
    const filesOf = async (name: string): Promise<Record<string, string>> => {
      const entries = await readdir(at(name), { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const texts = paths.map(async (path) => [
        path.slice(at(name).length + 1),
        await readFile(path, 'base64'),
      ]);
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
    };
    const position = async (): Promise<number> => {
      const { body } = await server().api<{ items: object[] }>('GET', '/events?limit=500', { token });
      return body.items.length;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-catalog-registry-'));
      token = await server().token({
        sid: ['accounts', 'duo_workflow_service'],
        scope: 'catalog:read catalog:write catalog:admin',
      });
      await put('own/tools/specs/read_file/v0_0_1.yaml', readFileSpec('0.0.1'));
      await put(
        'own/eval/configs/read_file/v0_0_1.yaml',
        'prompts: [{ prompt: Show me the file }] # Of the desk.\n',
      );
      await put('own/tools/specs/read_file/v0_1_0.yaml', readFileSpec('0.1.0', limit));
      await put('own/tools/specs/files/list_files/v1_0_0.yml', listFilesSpec);
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
    });

    it('says what a push would do, and does nothing', async () => {
      const { code, output } = await run('push', 'own', '--dry-run');
      expect([code, output]).toEqual([exitCodes.done, expect.any(String)]);
      expect(output).toContain('tools/specs/files/list_files/v1_0_0.yml: list_files 1.0.0, new tool (draft)');
      expect(output).toContain('tools/specs/read_file/v0_0_1.yaml: read_file 0.0.1, new tool (draft)');
      expect(output).toContain('tools/specs/read_file/v0_1_0.yaml: read_file 0.1.0, new version (draft)');
      expect(output).toContain('2 new tools of every environment, 3 new versions, 0 already there.');
      const ofOne = await run('push', 'own', '--dry-run', '--env', 'dev');
      expect(ofOne.output).toContain('2 new tools of dev, 3 new versions, 0 already there.');
      expect(await position()).toBe(0);
    });

    it('sends nothing of a folder with a fault', async () => {
      await cp(at('own'), at('faulty'), { recursive: true });
      await put(
        'faulty/tools/specs/read_file/v0_1_1.yaml',
        readFileSpec('0.1.1', limit.replace('integer', 'text')),
      );
      const { code, output } = await run('push', 'faulty');
      expect(code).toBe(exitCodes.failed);
      expect(output).toContain('tools/specs/read_file/v0_1_1.yaml:8 schema /inputSchema/parameters/1/type');
      expect(output).toContain('Nothing was sent.');
      await put(
        'faulty/tools/specs/read_file/v0_1_1.yaml',
        readFileSpec('0.1.1', limit.replace('limit', 'most')),
      );
      const raised = await run('push', 'faulty');
      expect([raised.code, raised.output]).toEqual([
        exitCodes.failed,
        expect.stringContaining('tools/specs/read_file/v0_1_1.yaml:2 version.too_small /version'),
      ]);
      expect(await position()).toBe(0);
    });

    it('goes on where a push was interrupted', async () => {
      let writes = 0;
      const relay = createHttpServer((request, response) => {
        const chunks: Buffer[] = [];
        request
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const body = Buffer.concat(chunks).toString();
            if (!body.includes('"dryRun":true') && ++writes > 2) return void response.destroy();
            void fetch(server().address + (request.url ?? ''), {
              method: 'POST',
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
              body,
            }).then(async (answer) => {
              response
                .writeHead(answer.status, { 'content-type': 'application/json' })
                .end(await answer.text());
            });
          });
      }).listen(0, '127.0.0.1');
      await once(relay, 'listening');
      const url = `http://127.0.0.1:${String((relay.address() as AddressInfo).port)}`;
      const args = ['registry', 'push', at('own'), '--url', url, '--token', token];
      const broken = await runHere(...args);
      relay.close();
      expect([broken.code, broken.output]).toEqual([
        exitCodes.unreachable,
        expect.stringContaining('2 of 3 versions were pushed. Push again to go on.'),
      ]);
      const { code, output } = await run('push', 'own');
      expect([code, output]).toEqual([
        exitCodes.done,
        expect.stringContaining('1 new version, 2 already there.'),
      ]);
    });

    it('changes nothing when it is pushed again, and asks for a review when it is to', async () => {
      const before = await position();
      expect((await run('push', 'own')).output).toContain('0 new versions, 3 already there.');
      expect(await position()).toBe(before);
      const sent = await run('push', 'own', '--submit', '--json');
      const { items } = JSON.parse(sent.output) as { items: { outcome: string; state: string }[] };
      expect(items.map(({ outcome, state }) => `${outcome} ${state}`)).toEqual(
        Array(3).fill('unchanged in_review'),
      );
      const listing = ['registry', 'waiting', '--url', server().address, '--token', token];
      const { output } = await runHere(...listing);
      expect(output).toMatch(/list_files +1\.0\.0 +in review/);
      expect(output).toContain('3 versions of 2 tools wait');
      const after = await position();
      expect((await run('push', 'own', '--submit')).code).toBe(exitCodes.done);
      expect(await position()).toBe(after);
    });

    it('is pulled byte for byte as it was pushed', async () => {
      const pulled = await run('pull', 'pulled');
      expect([pulled.code, pulled.output]).toEqual([
        exitCodes.done,
        expect.stringContaining('4 files written'),
      ]);
      const own = await filesOf('own');
      const { ['tools/specs/files/list_files/v1_0_0.yml']: listed, ...others } = own;
      expect(await filesOf('pulled')).toEqual({ ...others, 'tools/specs/list_files/v1_0_0.yaml': listed });
      const again = await run('pull', 'own');
      expect([again.code, again.output]).toEqual([exitCodes.done, '0 files written, 4 unchanged.\n']);
      expect(await filesOf('own')).toEqual(own);
    });

    it('refuses to write over what was submitted, and names all files that say something else', async () => {
      await cp(at('own'), at('other'), { recursive: true });
      await put('other/tools/specs/read_file/v0_0_1.yaml', `${readFileSpec('0.0.1')}# Reviewed.\n`);
      await put('other/tools/specs/read_file/v0_1_1.yaml', readFileSpec('0.1.1', `${limit}title: Read\r\n`));
      const before = await position();
      const { code, output } = await run('push', 'other');
      expect(code).toBe(exitCodes.refused);
      expect(output).toContain('tools/specs/read_file/v0_0_1.yaml: refused: 409 version_exists');
      expect(output).toContain('tools/specs/read_file/v0_1_1.yaml: read_file 0.1.1, new version (draft)');
      expect(output).toContain('Nothing was written: 1 version would be refused.');
      expect(await position()).toBe(before);
    });

    it('leaves a file that was changed as it is, unless it is forced', async () => {
      const path = 'other/tools/specs/read_file/v0_0_1.yaml';
      const changed = await readFile(at(path), 'utf8');
      const refused = await run('pull', 'other');
      expect([refused.code, refused.output]).toEqual([
        exitCodes.failed,
        expect.stringContaining('tools/specs/read_file/v0_0_1.yaml\n1 file say'),
      ]);
      expect(await readFile(at(path), 'utf8')).toBe(changed);
      expect((await run('pull', 'other', '--tool', 'list_files')).code).toBe(exitCodes.done);
      expect((await run('pull', 'other', '--force')).code).toBe(exitCodes.done);
      expect(await readFile(at(path), 'utf8')).toBe(readFileSpec('0.0.1'));
    });

    it('gives versions that came without files a spec that says the same, and takes that for the same', async () => {
      const inputSchema = {
        type: 'object',
        properties: { a: { type: 'number', minimum: 0 } },
        required: ['a'],
      };
      const addNumbers = {
        name: 'add_numbers',
        description: 'Adds.',
        implementationType: 'python',
        inputSchema,
      };
      const made = await server().api('POST', '/tools', { token, body: addNumbers });
      expect(made.status).toBe(201);
      const path = 'tools/specs/add_numbers/v1_0_0.yaml';
      expect((await run('pull', 'own')).output).toBe(`${path}\n1 file written, 4 unchanged.\n`);
      expect(await readFile(at(`own/${path}`), 'utf8')).toContain('inputSchema:\n  type: object\n');
      const valid = await runHere('registry', 'validate', at('own'));
      expect([valid.code, valid.output]).toEqual([exitCodes.done, expect.stringContaining('0 faults')]);
      const before = await position();
      expect((await run('push', 'own')).output).toContain('0 new versions, 4 already there.');
      expect(await position()).toBe(before);
    });

    it('keeps title, owner and examples of the spec in a version that an operator’s change has made', async () => {
      const spec =
        'version: 1.0.0\ntitle: Count the lines\nname: count_lines\ndescription: Counts.\nhost: accounts\nowner: desk\n' +
        'inputSchema: { type: object }\nexamples: [{ prompt: How long is it? }]\n';
      await put('counted/tools/specs/count_lines/v1_0_0.yaml', spec);
      expect((await run('push', 'counted', '--submit')).code).toBe(exitCodes.done);
      const { body: list } = await server().api<{ items: { toolId: string }[] }>(
        'GET',
        '/tools?name=count_lines&active=all',
        { token },
      );
      const path = `/tools/${list.items[0]?.toolId ?? ''}`;
      const reviewer = await server().token({ sub: 'grace' });
      const { body: known } = await server().api<{ digest: string }>('GET', `${path}/versions/1.0.0`);
      const override = { digest: known.digest, override: { reason: 'Read.' } };
      const approve = { token: reviewer, body: override };
      expect((await server().api('POST', `${path}/versions/1.0.0/approve`, approve)).status).toBe(200);
      const changed = await server().api('PATCH', path, { token, body: { description: 'Counts lines.' } });
      expect(changed.body).toMatchObject({ inReview: '1.0.1' });
      expect((await run('pull', 'counted', '--tool', 'count_lines')).output).toContain('1 file written');
      const pulled = await readFile(at('counted/tools/specs/count_lines/v1_0_1.yaml'), 'utf8');
      for (const kept of ['title: Count the lines', 'owner: desk', 'host: accounts', 'How long is it?'])
        expect(pulled).toContain(kept);
      const again = await run('push', 'counted');
      expect([again.code, again.output]).toEqual([
        exitCodes.done,
        expect.stringContaining('2 already there'),
      ]);
      const { body: diff } = await server().api<{ findings: { rule: string }[] }>(
        'GET',
        `${path}/versions/1.0.1/diff`,
      );
      expect(diff.findings.map(({ rule }) => rule)).toEqual(['description.changed']);
    });

    it('writes nothing outside the folder, whatever names the service says and whichever links lie there', async () => {
      await mkdir(at('linked/tools'), { recursive: true });
      await mkdir(at('elsewhere'));
      await symlink(at('elsewhere'), at('linked/tools/specs'));
      const linked = await run('pull', 'linked');
      expect([linked.code, linked.output]).toEqual([exitCodes.failed, expect.stringContaining('is a link')]);
      expect(await readdir(at('elsewhere'))).toEqual([]);
      for (const hostile of [
        { name: '../../../hostile' },
        { version: '1.0.0/../../../hostile' },
        { specText: 7 },
      ]) {
        const version = {
          toolId: 't',
          name: 'a',
          version: '1.0.0',
          state: 'draft',
          specText: 'x',
          ...hostile,
        };
        const server = createHttpServer((request, response) => {
          const isOne = /versions\/./.test(request.url ?? '');
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(isOne ? version : { items: [version] }));
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
        const args = ['registry', 'pull', at('hostile'), '--url', url, '--token', token];
        const { code, output } = await runHere(...args);
        server.close();
        expect([code, output]).toEqual([exitCodes.unreachable, expect.stringContaining('no file can be of')]);
      }
      expect(await readdir(folder)).not.toContain('hostile');
    });

    it('proposes one tool of the host’s as of a folder’s, where a service is named', async () => {
      const names = ['get_gitlab_crate', 'list_gitlab_crates'];
      for (const name of names) {
        const said = { name, description: `Does ${name}. Use it at the depot.` };
        const body = { ...said, implementationType: 'python', inputSchema: { type: 'object' } };
        await server().api('POST', '/tools', { token, body: { ...body, safety: { readOnly: true } } });
        const spec = {
          version: '1.0.0',
          ...said,
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        };
        await put(`crates/tools/specs/${name}/v1_0_0.yaml`, JSON.stringify(spec));
      }
      const connection = ['--url', server().address, '--token', token];
      const consolidate = async (...args: string[]) => {
        const { code, output } = await runHere('registry', 'consolidate', ...args, '--json');
        expect([code, output]).toEqual([exitCodes.done, expect.any(String)]);
        return (JSON.parse(output) as { proposals: { tools: string[]; specText: string }[] }).proposals;
      };
      const [asked] = await consolidate('--tools', ...names, '--name', 'get_crate', ...connection);
      const [read] = await consolidate(at('crates'), '--tools', ...names, '--name', 'get_crate');
      expect(asked?.tools).toEqual(names);
      expect(Object.keys(asked ?? {})).toEqual(Object.keys(read ?? {}));
      expect(asked?.specText).toContain('name: get_crate');
      const both = await run('consolidate', 'crates');
      expect([both.code, both.output]).toEqual([exitCodes.usage, expect.stringContaining('not both')]);
      const lonely = await runHere('registry', 'consolidate', at('crates'), '--host', 'h');
      expect([lonely.code, lonely.output]).toEqual([exitCodes.usage, expect.stringContaining('--url')]);
    });
  });
});
