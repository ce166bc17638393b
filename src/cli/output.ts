import { writeYaml } from '../documents/yaml.js';
import { isRunByNpx } from '../platform/config/config.js';

/** Exit codes of `portal-catalog`, which scripts rely on. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  altered: 5,
  locked: 6,
} as const;

/** What this program is called where it was called: in a checkout it is no command of its own. */
export const program = isRunByNpx() ? 'npx portal-catalog' : 'portal-catalog';

export const exitCodeHelp = `
Exit codes:
  0  done
  1  something failed that should not have, or a gate did not pass (--fail-on, --fail-under, --no-worse-than, --strict)
  2  the command was not understood
  3  the service refused the request; its reason is printed
  4  the service or the database could not be reached
  5  verify found a log that was altered
  6  the embedded database is in use by another process`;

/** Ends the command with a message, without a stack. */
export class CliFault extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** Control characters but tab and line feed, which would steer the terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The text as a terminal may be given it. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls, '\ufffd');
}

const notJson =
  'The answer is no JSON: what answers at --url (or PORTAL_URL) is no portal catalog, or its answer was cut. Try again, or name the right address.';

const unlike =
  'The answer is not what a portal catalog answers: another service is at --url (or PORTAL_URL), or a catalog of another version. Name the right address.';

/** Parses the service's answer. Throws CliFault where it is no JSON. */
export function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFault(exitCodes.unreachable, notJson);
  }
}

/** How an answer is printed; without either for people. */
export interface OutputOptions {
  readonly json?: boolean | undefined;
  readonly yaml?: boolean | undefined;
}

/** Prints the service's JSON as it came or as YAML, or lines for people. */
export function printAnswer(
  { json, yaml }: OutputOptions,
  answer: string,
  describe: (answer: string) => readonly string[],
): void {
  const text = json
    ? answer
    : yaml
      ? asYaml(parsedAnswer(answer))
      : understood(() => describe(answer)).join('\n');
  process.stdout.write(`${json ? text : withoutControls(text)}\n`);
}

/** Says which command comes next, to people: scripts read the answer. */
export function printNext({ json, yaml }: OutputOptions, next: string | undefined): void {
  if (next !== undefined && !json && !yaml) process.stdout.write(`next: ${next}\n`);
}

/** Writes a value of JSON as YAML, without the line feed at its end. */
export function asYaml(value: unknown): string {
  const isWhole = typeof value === 'object' && value !== null;
  return isWhole ? writeYaml(value).trimEnd() : JSON.stringify(value);
}

/** Reads an answer. Throws CliFault where it does not have the form of the catalog's. */
export function understood<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new CliFault(exitCodes.unreachable, unlike);
    throw error;
  }
}

/** Characters of one cell. */
const MAX_CELL_WIDTH = 60;

/** Fits a text into one line of a table or list. */
export function oneLine(value: unknown, limit = MAX_CELL_WIDTH): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const line = Array.from(text.replace(/\s+/g, ' ').trim());
  return line.length > limit ? `${line.slice(0, limit - 1).join('')}…` : line.join('');
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Aligns rows as a table with a header; at a terminal of `width` columns long cells are cut until it fits. */
export function table(
  rows: readonly Readonly<Record<string, unknown>>[],
  width = process.stdout.isTTY ? process.stdout.columns : undefined,
): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => oneLine(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const limits = fitted(widths, width);
  return cells.map((row) =>
    row
      .map((cell, at) => oneLine(cell, limits[at]).padEnd(limits[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The least that a column is cut to. */
const MIN_CELL_WIDTH = 12;

/** Takes from the widest columns what is too much. */
function fitted(widths: readonly number[], width: number | undefined): number[] {
  const limits = [...widths];
  const room = width === undefined ? Infinity : width - 2 * (widths.length - 1);
  for (let over = sum(limits) - room; over > 0; over--) {
    const widest = Math.max(...limits);
    if (widest <= MIN_CELL_WIDTH) break;
    limits[limits.indexOf(widest)] = widest - 1;
  }
  return limits;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const firstWord = 1_000;
const terminalBeat = 1_000;
const plainBeat = 10_000;

/**
 * Reports long work on stderr: after a second, then every second on one line of a terminal, every ten seconds on a
 * line of its own elsewhere.
 */
export async function withProgress<T>(
  work: string,
  run: (say: (state: string) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = process;
  const started = Date.now();
  const spoken = { once: false, state: '' };
  const show = (): void => {
    const line = [`${work} …`, spoken.state, seconds(started)].filter((part) => part !== '').join(' ');
    stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    spoken.once = true;
  };
  // The timers keep no process alive.
  const first = setTimeout(show, firstWord).unref();
  const beat = setInterval(show, stderr.isTTY ? terminalBeat : plainBeat).unref();
  try {
    return await run((text) => {
      spoken.state = text;
    });
  } finally {
    clearTimeout(first);
    clearInterval(beat);
    if (spoken.once) stderr.write(`${stderr.isTTY ? '\r\u001b[K' : ''}${work}: ${seconds(started)}\n`);
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(0)} s`;
}

/** Makes the examples of a subcommand's `--help`. */
export function exampleHelp(...calls: readonly string[]): string {
  return `\nExamples:\n${calls.map((call) => `  $ portal-catalog ${call}`).join('\n')}`;
}
