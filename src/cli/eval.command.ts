import { Command } from 'commander';
import { CliFault, exitCodes, printAnswer, understood, withProgress } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf } from './named-record.js';
import { nouns } from './nouns.js';
import { type Destination, destinationOf, documentOf } from './offered-document.js';
import { readDataSet, type Row, teach } from './data-set.js';
import { toolsNamed, withApis } from './tool-apis.js';

interface EvalOptions extends ConnectionOptions, Destination {
  readonly self?: boolean;
  readonly set?: string;
  readonly agent?: string;
  readonly asOf?: string;
  readonly afterImport?: string;
  readonly compareWith?: string;
  readonly failUnder: readonly string[];
  /** Value of --no-worse-than: commander reads it as a negation, true by default. */
  readonly worseThan: string | true;
  readonly teach?: boolean;
}

const examples = `
A data set has one JSON object in each line, {"prompt": "...", "expect": ["toolName"], "forbid": ["toolName"]}, or is
a list of such objects in YAML (.yaml, .yml).

Examples:
  How well does the catalog find what these prompts mean?
    $ portal-catalog eval prompts.jsonl
  As a gate: exit code 1 where it is worse than it should be, or than it was.
    $ portal-catalog eval prompts.jsonl --fail-under hit1=0.6 ndcg10=0.7 --no-worse-than 0192f0c4-…
  Which tools can't be told apart by what they say of themselves?
    $ portal-catalog eval --self
  How well did an agent's catalog of last week do?
    $ portal-catalog eval prompts.yaml --agent 0192f0c4-… --as-of 2026-11-15T12:00:00Z
  How well would it do if this document were imported and its tools published? Nothing is written.
    $ portal-catalog eval prompts.jsonl --after-import openapi.yaml --api orders --no-worse-than 0192f0c4-…
  Teach the tools what these prompts mean:
    $ portal-catalog eval prompts.jsonl --teach`;

export function evalCommand(): Command {
  const command = new Command('eval')
    .description('ask the catalog the prompts of a data set, and say how well it finds what they mean')
    .argument('[file]', 'data set, JSON Lines or YAML')
    .option('--self', 'ask each tool’s own keywords, semantic description and examples')
    .option('--set <name>', 'a data set that the host keeps; with a file, keep it under this name')
    .option('--agent <agent>', 'in this agent’s catalog: its id or its name')
    .option('--as-of <moment>', 'as the catalog was at a position of the log, or at a time')
    .option('--after-import <document>', 'as it would be after an import that is not made (with --api)')
    .option('--api <apiId>', 'with --after-import: the API that the document belongs to')
    .option('--version <label>', 'with --after-import: version of the API (default: what the document says)')
    .option('--service <serviceId>', 'with --after-import: service that provides it (default: the token’s)')
    .option('--env <tag>', 'with --after-import: environment that it runs in')
    .option('--compare-with <evaluationId>', 'say what got better and worse since that run')
    .option(
      '--fail-under <measure=least...>',
      'fail where hit1, mrr, ndcg10, recall1, 3, 5 or 10 is less',
      [],
    )
    .option('--no-worse-than <evaluationId>', 'fail where a prompt has become worse since that run')
    .option('--teach', 'afterwards, keep the prompts as examples of the tools that they mean')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (named: string | undefined, options: EvalOptions) => {
    const client = new CatalogClient(options);
    const { gates, file } = gatesOf(options.failUnder, named);
    const rows = file === undefined ? undefined : await readDataSet(file);
    if (rows !== undefined && options.set !== undefined) {
      await client.request('PUT', `/evaluation-sets/${encodeURIComponent(options.set)}`, { rows });
    }
    const { agent } = options;
    const agentDefId = agent === undefined ? undefined : await idOf(client, nouns.agent, agent);
    const body = { ...bodyOf(rows, options), agentDefId, import: await importOf(client, options) };
    const answer = await withProgress('Asking', () => client.request('POST', '/evaluations', body));
    const evaluation = JSON.parse(answer) as Evaluation;
    const tools = options.json
      ? []
      : await toolsNamed(
          client,
          understood(() => toolsIn(evaluation)),
        );
    printAnswer(options, answer, () => evaluationLines(evaluation, withApis(tools)));
    await warnOfUnknown(client, evaluation);
    if (options.teach) await teach(client, evaluation.results);
    const faults = faultsOf(evaluation, gates, options.worseThan !== true);
    if (faults.length > 0) throw new CliFault(exitCodes.failed, `Not good enough: ${faults.join('; ')}.`);
  });
}

/** Names of tools that are looked up, at most. */
const MAX_LOOKED_UP = 50;

/** Warns of expected tools that do not exist, since a typing error would count as a miss. */
async function warnOfUnknown(client: CatalogClient, { results }: Evaluation): Promise<void> {
  const missed = new Set(
    results.flatMap(({ expect, found }) => expect.filter((name) => !found.includes(name))),
  );
  for (const name of [...missed].slice(0, MAX_LOOKED_UP)) {
    const query = new URLSearchParams({ name, active: 'all', limit: '1' });
    const { items } = JSON.parse(await client.request('GET', `/tools?${query.toString()}`)) as {
      readonly items: readonly unknown[];
    };
    if (items.length === 0) process.stderr.write(`No tool is called ${name}: its prompts count as missed.\n`);
  }
}

function bodyOf(rows: readonly Row[] | undefined, options: EvalOptions): object {
  const asked = options.self ? { self: true } : rows === undefined ? { dataSet: options.set } : { rows };
  if (!options.self && rows === undefined && options.set === undefined) {
    throw new CliFault(exitCodes.usage, 'Say what to ask: a file, --set <name> or --self.');
  }
  const { asOf, worseThan, compareWith } = options;
  return { ...asked, asOf, compareWith: worseThan === true ? compareWith : worseThan };
}

/** Makes the import after which the catalog is asked. */
async function importOf(client: CatalogClient, options: EvalOptions): Promise<object | undefined> {
  const { afterImport: file } = options;
  if (file === undefined) return undefined;
  const how = 'Say where the document belongs: --api <apiId> with --service <serviceId>.';
  return { ...destinationOf(client, options, how), document: await documentOf(client, file), publish: true };
}

interface Evaluation {
  readonly id: string;
  readonly metrics: Readonly<Record<string, unknown>> & {
    readonly recall: Readonly<Record<string, number>>;
    readonly intervals?: Readonly<Record<string, Interval>>;
  };
  readonly confusions: readonly {
    readonly expected: string;
    readonly found: string;
    readonly times: number;
  }[];
  readonly results: readonly (Row & { readonly found: readonly string[] })[];
  readonly comparison?: {
    readonly compared: number;
    readonly better: readonly Moved[];
    readonly worse: readonly Moved[];
    /** A service of before does not tell them. */
    readonly differences?: Readonly<Record<string, Interval & { readonly difference: number }>>;
    readonly flips?: { readonly gained: number; readonly lost: number };
  };
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

interface Places {
  readonly before: number | null;
  readonly now: number | null;
}

interface Moved extends Places {
  readonly prompt: string;
  readonly tools?: readonly (Places & { readonly name: string })[];
  readonly forbidden?: { readonly before: readonly string[]; readonly now: readonly string[] };
}

/** Names of the tools in {@link evaluationLines}. */
function toolsIn({ confusions, comparison }: Evaluation): string[] {
  const moved = [...(comparison?.better ?? []), ...(comparison?.worse ?? [])];
  return [
    ...confusions.flatMap(({ expected, found }) => [expected, found]),
    ...moved.flatMap(({ tools = [], forbidden }) => [
      ...tools.map(({ name }) => name),
      ...(forbidden?.now ?? []),
      ...(forbidden?.before ?? []),
    ]),
  ];
}

function evaluationLines(
  { id, metrics, confusions, comparison }: Evaluation,
  named: (name: string) => string,
): string[] {
  const measures = ['prompts', 'hit1', 'mrr', 'ndcg10', 'forbiddenHits'].map((name) =>
    [name, String(metrics[name]), ...between(metrics.intervals?.[name])].join(' '),
  );
  return [
    `${measures.join(', ')}, recall10 ${String(metrics.recall['10'])}`,
    `run ${id}`,
    ...(Number(metrics['unasked'] ?? 0) > 0 ? [`prompts not asked: ${String(metrics['unasked'])}`] : []),
    ...(confusions.length > 0 ? ['taken for another:'] : []),
    ...confusions.map(
      ({ expected, found, times }) => `  ${String(times)}×  ${named(expected)} → ${named(found)}`,
    ),
    ...(comparison === undefined
      ? []
      : [
          `compared: ${String(comparison.compared)}`,
          ...differenceLines(comparison),
          ...['better:', ...comparison.better.flatMap((moved) => movedLines(moved, named))],
          ...['worse:', ...comparison.worse.flatMap((moved) => movedLines(moved, named))],
        ]),
  ];
}

/** Between what a figure lies in 95 of 100 samples of the prompts. */
const between = (interval: Interval | undefined): string[] =>
  interval === undefined ? [] : [`(${String(interval.low)} to ${String(interval.high)})`];

function differenceLines({ differences = {}, flips }: NonNullable<Evaluation['comparison']>): string[] {
  const lines = Object.entries(differences).map(
    ([name, { difference, ...interval }]) =>
      `  ${[name, difference > 0 ? `+${String(difference)}` : String(difference), ...between(interval)].join(' ')}`,
  );
  const first = flips && [`  first places: ${String(flips.gained)} gained, ${String(flips.lost)} lost`];
  return [...lines, ...(first ?? [])];
}

const place = (rank: number | null): string => (rank === null ? 'not found' : String(rank));
const way = ({ before, now }: Places): string => `${place(before)} → ${place(now)}`;

function movedLines(
  { prompt, tools = [], forbidden, ...places }: Moved,
  named: (name: string) => string,
): string[] {
  return [
    `  ${way(places)}  ${prompt}`,
    ...tools.map((tool) => `      ${way(tool)}  ${named(tool.name)}`),
    ...(forbidden?.now ?? []).map((name) => `      forbidden, and found now  ${named(name)}`),
    ...(forbidden?.before ?? []).map((name) => `      forbidden, and found no more  ${named(name)}`),
  ];
}

/** A measure with its minimum. */
interface Gate {
  readonly measure: string;
  readonly least: number;
}

const measures = ['hit1', 'mrr', 'ndcg10', 'recall1', 'recall3', 'recall5', 'recall10'];

/**
 * Reads gates such as `hit1=0.6`, `nDCG@10=0.7`; a bare number is of hit1. Commander's list takes in what follows it:
 * a last text that is no gate is the file. Throws CliFault for an invalid gate.
 *
 * @param texts as the command line gives them
 */
export function gatesOf(
  texts: readonly string[],
  file: string | undefined,
): { readonly gates: readonly Gate[]; readonly file: string | undefined } {
  const last = texts.at(-1);
  if (file === undefined && last !== undefined && texts.length > 1 && !/=|^[\d.]+$/.test(last)) {
    return { gates: texts.slice(0, -1).map(gateOf), file: last };
  }
  return { gates: texts.map(gateOf), file };
}

function gateOf(text: string): Gate {
  const [, name = 'hit1', value = ''] = /^(?:([^=]+)=)?([\d.]+)$/.exec(text) ?? [];
  const measure = name.toLowerCase().replace('@', '');
  const least = value === '' ? NaN : Number(value);
  if (measures.includes(measure) && least >= 0 && least <= 1) return { measure, least };
  const known = measures.join(', ');
  throw new CliFault(exitCodes.usage, `--fail-under ${text}: say one of ${known}, and a number from 0 to 1.`);
}

/** Lists the gates that are not passed. */
export function faultsOf(
  { metrics, comparison }: Pick<Evaluation, 'metrics' | 'comparison'>,
  gates: readonly Gate[],
  noWorse: boolean,
): string[] {
  const under = gates.flatMap(({ measure, least }) => {
    const [, k] = /^recall(\d+)$/.exec(measure) ?? [];
    const value = Number(k === undefined ? metrics[measure] : metrics.recall[k]);
    return value < least ? [`${measure} is ${String(value)}, less than ${String(least)}`] : [];
  });
  if (!noWorse || comparison === undefined) return under;
  const { compared, worse } = comparison;
  if (compared === 0) return [...under, 'nothing was asked that the earlier run asked too'];
  if (worse.length === 0) return under;
  return [
    ...under,
    worse.length === 1 ? '1 prompt has become worse' : `${String(worse.length)} prompts have become worse`,
  ];
}
