import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, runHere } from './command-line.js';
import { eachServer } from './server.js';

/** What makers of models refuse of tools: in lists, and as the command line says it. */

interface Tool {
  readonly toolId: string;
  readonly name: string;
  readonly refusedBy: readonly string[];
  readonly refusals?: readonly object[];
}
interface Linted {
  readonly tools: number;
  readonly findings: readonly {
    readonly tool: string;
    readonly pointer: string;
    readonly provider: string;
  }[];
  readonly mended: readonly { readonly code: string }[];
}

const text = { type: 'string' };
const script = (name: string, properties: object) => ({
  ...{ name, description: 'Lists the marks.', implementationType: 'python' },
  inputSchema: { type: 'object', properties },
});

eachServer((server) => {
  const make = async (name: string, properties: object): Promise<string> => {
    const made = await server().api<{ id: string }>('POST', '/tools', { body: script(name, properties) });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    return made.body.id;
  };
  const listed = async (token?: string): Promise<Record<string, readonly string[]>> => {
    const { body } = await server().api<{ items: Tool[] }>('GET', '/tools', token ? { token } : {});
    return Object.fromEntries(body.items.map(({ name, refusedBy }) => [name, refusedBy]));
  };

  it('are in the list and beside the tool, and gone once its schema was changed', async () => {
    const id = await make('list_marks', { 'include[]': text, marks: { type: 'array' } });
    await make('list_users', { name: text });
    const all = { list_marks: ['anthropic', 'openai', 'gemini'], list_users: [] };
    expect(await listed()).toEqual(all);
    expect(await listed()).toEqual(all);
    const { body } = await server().api<Tool>('GET', `/tools/${id}`);
    expect(body).toMatchObject({
      refusedBy: ['anthropic', 'openai', 'gemini'],
      refusals: [
        { provider: 'anthropic', pointer: '/inputSchema/properties/include[]' },
        { provider: 'openai', pointer: '/inputSchema/properties/marks', remedy: 'items: { type: string }' },
        { provider: 'gemini', pointer: '/inputSchema/properties/marks' },
      ],
    });
    const given = { description: 'Lists the marks.', inputSchema: script('', { a: text }).inputSchema };
    const other = await make('list_others', { a: text });
    const { body: found } = await server().api<{ definitionLength: number }>('GET', `/tools/${other}`);
    expect(found.definitionLength).toBe(JSON.stringify(given).length);
    const narrow = await server().token({ scope: 'catalog:read', agent_def_id: id });
    expect(Object.values(await listed(narrow)).flat()).toEqual([]);
    const marks = { type: 'array', items: {} };
    await server().api('PATCH', `/tools/${id}`, {
      body: { inputSchema: { type: 'object', properties: { 'include[]': text, marks, note: text } } },
    });
    expect(await listed()).toMatchObject({ list_marks: ['anthropic'] });
  });

  it('are said by the command line, of the host for one maker', async () => {
    await make('get_mark', { $top: text });
    const run = await commandLine(server());
    const { code, out } = await run('lint', '--provider', 'anthropic');
    expect(code).toBe(0);
    expect(out).toContain(
      'get_mark /inputSchema/properties/$top: refused by anthropic. "$top" is no name of an argument that it takes.',
    );
    const strict = await run('lint', '--strict', '--json');
    expect(strict.code).toBe(1);
    const { findings } = JSON.parse(strict.out) as Linted;
    expect(findings.filter(({ tool }) => tool === 'get_mark')).toMatchObject([{ provider: 'anthropic' }]);
    const other = JSON.parse((await run('lint', '--provider', 'gemini', '--json')).out) as Linted;
    expect(other.findings.map(({ tool }) => tool)).not.toContain('get_mark');
    expect((await run('tool', 'list')).out).toMatch(/get_mark .* anthropic\n/);
  });

  describe('of files', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'refusing-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('are said with file and line of a spec, without a service', async () => {
      const specs = join(folder, 'tools/specs/list_marks');
      await mkdir(specs, { recursive: true });
      const lines = [
        'name: list_marks',
        'version: 1.0.0',
        'description: Lists the marks of a page, newest first. Use it when you know the page.',
        'inputSchema:',
        '  parameters:',
        '    - { name: page, description: The page., type: string, required: true }',
        '    - { name: marks, description: The marks., type: array, required: true }',
      ];
      await writeFile(join(specs, 'v1_0_0.yaml'), `${lines.join('\n')}\n`);
      const { code, out } = await runHere('lint', folder, '--provider', 'openai', '--strict');
      expect([code, out]).toEqual([
        1,
        expect.stringMatching(
          /^tools\/specs\/list_marks\/v1_0_0\.yaml:7 \S+: refused by openai\. A list does not say its items\./,
        ),
      ]);
      expect((await runHere('lint', folder, '--provider', 'anthropic', '--strict')).code).toBe(0);
    });

    it('say what an import of a description makes fit', async () => {
      const tools = [{ name: 'list_marks', input_schema: { type: 'object', properties: { $top: text } } }];
      const file = join(folder, 'tools.json');
      await writeFile(file, JSON.stringify({ tools }));
      const { code, out } = await runHere('lint', file, '--strict', '--json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        tools: 1,
        findings: [],
        mended: [{ code: 'argument_renamed' }],
      });
      expect((await runHere('lint', join(folder, 'nothing.json'))).code).toBe(2);
    });
  });
});
