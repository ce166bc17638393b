import { readArchive } from '../../src/documents/archive.stream.js';
import { uploadLimits } from '../../src/documents/limits.js';
import { readToolSpec, specDigest } from '../../src/registry/shared.js';
import { asRead } from './approving.js';
import { eachServer, hostId, type Server } from './server.js';

interface Generated {
  readonly packageVersion: string;
  readonly files: Readonly<Record<string, string>>;
  readonly modules: readonly { readonly tool: string; readonly module: string }[];
  readonly warnings: readonly { readonly tool: string; readonly code: string }[];
}

const description = 'A tool to read the partial content of a given file path.';
const readFile = {
  ...{ name: 'read_file', description, implementationType: 'python', scriptContent: 'pass' },
  inputSchema: {
    type: 'object',
    required: ['file_path'],
    properties: { file_path: { type: 'string' }, limit: { type: 'integer', default: 2000 } },
  },
};
const odd = {
  ...{
    name: 'class',
    description: 'Ends */ """ #{puts 1}',
    implementationType: 'python',
    scriptContent: 'pass',
  },
  inputSchema: { type: 'object', properties: { def: { type: 'string', pattern: '^\\p{Lu}$' } } },
};

eachServer((server) => {
  const generated = async (path: string, token?: string) =>
    server().api<Generated & { readonly code?: string }>('GET', path, { ...(token && { token }) });

  it('are none where no tool is offered', async () => {
    expect(await generated('/tool-clients/python')).toMatchObject({
      status: 409,
      body: { code: 'no_tools' },
    });
  });

  describe('of tools that are offered', () => {
    let readFileId: string;
    beforeAll(async () => {
      readFileId = await made(server(), readFile);
      await made(server(), odd);
    });

    it.each([
      ['python', 'src/tool_registry/read_file/v1_0_0.py', 'tool_registry.read_file.v1_0_0'],
      ['ruby', 'lib/tool_registry/read_file/v1_0_0.rb', 'ToolRegistry::ReadFile::V1_0_0'],
      ['typescript', 'src/read-file/v1_0_0.ts', 'tool-registry/read-file/v1_0_0'],
    ])('are modules in %s', async (language, path, module) => {
      const { status, body } = await generated(`/tool-clients/${language}?format=json`);
      expect(status).toBe(200);
      expect(body.files[path]).toContain('sha256:');
      expect(body.modules.find(({ tool }) => tool === 'read_file')).toEqual({
        ...{ tool: 'read_file', version: '1.0.0', module, renamed: {} },
      });
      expect(body.warnings).toEqual([
        expect.objectContaining({
          tool: 'class',
          code: 'not_checked',
          pointer: '/inputSchema/properties/def/pattern',
        }),
      ]);
    });

    it.each(['tar', 'zip'])('are the same package as %s, byte for byte the same again', async (format) => {
      const { body } = await generated('/tool-clients/python?format=json');
      const [first, second] = [await archive(format), await archive(format)];
      expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
      expect(first.name).toContain(`tool-registry-python-${body.packageVersion}.`);
      const files = await readArchive(first.bytes, uploadLimits);
      const texts = files.map(({ path, bytes }) => [
        path.replace('tool-registry-python/', ''),
        Buffer.from(bytes).toString(),
      ]);
      expect(Object.fromEntries(texts)).toEqual(body.files);
    });

    it('have another version where another selection is asked for, a higher one when a tool changes', async () => {
      const versionNow = async () => (await generated('/tool-clients/ruby?format=json')).body.packageVersion;
      const before = await versionNow();
      expect(await versionNow()).toBe(before);
      await server().api('PATCH', `/tools/${readFileId}`, { body: { description: 'Reads a file.' } });
      const after = await versionNow();
      const position = (version: string) => Number(version.split('.')[1]);
      expect(position(after)).toBeGreaterThan(position(before));
    });

    it('leave out what is not offered, and are refused to narrowed tokens', async () => {
      await server().api('POST', `/tools/${readFileId}/deactivate`);
      const { body } = await generated('/tool-clients/python?format=json');
      expect(body.modules.map(({ tool }) => tool)).toEqual(['class']);
      await server().api('POST', `/tools/${readFileId}/activate`);
      const token = await server().token({
        maxSensitivityTier: 'public',
        scope: 'catalog:agent catalog:read',
      });
      expect((await generated('/tool-clients/python', token)).status).toBe(403);
    });

    it('want an environment where two have different tools of one name and version', async () => {
      const token = await server().token({ env: ['dev', 'test'] });
      for (const envTag of ['dev', 'test']) await published(server(), envTag, token);
      const all = await generated('/tool-clients/python?format=json', token);
      expect([all.status, all.body.code]).toEqual([409, 'tool_ambiguous']);
      for (const envTag of ['dev', 'test']) {
        const { body } = await generated(`/tool-clients/python?format=json&envTag=${envTag}`, token);
        expect(body.files['src/tool_registry/placed/v1_0_0.py']).toContain(
          `def _execute(self, *, ${envTag}: str`,
        );
      }
    });

    it('are of every version that is pushed and approved, and of none that waits', async () => {
      const author = await server().token({ sub: 'ada' });
      const reviewer = await server().token({
        sub: 'grace',
        scope: 'catalog:approve catalog:write catalog:all-services',
      });
      const spec = (version: string, type: string) =>
        `version: ${version}\nname: pushed\ndescription: Counts.\nhost: counter\n` +
        `inputSchema: { type: object, properties: { of: { type: ${type} } } }\n`;
      const push = async (specText: string) => {
        const { body } = await server().api<{ id: string; toolVersion: string }>('POST', '/tools/specs', {
          ...{ token: author, body: { specText } },
        });
        return `/tools/${body.id}/versions/${body.toolVersion}`;
      };
      const modules = async () => {
        const { body } = await generated('/tool-clients/python?format=json');
        const own = body.modules.filter(({ tool }) => tool === 'pushed').map(({ module }) => module);
        return { own, files: body.files };
      };
      for (const [version, type] of [
        ['0.0.1', 'string'],
        ['1.0.0', 'integer'],
      ] as const) {
        const path = await push(spec(version, type));
        expect((await modules()).own).toHaveLength(version === '0.0.1' ? 0 : 1);
        await server().api('POST', `${path}/submit`, { token: author });
        const override = { override: { reason: 'Looked at by hand.' } };
        const body = await asRead(server(), `${path}/approve`, override);
        const approved = await server().api('POST', `${path}/approve`, { token: reviewer, body });
        expect(approved.status).toBe(200);
      }
      const { own, files } = await modules();
      expect(own).toEqual(['tool_registry.pushed.v0_0_1', 'tool_registry.pushed.v1_0_0']);
      const { value } = readToolSpec({ path: '', text: spec('0.0.1', 'string') });
      expect(files['src/tool_registry/pushed/v0_0_1.py']).toContain(value && specDigest(value));
    });

    it('are refused for a language that there is none of', async () => {
      expect((await generated('/tool-clients/cobol')).status).toBe(400);
    });
  });

  async function archive(format: string): Promise<{ name: string; bytes: Buffer }> {
    const url = `${server().address}/v1/hosts/${hostId}/tool-clients/python?format=${format}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${await server().token()}` } });
    expect(answer.status).toBe(200);
    return {
      name: answer.headers.get('content-disposition') ?? '',
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  }
});

/** Publishes a tool whose argument is named after its environment. */
async function published(server: Server, envTag: string, token: string): Promise<void> {
  const schema = { type: 'object', required: [envTag], properties: { [envTag]: { type: 'string' } } };
  const post = {
    operationId: 'placed',
    summary: 'Places.',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Placed.' } },
  };
  const body = {
    api: { apiId: `placed-${envTag}` },
    version: { apiVersion: '1', apiType: 'openapi', serviceId: 'any', envTag },
    document: { openapi: '3.1.0', info: { title: 'Placed', version: '1' }, paths: { '/placed': { post } } },
    publish: true,
  };
  const answer = await server.api('POST', '/imports', { body, token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}

async function made(server: Server, body: object): Promise<string> {
  const answer = await server.api<{ id: string }>('POST', '/tools', { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.id;
}
