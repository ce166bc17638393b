import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { printAnswer } from './answer.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { CliFault, exitCodes } from './cli-fault.js';
import { withProgress } from './progress.js';

interface EvalOptions extends ConnectionOptions {
  readonly self?: boolean;
  readonly set?: string;
  readonly agent?: string;
  readonly compareWith?: string;
  readonly failUnder: readonly string[];
  readonly noWorseThan?: string;
  readonly teach?: boolean;
}

interface Row {
  readonly prompt: string;
  readonly expect: readonly string[];
}

interface Evaluation {
  readonly id: string;
  readonly metrics: Readonly<Record<string, unknown>> & { readonly recall: Readonly<Record<string, number>> };
  readonly confusions: readonly {
    readonly expected: string;
    readonly found: string;
    readonly times: number;
  }[];
  readonly comparison?: { readonly better: readonly Moved[]; readonly worse: readonly Moved[] };
}

interface Moved {
  readonly prompt: string;
  readonly before: number | null;
  readonly now: number | null;
}

const examples = `
A data set has one JSON object in each line: {"prompt": "...", "expect": ["toolName"], "forbid": ["toolName"]}.

Examples:
  How well does the catalog find what these prompts mean?
    $ portal-catalog eval prompts.jsonl
  As a gate: exit code 1 where it is worse than it should be, or than it was.
    $ portal-catalog eval prompts.jsonl --fail-under hit1=0.6 ndcg10=0.7 --no-worse-than 0192f0c4-…
  Which tools can't be told apart by what they say of themselves?
    $ portal-catalog eval --self
  Teach the tools what these prompts mean:
    $ portal-catalog eval prompts.jsonl --teach`;

export function evalCommand(): Command {
  const command = new Command('eval')
    .description('ask the catalog the prompts of a data set, and say how well it finds what they mean')
    .argument('[file]', 'data set, JSON Lines')
    .option('--self', 'ask each tool’s own examples, keywords and semantic description')
    .option('--set <name>', 'a data set that the host keeps; with a file, keep it under this name')
    .option('--agent <agentDefId>', 'in this agent’s catalog')
    .option('--compare-with <evaluationId>', 'say what got better and worse since that run')
    .option('--fail-under <measure=least...>', 'fail where hit1, mrr, ndcg10 or recall10 is less', [])
    .option('--no-worse-than <evaluationId>', 'fail where a prompt has lost places since that run')
    .option('--teach', 'afterwards, keep the prompts as examples of the tools that they mean')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (file: string | undefined, options: EvalOptions) => {
    const client = new CatalogClient(options);
    const rows = file === undefined ? undefined : rowsIn(await readFile(file, 'utf8'), file);
    if (rows !== undefined && options.set !== undefined) {
      await client.request('PUT', `/evaluation-sets/${encodeURIComponent(options.set)}`, { rows });
    }
    const body = bodyOf(rows, options);
    const answer = await withProgress('Asking', () => client.request('POST', '/evaluations', body));
    const evaluation = JSON.parse(answer) as Evaluation;
    printAnswer(options.json, answer, () => described(evaluation));
    if (options.teach && rows !== undefined) await teach(client, rows);
    judge(evaluation, options);
  });
}

function bodyOf(rows: readonly Row[] | undefined, options: EvalOptions): object {
  const asked = options.self ? { self: true } : rows === undefined ? { dataSet: options.set } : { rows };
  if (!options.self && rows === undefined && options.set === undefined) {
    throw new CliFault(exitCodes.usage, 'Say what to ask: a file, --set <name> or --self.');
  }
  return { ...asked, agentDefId: options.agent, compareWith: options.noWorseThan ?? options.compareWith };
}

function rowsIn(text: string, file: string): Row[] {
  const lines = text.split('\n').map((line, index) => [line, index + 1] as const);
  return lines
    .filter(([line]) => line.trim() !== '')
    .map(([line, number]) => {
      try {
        return JSON.parse(line) as Row;
      } catch {
        throw new CliFault(exitCodes.usage, `${file}, line ${String(number)} is no JSON object.`);
      }
    });
}

/** Keeps each prompt as an example of the one tool that it means; where several are meant, of none. */
async function teach(client: CatalogClient, rows: readonly Row[]): Promise<void> {
  const prompts = new Map<string, string[]>();
  for (const { prompt, expect } of rows) {
    const [toolName] = expect;
    if (toolName !== undefined && expect.length === 1) {
      prompts.set(toolName, [...(prompts.get(toolName) ?? []), prompt.slice(0, 500)]);
    }
  }
  const items = [...prompts].map(([toolName, all]) => ({ toolName, prompts: all.slice(0, 200) }));
  if (items.length === 0) return;
  await client.request('POST', '/tools/examples', { items, mode: 'add' });
  process.stderr.write(`${String(items.length)} tools were taught.\n`);
}

/** Throws CliFault where a gate is not passed. */
function judge({ metrics, comparison }: Evaluation, { failUnder, noWorseThan }: EvalOptions): void {
  const faults = failUnder.flatMap((gate) => {
    const [measure = '', least = ''] = gate.split('=');
    const value = measure === 'recall10' ? metrics.recall['10'] : metrics[measure];
    if (typeof value !== 'number' || least === '' || Number.isNaN(Number(least))) {
      throw new CliFault(
        exitCodes.usage,
        `--fail-under ${gate}: say hit1, mrr, ndcg10 or recall10, and a number.`,
      );
    }
    return value < Number(least) ? [`${measure} is ${String(value)}, less than ${least}`] : [];
  });
  const worse = comparison?.worse.length ?? 0;
  if (noWorseThan !== undefined && worse > 0) faults.push(`${String(worse)} prompts have lost places`);
  if (faults.length > 0) throw new CliFault(exitCodes.failed, `Not good enough: ${faults.join('; ')}.`);
}

function described({ id, metrics, confusions, comparison }: Evaluation): string[] {
  const measures = ['prompts', 'hit1', 'mrr', 'ndcg10', 'forbiddenHits'].map(
    (name) => `${name} ${String(metrics[name])}`,
  );
  const place = (rank: number | null): string => (rank === null ? 'not found' : String(rank));
  const moved = ({ prompt, before, now }: Moved): string => `  ${place(before)} → ${place(now)}  ${prompt}`;
  return [
    `${measures.join(', ')}, recall10 ${String(metrics.recall['10'])}`,
    `run ${id}`,
    ...(confusions.length > 0 ? ['taken for another:'] : []),
    ...confusions.map(({ expected, found, times }) => `  ${String(times)}×  ${expected} → ${found}`),
    ...(comparison === undefined
      ? []
      : ['better:', ...comparison.better.map(moved), 'worse:', ...comparison.worse.map(moved)]),
  ];
}
