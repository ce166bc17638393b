import { LONGEST_PROMPT, MOST_PROMPTS } from '../tools/tool-examples.js';
import type { CatalogClient } from './catalog-client.js';
import { CliFault, exitCodes } from './cli-fault.js';
import type { Row } from './data-set.js';

/** What one tool is taught. */
interface Lesson {
  readonly toolName: string;
  readonly prompts: readonly string[];
}

/** Tools that one request teaches. */
const batch = 500;

/** Each prompt as an example of the one tool that it means; where several are meant, of none. Pure. */
export function lessonsOf(rows: readonly Row[]): Lesson[] {
  const prompts = new Map<string, Set<string>>();
  for (const { prompt, expect } of rows) {
    const [toolName, another] = new Set(expect);
    if (toolName === undefined || another !== undefined) continue;
    const known = prompts.get(toolName) ?? new Set();
    // By code points, as the service counts: half of a character would be none.
    prompts.set(toolName, known.add(Array.from(prompt).slice(0, LONGEST_PROMPT).join('')));
  }
  return [...prompts].map(([toolName, all]) => ({ toolName, prompts: [...all].slice(0, MOST_PROMPTS) }));
}

/** Keeps prompts as examples. Where some tools can't learn, the others do, and CliFault says which and why. */
export async function teach(client: CatalogClient, rows: readonly Row[]): Promise<void> {
  const lessons = lessonsOf(rows);
  const refused: string[] = [];
  for (let start = 0; start < lessons.length; start += batch) {
    refused.push(...(await teachAll(client, lessons.slice(start, start + batch))));
  }
  const taught = lessons.length - refused.length;
  process.stderr.write(`${String(taught)} ${taught === 1 ? 'tool was' : 'tools were'} taught.\n`);
  if (refused.length > 0) throw new CliFault(exitCodes.refused, `Not taught:\n${refused.join('\n')}`);
}

/** The service takes all lessons of a request or none: where it refuses them, each is given alone. */
async function teachAll(client: CatalogClient, items: readonly Lesson[]): Promise<string[]> {
  try {
    await client.request('POST', '/tools/examples', { items, mode: 'add' });
    return [];
  } catch (error) {
    if (!(error instanceof CliFault) || error.exitCode !== exitCodes.refused) throw error;
    const [only, another] = items;
    if (only !== undefined && another === undefined) return [`${only.toolName}: ${error.message}`];
  }
  const refused: string[] = [];
  for (const item of items) refused.push(...(await teachAll(client, [item])));
  return refused;
}
