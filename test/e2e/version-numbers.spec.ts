import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { exitCodes } from '../../src/cli/output.js';
import { CommandEngine } from '../../src/kernel/command-engine.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { compareVersions, publishedSchemas } from '../../src/registry/shared.js';
import { CreateTool } from '../../src/tools/model/tool.commands.js';
import {
  ApproveToolVersion,
  DraftToolVersion,
  SubmitToolVersion,
} from '../../src/tools/model/version.commands.js';
import { carryOut } from '../integration/execute.js';
import { runHere } from './command-line.js';
import { eachOwnServer } from './own-server.js';
import { eachServer, hostId } from './server.js';

/** Numbers of versions: nine digits a part at every door; longer ones, of logs from before, do no harm. */

const inputSchema = { type: 'object', properties: { x: { type: 'string', description: 'A path.' } } };
const specText = (name: string, version: string) =>
  `version: ${version}\nname: ${name}\ndescription: Reads a file.\ninputSchema: { type: object }\n`;
const placed = (part: string) => [`${part}.0.0`, `0.${part}.0`, `0.0.${part}`];
const fitting = placed('999999999');
const tooLong = [...placed('1000000000'), ...placed('9007199254740992')];

describe('a number of a version', () => {
  eachServer((server) => {
    let tool = '';
    let skill = '';
    let names = 0;
    beforeAll(async () => {
      const script = { implementationType: 'python', scriptContent: 'pass', inputSchema };
      const made = { name: 'numbered', description: 'Reads a file.', ...script };
      tool = String((await server().api('POST', '/tools', { body: made })).body['id']);
      const content = { name: 'numbers', contentMarkdown: 'x' };
      skill = String((await server().api('POST', '/skills', { body: content })).body['id']);
    });
    const asked = async (method: string, path: string, body: object) => {
      const { status, body: answer } = await server().api<{ code?: string }>(method, path, { body });
      return status < 300 ? 'taken' : String(answer.code);
    };
    const accepted = (version: string) => [
      { version, rule: 'r', pointer: '', reason: 'r', approver: 'a', expires: '2099-01-01' },
    ];
    const doors: Readonly<Record<string, (version: string) => Promise<string>>> = {
      'a spec that is pushed': (version) =>
        asked('POST', '/tools/specs', { specText: specText(`pushed${String((names += 1))}`, version) }),
      'a version that is written': (version) =>
        asked('POST', `/tools/${tool}/versions`, { version, description: 'Reads.', inputSchema }),
      'a finding that is accepted': (version) =>
        asked('POST', '/tools/specs', {
          specText: specText(`pushed${String((names += 1))}`, '1.0.0'),
          accepted: accepted(version),
        }),
      'the range of a link': (version) =>
        asked('PUT', `/skills/${skill}/tools/${tool}`, { range: `^${version}` }),
      'the range of a link by a command of agents': (version) =>
        asked('POST', '/agent/commands/link_tool', { skillId: skill, toolId: tool, range: `~${version}` }),
      'the range in a skill that is imported': (range) =>
        asked('POST', '/skills/import', {
          document: { name: `with ${range}`, contentMarkdown: 'x', tools: [{ name: 'numbered', range }] },
        }),
    };

    it.each(Object.keys(doors))('may have nine digits a part in %s, and no more', async (door) => {
      const enter = doors[door];
      if (enter === undefined) throw new Error('There is no such door.');
      for (const version of fitting) expect([version, await enter(version)]).toEqual([version, 'taken']);
      for (const version of tooLong) expect([version, await enter(version)]).not.toEqual([version, 'taken']);
    });
  });

  it('is the same in a folder, and in the schemas for editors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-catalog-numbers-'));
    for (const version of [...fitting, ...tooLong]) {
      const place = join(folder, version, 'tools/specs/read_file');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, `v${version.replaceAll('.', '_')}.yaml`), specText('read_file', version));
      const { code } = await runHere('registry', 'validate', join(folder, version));
      expect([version, code]).toEqual([
        version,
        fitting.includes(version) ? exitCodes.done : exitCodes.failed,
      ]);
    }
    await rm(folder, { recursive: true });
    const { 'tool-spec': spec, 'accepted-findings': accepted } = publishedSchemas;
    const versions = [spec.properties.version, accepted.properties.accepted.items.properties.version];
    const patterns = versions.map(({ pattern }) => new RegExp(pattern));
    for (const pattern of patterns) {
      expect(fitting.filter((version) => !pattern.test(version))).toEqual([]);
      expect(tooLong.filter((version) => pattern.test(version))).toEqual([]);
    }
  });
});

describe('a longer number that is stored', () => {
  const content = {
    words: {
      ...{ description: 'Reads a file.', routing: {}, lifecycleStatus: 'active' as const },
      safety: { readOnly: false, idempotent: false, destructive: false, humanApprovalRequired: false },
    },
    invocation: { inputSchema, sourceProtocol: null, capabilityRef: null },
    outputSchema: null,
  };
  const approval = { digest: 'd', evaluation: null, override: { reason: 'r' }, guards: [], taken: [] };

  eachOwnServer((server) => {
    const stored = async (name: string, number: string, isApproved: boolean) => {
      const toolId = v7();
      const context = { hostId, actor: { user: 'before' }, correlationId: v7() };
      const implementation = { implementationType: 'service', implementationClass: null } as const;
      const said = { name, ...implementation, scriptContent: null, ...content, taken: [] };
      const version = { version: number };
      await carryOut(server().app.get(CommandEngine), context, () => [
        new CreateTool(hostId, toolId, { ...said, autoApprove: false, draft: number }),
        new DraftToolVersion(hostId, toolId, { ...version, content, specText: specText(name, number) }),
        ...(isApproved
          ? [
              new SubmitToolVersion(hostId, toolId, version),
              new ApproveToolVersion(hostId, toolId, { ...version, ...approval }),
            ]
          : []),
      ]);
      return toolId;
    };
    const change = (toolId: string, description: string) =>
      server().api('PATCH', `/tools/${toolId}`, { body: { description } });
    const numbersOf = async (toolId: string) => {
      const { body } = await server().api<{ items: { version: string; state: string }[] }>(
        'GET',
        `/tools/${toolId}/versions`,
      );
      return body.items.map(({ version, state }) => `${version} ${state}`);
    };

    it.each(['1000000000', '9007199254740992', `1${'0'.repeat(20)}`])(
      'ends in nine digits with the next change, is read, and can be retired: 1.0.%s',
      async (part) => {
        const number = `1.0.${part}`;
        const toolId = await stored(`tool_${part}`, number, true);
        expect(await change(toolId, 'Reads one file.')).toMatchObject({ status: 200 });
        expect(await numbersOf(toolId)).toEqual(['1.1.0 in_review', `${number} approved`]);
        const path = `/tools/${toolId}/versions/${number}`;
        expect(await server().api('GET', path)).toMatchObject({ status: 200, body: { version: number } });
        const retired = await server().api('POST', `${path}/retire`, { body: { reason: 'r' } });
        expect(retired).toMatchObject({ status: 200, body: { state: 'retired' } });
      },
    );

    it('comes after a shorter one for the database as for all else', async () => {
      const ordered = [
        '0.9.9',
        '0.10.0',
        '1.0.9',
        '1.0.999999999',
        '1.0.1000000000',
        `1.0.1${'0'.repeat(20)}`,
      ];
      const rows = await server()
        .app.get<Database>(DATABASE)
        .acrossHosts.query<{ version: string }>(
          'SELECT version FROM unnest($1::text[]) AS version ORDER BY version_key(version) COLLATE "C"',
          [ordered.toReversed()],
        );
      expect(rows.map(({ version }) => version)).toEqual(ordered);
      expect(ordered.toSorted(compareVersions)).toEqual(ordered);
    });

    it('leaves the draft of a new tool as it is, and all other tools in packages and folders', async () => {
      const number = '1.0.9007199254740992';
      const draft = await stored('drafted', number, false);
      const present = await stored('presented', number, true);
      await stored('usual', '1.0.0', true);
      expect(await change(draft, 'Other words.')).toMatchObject({ status: 409 });
      expect(await numbersOf(present)).toEqual([`${number} approved`]);
      for (const language of ['python', 'ruby', 'typescript']) {
        const { status, body } = await server().api<{
          modules: { tool: string }[];
          warnings: { tool: string; code: string }[];
        }>('GET', `/tool-clients/${language}?format=json`);
        expect(status).toBe(200);
        expect(body.modules.map(({ tool }) => tool)).toContain('usual');
        expect(body.modules.map(({ tool }) => tool)).not.toContain('presented');
        expect(body.warnings).toContainEqual(
          expect.objectContaining({ tool: 'presented', code: 'left_out' }),
        );
      }
      const folder = await mkdtemp(join(tmpdir(), 'portal-catalog-pulled-'));
      const connection = ['--url', server().address, '--token', await server().token()];
      const { code, err } = await runHere('registry', 'pull', folder, ...connection);
      expect([code, err]).toEqual([
        exitCodes.done,
        expect.stringContaining(`not written: drafted ${number}`),
      ]);
      const pulled = await readdir(join(folder, 'tools/specs'));
      expect(pulled).toContain('usual');
      expect(pulled).not.toContain('drafted');
      await rm(folder, { recursive: true });
    });
  });
});
