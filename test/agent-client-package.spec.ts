import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

  it('needs what the whole project has, in the same versions', () => {
    expect({ ...whole.devDependencies, ...whole.dependencies }).toMatchObject(dependencies);
    expect(engines).toEqual(whole.engines);
  });

  it('can be loaded apart from this repository, with what it names and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-client-'));
    const home = join(folder, 'node_modules/portal-catalog-agent-client');
    const [program = '', ...args] = scripts['prepack']?.split(' ') ?? [];
    await run(program, [...args, '--outDir', join(home, 'dist')], { cwd: source });
    cpSync(join(source, 'package.json'), join(home, 'package.json'));
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    const doors = Object.keys(exports).map((door) => door.replace('.', 'portal-catalog-agent-client'));
    const script = `const found = await Promise.all(${JSON.stringify(doors)}.map((door) => import(door)));
      process.stdout.write(JSON.stringify(found.map((each) => Object.keys(each).sort())));`;
    const { stdout } = await run('node', ['--input-type=module', '--eval', script], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      ['AgentClient'],
      ['anthropicTools', 'mcpTools', 'openAiTools'],
      ['agentHandler', 'nodeListener'],
    ]);
    rmSync(folder, { recursive: true });
  });
});
