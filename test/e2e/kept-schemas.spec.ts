import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { exitCodes } from '../../src/cli/output.js';
import { CommandEngine } from '../../src/kernel/command-engine.js';
import { CreateTool } from '../../src/tools/model/tool.commands.js';
import {
  ApproveToolVersion,
  DraftToolVersion,
  SubmitToolVersion,
} from '../../src/tools/model/version.commands.js';
import { carryOut } from '../integration/execute.js';
import { runHere } from './command-line.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

/** Schemas that were kept before there was a limit which they go beyond: all that leaves them as they are is taken. */

/** More patterns than are judged, and more items of a list than are taken. */
const schema = (patterns: number, items = 1) => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(
      Array.from({ length: patterns }, (_, at) => [
        `p${String(at)}`,
        { description: 'A path.', pattern: `^a{${String(at)}}$` },
      ]),
    ),
    list: { enum: Array.from({ length: items }, (_, at) => at) },
  },
});
const kept = [
  ['patterns', schema(201)],
  ['items', schema(1, 10_001)],
] as const;
const specText = (name: string, version: string, inputSchema: object, description = 'Reads a file.') =>
  `version: ${version}\nname: ${name}\ntitle: Its own title\nhost: files\ndescription: ${description}\ninputSchema: ${JSON.stringify(inputSchema)}\n`;

eachOwnServer((server) => {
  /** Keeps a tool with an approved version, as it was kept before. */
  const stored = async (
    name: string,
    inputSchema: Readonly<Record<string, unknown>>,
    text: string | null,
  ) => {
    const toolId = v7();
    const content = {
      words: {
        ...{ description: 'Reads a file.', routing: {}, lifecycleStatus: 'active' as const },
        safety: { readOnly: false, idempotent: false, destructive: false, humanApprovalRequired: false },
      },
      invocation: { inputSchema, sourceProtocol: null, capabilityRef: null },
      outputSchema: null,
    };
    const context = { hostId, actor: { user: 'before' }, correlationId: v7() };
    const service = text === null ? null : 'files';
    const implementation =
      service === null
        ? ({ implementationType: 'python', implementationClass: null, scriptContent: 'pass' } as const)
        : ({ implementationType: 'service', implementationClass: service, scriptContent: null } as const);
    const version = { version: '1.0.0' };
    const approval = { digest: 'd', evaluation: null, override: { reason: 'r' }, guards: [], taken: [] };
    await carryOut(server().app.get(CommandEngine), context, () => [
      new CreateTool(hostId, toolId, {
        ...{ name, ...implementation, ...content, taken: [] },
        ...{ autoApprove: false, draft: version.version },
      }),
      new DraftToolVersion(hostId, toolId, { ...version, content, specText: text }),
      new SubmitToolVersion(hostId, toolId, version),
      new ApproveToolVersion(hostId, toolId, { ...version, ...approval }),
    ]);
    return toolId;
  };
  const asked = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await server().api<{ code?: string }>(method, path, { body });
    return status < 300 ? 'taken' : String(answer.code);
  };

  it('are pushed again with their spec, which is read whole', async () => {
    const [name, own] = ['pushed', schema(201)];
    const text = specText(name, '1.0.0', own);
    const toolId = await stored(name, own, text);
    const push = async (...spec: Parameters<typeof specText>) =>
      asked('POST', '/tools/specs', { specText: specText(...spec) });
    expect(await asked('POST', '/tools/specs', { specText: text })).toBe('taken');
    expect(await push(name, '1.1.0', own, 'Reads one file.')).toBe('taken');
    expect(await push(name, '1.2.0', { ...own, required: ['list'] })).toBe('invalid_spec');
    expect(await push(`${name}_anew`, '1.0.0', own)).toBe('invalid_spec');
    const { body } = await server().api<{ texts: { pointer: string }[] }>(
      'GET',
      `/tools/${toolId}/versions/1.1.0/diff?against=1.0.0`,
    );
    // Where the kept spec could not be read, the title would differ as well.
    expect(JSON.stringify(body)).not.toContain('Its own title');
    const folder = await mkdtemp(join(tmpdir(), 'portal-catalog-kept-'));
    const connection = ['--url', server().address, '--token', await server().token()];
    const pulled = await runHere('registry', 'pull', folder, ...connection);
    expect([pulled.code, pulled.err]).toEqual([exitCodes.done, '']);
    const path = join(folder, `tools/specs/${name}/v1_0_0.yaml`);
    expect(await readFile(path, 'utf8')).toBe(text);
    const read = await runHere('registry', 'validate', folder);
    expect([read.code, read.out]).toEqual([
      exitCodes.done,
      expect.stringMatching(/warning: .*is one too many/),
    ]);
    const pushed = await runHere('registry', 'push', folder, '--json', ...connection);
    expect(pushed.code).toBe(exitCodes.done);
    await rm(folder, { recursive: true });
  });

  it.each(kept)(
    'are written again with the tool, and others beyond the limit are not: %s',
    async (what, own) => {
      const toolId = await stored(`patched_${what}`, own, null);
      const more = { ...own, properties: { ...own.properties, more: { type: 'string' } } };
      const outcomes = [
        await asked('PATCH', `/tools/${toolId}`, { inputSchema: own, examplePrompts: ['Read it.'] }),
        await asked('PATCH', `/tools/${toolId}`, { description: 'Reads one file.' }),
        await asked('PATCH', `/tools/${toolId}`, { inputSchema: more }),
        await asked('PATCH', `/tools/${toolId}`, { responseSchema: own }),
        await asked('POST', `/tools/${toolId}/versions`, {
          ...{ version: '1.7.0', description: 'Reads it all.', inputSchema: own },
        }),
        await asked('POST', `/tools/${toolId}/versions`, {
          ...{ version: '1.8.0', description: 'Reads it all.', inputSchema: more },
        }),
      ];
      expect(outcomes).toEqual([
        'taken',
        'taken',
        'invalid_schema',
        'invalid_schema',
        'taken',
        'invalid_schema',
      ]);
    },
  );

  it('are no excuse for a schema that is none', async () => {
    const toolId = await stored('none', schema(201), null);
    const inputSchema = { ...schema(201), required: 'a' };
    expect(await asked('PATCH', `/tools/${toolId}`, { inputSchema })).toBe('invalid_schema');
    const lint = { spec: specText('none', '1.1.0', schema(201)) };
    const { body } = await server().api<{ faults: object[] }>('POST', '/tools/lint', { body: lint });
    expect(body.faults).toHaveLength(1);
  });
});
