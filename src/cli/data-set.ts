import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { documentLimits } from '../documents/limits.js';
import { readYaml } from '../documents/yaml.js';
import { CliFault, exitCodes } from './output.js';
import { MAX_PROMPT_LENGTH, MAX_PROMPTS } from '../tools/shared.js';
import type { CatalogClient } from './catalog-client.js';

/** One row of a data set. The service checks it. */
export interface Row {
  readonly prompt: string;
  readonly expect: readonly string[];
}

/** Reads a file of JSON Lines or a list in YAML. Throws CliFault with the place of a fault. */
export async function readDataSet(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliFault(exitCodes.usage, `${file} can’t be read: ${String(error)}`);
  });
  return ['.yaml', '.yml'].includes(extname(file)) ? rowsOfYaml(text, file) : rowsOfLines(text, file);
}

function rowsOfYaml(text: string, file: string): Row[] {
  let rows: unknown;
  try {
    rows = readYaml(text, documentLimits);
  } catch (error) {
    throw new CliFault(exitCodes.usage, `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(rows)) throw new CliFault(exitCodes.usage, `${file} is no list of rows.`);
  return rows as Row[];
}

function rowsOfLines(text: string, file: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Row];
    } catch {
      throw new CliFault(exitCodes.usage, `${file}, line ${String(index + 1)} is no JSON object.`);
    }
  });
}

/** Example prompts for one tool. */
interface Lesson {
  readonly toolName: string;
  readonly prompts: readonly string[];
}

/** Tools in one request. */
const batch = 500;

/** Makes each prompt that means a single tool an example of it. Pure. */
export function lessonsOf(rows: readonly Row[]): Lesson[] {
  const prompts = new Map<string, Set<string>>();
  for (const { prompt, expect } of rows) {
    const [toolName, another] = new Set(expect);
    if (toolName === undefined || another !== undefined) continue;
    const known = prompts.get(toolName) ?? new Set();
    // Cuts by code points, as the service counts.
    prompts.set(toolName, known.add(Array.from(prompt).slice(0, MAX_PROMPT_LENGTH).join('')));
  }
  return [...prompts].map(([toolName, all]) => ({ toolName, prompts: [...all].slice(0, MAX_PROMPTS) }));
}

/** Stores prompts as examples. Throws CliFault that names the tools that were refused; the others are stored. */
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

/** Sends all examples together, then one by one where the service refuses them. */
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
