import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs the commands of a page as somebody types them: variables and functions stay from one step to the next. */
export class PageShell {
  private readonly folder = mkdtempSync(join(tmpdir(), 'portal-catalog-page-'));

  /** @param replaced texts of the page that differ here, such as addresses */
  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly replaced: Readonly<Record<string, string>>,
  ) {}

  /** Resolves with what the commands print. Throws at the first that fails. */
  async run(commands: string): Promise<string> {
    const state = `"${join(this.folder, 'state')}"`;
    const all = { ...this.replaced, 'npx portal-catalog': `"${process.execPath}" dist/src/cli.js` };
    const own = replacedIn(commands, new Map(Object.entries(all)));
    const script = `if [ -f ${state} ]; then . ${state}; fi\n${own}\n{ export -p; declare -f; } > ${state}\n`;
    const { NODE_OPTIONS: _options, ...inherited } = process.env;
    const env = { ...inherited, ...this.environment };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env });
    return stdout;
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** All at once: what one text is replaced by may begin as another does, and a port may begin with the digits of another. */
function replacedIn(text: string, replaced: ReadonlyMap<string, string>): string {
  const shown = [...replaced.keys()].map((key) =>
    /\d$/.test(key) ? `${escaped(key)}(?!\\d)` : escaped(key),
  );
  return text.replaceAll(new RegExp(shown.join('|'), 'g'), (found) => replaced.get(found) ?? found);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What a page says is printed; `…` stands for anything. */
export function matching(printed: string): RegExp {
  const parts = printed.trim().split('…').map(escaped);
  return new RegExp(`^${parts.join('[^]*?')}$`);
}
