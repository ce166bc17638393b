import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { newHome, type Home } from '../e2e/home.js';
import { ServiceProcess } from './service-process.js';

interface Step {
  readonly title: string;
  readonly commands: string;
  /** What is printed; `…` stands for anything. Undefined where the page shows nothing. */
  readonly printed: string | undefined;
}

/** The fenced blocks of a page: each of `sh`, with the one of `text` that follows it. */
function stepsOf(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/^## (.+)$|^```(sh|text)\n([^]*?)^```$/gm)];
  let title = '';
  return blocks.flatMap(([, heading, kind, content = ''], index): Step[] => {
    title = heading ?? title;
    if (kind !== 'sh') return [];
    const [, , next, printed] = blocks[index + 1] ?? [];
    return [{ title, commands: content, printed: next === 'text' ? printed : undefined }];
  });
}

const mark = '=== next step ===';

/** All steps in one shell, as somebody types them; stops at the first command that fails. */
async function walk(steps: readonly Step[], home: Home, address: string): Promise<readonly string[]> {
  const script = steps
    .map(({ commands }) => `${commands}\necho "${mark}"\n`)
    .join('')
    .replaceAll('npx portal-catalog', `"${process.execPath}" dist/src/cli.js`)
    .replaceAll('http://127.0.0.1:3000', address);
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const env = { ...inherited, ...home.environment };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env });
  return stdout.split(`${mark}\n`);
}

function matching(printed: string): RegExp {
  const parts = printed
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

describe('the account agent, step by step', () => {
  let home: Home;
  let service: ServiceProcess;
  beforeAll(async () => {
    home = await newHome('embedded');
    service = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await service.stop('SIGTERM');
    await home.raze();
  });

  it('can be walked as docs/account-agent.md tells it', async () => {
    const steps = stepsOf(await readFile('docs/account-agent.md', 'utf8'));
    expect(steps.length).toBeGreaterThan(10);
    const outputs = await walk(steps, home, service.address);
    for (const [index, { title, printed }] of steps.entries()) {
      if (printed !== undefined)
        expect(`${title}\n${outputs[index]?.trim() ?? ''}`).toMatch(matching(`${title}\n${printed}`));
    }
  });
});
