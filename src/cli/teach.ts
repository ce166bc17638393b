import type { CatalogClient } from './catalog-client.js';
import type { Row } from './data-set.js';

/** Of a tool's examples, and characters of one (contract 5). */
const [mostPrompts, longest] = [200, 500];

/** Keeps each prompt as an example of the one tool that it means; where several are meant, of none. */
export async function teach(client: CatalogClient, rows: readonly Row[]): Promise<void> {
  const prompts = new Map<string, Set<string>>();
  for (const { prompt, expect } of rows) {
    const [toolName] = expect;
    if (toolName === undefined || expect.length !== 1) continue;
    const known = prompts.get(toolName) ?? new Set();
    prompts.set(toolName, known.add(prompt.slice(0, longest)));
  }
  const items = [...prompts].map(([toolName, all]) => ({
    toolName,
    prompts: [...all].slice(0, mostPrompts),
  }));
  if (items.length > 0) await client.request('POST', '/tools/examples', { items, mode: 'add' });
  process.stderr.write(`${String(items.length)} ${items.length === 1 ? 'tool was' : 'tools were'} taught.\n`);
}
