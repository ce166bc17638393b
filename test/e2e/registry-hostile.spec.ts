import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { commandLine, type Said } from './command-line.js';
import { eachServer } from './server.js';

/** Folders that a stranger made, pushed to a service: each ends in a refusal that names the file, and nothing is sent. */

const spec = (name: string, more = ''): string =>
  `version: 1.0.0\nname: ${name}\ndescription: Reads part of a file.\ninputSchema: { type: object }\n${more}`;
const bomb = Array.from({ length: 9 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
    : `a${String(level)}: &a${String(level)} [${Array(10)
        .fill(`*a${String(level - 1)}`)
        .join(', ')}]`,
).join('\n');

describe('a hostile folder that is pushed', () => {
  eachServer((server) => {
    let run: (...args: readonly string[]) => Promise<Said>;
    let folder: string;
    let folders = 0;
    /** Pushes a folder of one sound tool and these files. */
    const push = async (make: (at: (path: string) => string) => unknown) => {
      const own = join(folder, String((folders += 1)));
      const at = (path: string) => join(own, path);
      await mkdir(at('tools/specs/read_file'), { recursive: true });
      await writeFile(at('tools/specs/read_file/v1_0_0.yaml'), spec('read_file'));
      await make(at);
      return run('registry', 'push', own);
    };
    const put = async (path: string, content: string | Buffer): Promise<void> => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-catalog-hostile-'));
      run = await commandLine(server());
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
    });

    const other = 'tools/specs/get_it/v1_0_0.yaml';
    const cases: readonly [what: string, make: (at: (path: string) => string) => unknown, said: string][] = [
      [
        'a link to a file outside',
        (at) => symlink('/etc/hostname', at('tools/specs/read_file/v1_1_0.yaml')),
        'tools/specs/read_file/v1_1_0.yaml:1 not_a_file',
      ],
      [
        'a pipe',
        (at) => execFileSync('mkfifo', [at('tools/specs/read_file/v1_1_0.yaml')]),
        'tools/specs/read_file/v1_1_0.yaml:1 not_a_file',
      ],
      [
        'a pipe for what was accepted',
        (at) => execFileSync('mkfifo', [at('tools/accepted-findings.yaml')]),
        'not_a_file',
      ],
      [
        'a member called __proto__',
        (at) => put(at(other), spec('get_it', '__proto__: { owner: me }\n')),
        `${other}:1 schema A member can’t be called __proto__`,
      ],
      [
        'names that differ by capitals alone',
        (at) => put(at('tools/specs/Read_File/v1_0_0.yaml'), spec('Read_File')),
        'case /name read_file differs from Read_File by capitals alone',
      ],
      [
        'a file of 3 MB',
        (at) => put(at(other), spec('get_it') + '#'.repeat(3_000_000)),
        `${other}:1 unreadable has more than`,
      ],
      [
        'a spec of 1 MB',
        (at) => put(at(other), spec('get_it') + '#'.repeat(1_000_000)),
        `${other}:1 too_large`,
      ],
      [
        'bytes that are no UTF-8',
        (at) => put(at(other), Buffer.concat([Buffer.from(spec('get_it')), Buffer.from([0xff, 0xfe])])),
        `${other}:1 unreadable is no UTF-8`,
      ],
      ['aliases of aliases', (at) => put(at(other), spec('get_it', bomb)), `${other}:1 document_too_large`],
      [
        'a description that is deep',
        (at) =>
          put(at(other), spec('get_it', `outputSchema: ${'{ items: '.repeat(200)}{}${' }'.repeat(200)}\n`)),
        `${other}:`,
      ],
      [
        'a tag of another language',
        (at) => put(at(other), spec('get_it', 'title: !!js/function "x"\n')),
        `${other}:5`,
      ],
      [
        'a name that steers the terminal',
        (at) => put(at('tools/specs/get_it/v1_0_0\u001b[2J\n.yaml'), spec('get_it')),
        'tools/specs/get_it/v1_0_0\ufffd[2J .yaml:1 path',
      ],
    ];

    it.each(cases)('with %s is refused', async (_what, make, said) => {
      const { code, output } = await push(make);
      expect([code, output]).toEqual([exitCodes.failed, expect.stringContaining(said)]);
      expect(output).toContain('Nothing was sent.');
      expect(output).not.toContain('\u001b');
      expect(output).not.toContain('    at ');
      expect((await server().api('GET', '/events')).body).toEqual({ items: [] });
    });

    it('is pulled into without waiting for a pipe', async () => {
      expect((await push(() => undefined)).code).toBe(exitCodes.done);
      const into = join(folder, 'into');
      await mkdir(join(into, 'tools/specs/read_file'), { recursive: true });
      execFileSync('mkfifo', [join(into, 'tools/specs/read_file/v1_0_0.yaml')]);
      const { code, output } = await run('registry', 'pull', into);
      expect([code, output]).toEqual([exitCodes.failed, expect.stringContaining('v1_0_0.yaml is no file')]);
    });
  });
});
