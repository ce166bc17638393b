import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { runHere } from './command-line.js';

const spec = (version: string, more = ''): string => `version: ${version}
name: read_file
description: Reads part of a file. Use it when you know its path.
inputSchema:
  parameters:
    - { name: file_path, description: Path of the file, type: string, required: true }
${more}outputSchema: { type: object }
`;

describe('a registry on the command line, without a service', () => {
  let folder: string;
  const run = (...args: string[]) => runHere('registry', ...args);
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-registry-'));
    await put('tools/specs/read_file/v1_0_0.yaml', spec('1.0.0'));
    await put('eval/configs/read_file/v1_0_0.yaml', 'prompts: [{ prompt: Show me the file }]\n');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('passes where all is well, and strictly too', async () => {
    for (const command of ['validate', 'diff', 'lint']) {
      const { code, output } = await run(command, folder, '--strict');
      expect([command, code, output]).toEqual([command, exitCodes.done, expect.any(String)]);
    }
  });

  it('fails with file, line and place of what is wrong', async () => {
    const path = 'tools/specs/read_file/v1_1_0.yaml';
    await put(path, spec('1.1.0', '    - { name: mode, type: string, required: true }\n'));
    const diff = await run('diff', folder);
    expect(diff.code).toBe(exitCodes.failed);
    expect(diff.output).toContain('read_file 1.0.0 → 1.1.0: breaking (input breaking, output none)');
    expect(diff.output).toContain(`${path}:1 version.too_small /version From 1.0.0 to 1.1.0`);
    const lint = await run('lint', folder, '--json', '--strict');
    expect(lint.code).toBe(exitCodes.failed);
    expect(JSON.parse(lint.output)).toMatchObject({
      findings: [
        { file: path, line: 7, pointer: '/inputSchema/parameters/1', rule: 'parameter_undescribed' },
      ],
    });
    await put(path, spec('1.1.0', '    - { name: mode, type: text }\n'));
    const validate = await run('validate', folder, '--json');
    expect(validate.code).toBe(exitCodes.failed);
    expect(JSON.parse(validate.output)).toMatchObject({
      faults: [{ file: path, line: 7, pointer: '/inputSchema/parameters/1/type', rule: 'schema' }],
    });
  });

  it.each(['validate', 'diff', 'lint'])('%s names links and pipes, and opens none', async (command) => {
    const odd = join(folder, `odd-${command}`);
    const specs = join(odd, 'tools/specs');
    await put(`odd-${command}/tools/specs/read_file/v1_0_0.yaml`, spec('1.0.0'));
    await symlink(join(folder, 'tools/specs/read_file/v1_0_0.yaml'), join(specs, 'read_file/v1_1_0.yaml'));
    await symlink(join(folder, 'tools'), join(specs, 'elsewhere'));
    execFileSync('mkfifo', [join(specs, 'read_file/v1_2_0.yaml'), join(odd, 'tools/accepted-findings.yaml')]);
    const { code, output } = await run(command, odd);
    expect(code).toBe(exitCodes.failed);
    const names = ['specs/read_file/v1_1_0.yaml', 'specs/elsewhere', 'specs/read_file/v1_2_0.yaml'];
    for (const name of [...names, 'accepted-findings.yaml'])
      expect(output).toContain(`tools/${name}:1 not_a_file is a link, a pipe or a device`);
  });

  it('reads no specs from behind a link', async () => {
    await mkdir(join(folder, 'linked'));
    await symlink(join(folder, 'tools'), join(folder, 'linked/tools'));
    const { code, output } = await run('validate', join(folder, 'linked'));
    expect([code, output]).toEqual([
      exitCodes.usage,
      expect.stringContaining("linked/tools/specs can't be read"),
    ]);
  });

  it('says what a registry is where there is none', async () => {
    const { code, output } = await run('validate', join(folder, 'eval'));
    expect([code, output]).toEqual([exitCodes.usage, expect.stringContaining('tools/specs/<name>')]);
  });

  it('prints the schemas that editors check files by', async () => {
    const { output } = await run('schema', 'tool-spec');
    expect(output).toBe(await readFile('docs/schemas/tool-spec.schema.json', 'utf8'));
  });
});
