import { readFile } from 'node:fs/promises';
import { newHome, type Home } from '../../test/e2e/home.js';
import { matching, PageShell } from './page-shell.js';
import { ServiceProcess } from '../../test/system/service-process.js';

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
    const shell = new PageShell(home.environment, { 'http://127.0.0.1:3000': service.address });
    for (const { title, commands, printed } of steps) {
      const output = await shell.run(commands);
      if (printed !== undefined)
        expect(`${title}\n${output.trim()}`).toMatch(matching(`${title}\n${printed}`));
    }
    shell.close();
  });
});
