import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { runHere } from './command-line.js';
import { eachServer } from './server.js';

/** The specification's own example. */
const spec = (version: string, limit = 2000): string => `version: ${version}
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
    - name: limit
      description: max number of byte to read
      type: integer
      required: false
      default: ${String(limit)}
`;

describe('registry generate', () => {
  let folder: string;
  const run = (...args: string[]) => runHere('registry', 'generate', ...args);
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const out = (): string => join(folder, 'clients');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-registry-'));
    await put('tools/specs/read_file/v0_0_1.yaml', spec('0.0.1'));
    await put('tools/specs/read_file/v0_0_2.yaml', spec('0.0.2'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('writes both versions of a spec beside each other, without a service', async () => {
    const done = await run('--language', 'python', '--out', out(), folder);
    expect([done.code, done.output]).toEqual([exitCodes.done, `${out()}: 2 modules in 9 files.\n`]);
    const modules = await readdir(join(out(), 'src/tool_registry/read_file'));
    expect(modules.sort()).toEqual(['__init__.py', 'v0_0_1.py', 'v0_0_2.py']);
  });

  it('removes what it wrote before and is no longer there, and nothing else', async () => {
    await rm(join(folder, 'tools/specs/read_file/v0_0_1.yaml'));
    await put('clients/src/tool_registry/own.py', '# mine\n');
    const done = await run('--language', 'python', '--out', out(), '--json', folder);
    expect(JSON.parse(done.output)).toMatchObject({ modules: 1, files: 8, removed: 1, warnings: [] });
    const left = await readdir(join(out(), 'src/tool_registry'), { recursive: true });
    expect(left).toEqual(expect.arrayContaining(['own.py', 'read_file/v0_0_2.py']));
    expect(left).not.toContain('read_file/v0_0_1.py');
  });

  it('names file, line and pointer of what is wrong, and writes nothing', async () => {
    await put('tools/specs/read_file/v0_0_3.yaml', spec('0.0.3').replace('integer', 'number of bytes'));
    const done = await run('--language', 'ruby', '--out', join(folder, 'none'), folder);
    expect(done.code).toBe(exitCodes.failed);
    expect(done.output).toMatch(
      /^tools\/specs\/read_file\/v0_0_3\.yaml:14 schema \/inputSchema\/parameters\/1\/type /m,
    );
    expect(await readdir(folder)).not.toContain('none');
    await rm(join(folder, 'tools/specs/read_file/v0_0_3.yaml'));
  });

  it.each([
    ['no registry', ['--language', 'ruby'], 'tools/specs'],
    ['no such language', ['--language', 'cobol'], 'Allowed choices are typescript, python, ruby'],
    ['a version of the package that is none', ['--language', 'ruby', '--package-version', '1'], 'like 1.2.3'],
    ['a filter of the service with a folder', ['--language', 'ruby', '--env', 'dev'], '--env'],
  ])('refuses %s', async (what, args, reason) => {
    const from = what === 'no registry' ? join(folder, 'nowhere') : folder;
    const done = await run(...args, '--out', join(folder, 'none'), from);
    expect([done.code, done.output]).toEqual([exitCodes.usage, expect.stringContaining(reason)]);
  });

  eachServer((server) => {
    it('writes what the service offers', async () => {
      const connection = [
        '--url',
        server().address,
        '--token',
        await server().token({ scope: 'catalog:write' }),
      ];
      const made = join(folder, server().address.replace(/\W/g, ''));
      const none = await run('--language', 'typescript', '--out', made, ...connection);
      expect([none.code, none.output]).toEqual([exitCodes.refused, expect.stringContaining('no_tools')]);
      const tool = {
        name: 'list_files',
        description: 'Lists.',
        implementationType: 'python',
        scriptContent: 'pass',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      };
      await server().api('POST', '/tools', { body: tool });
      const done = await run('--language', 'typescript', '--out', made, '--env', 'dev', ...connection);
      expect([done.code, done.output]).toEqual([exitCodes.done, `${made}: 1 modules in 5 files.\n`]);
      const module = await readFile(join(made, 'src/list-files/v1_0_0.ts'), 'utf8');
      expect(module).toContain('export abstract class ListFilesBase');
    });
  });
});
