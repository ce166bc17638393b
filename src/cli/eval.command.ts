import { Command } from 'commander';
import { printAnswer, understood } from './answer.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { CliFault, exitCodes } from './cli-fault.js';
import { destinationOf, documentOf, type Destination } from './offered-document.js';
import { described, toolsIn, type Evaluation } from './eval-answer.js';
import { faultsOf, gatesOf } from './eval-gates.js';
import { readDataSet, type Row } from './data-set.js';
import { withProgress } from './progress.js';
import { teach } from './teach.js';
import { toolsNamed, withApis } from './tool-apis.js';

interface EvalOptions extends ConnectionOptions, Destination {
  readonly self?: boolean;
  readonly set?: string;
  readonly agent?: string;
  readonly asOf?: string;
  readonly afterImport?: string;
  readonly compareWith?: string;
  readonly failUnder: readonly string[];
  /** Of --no-worse-than: commander takes the no- for a negation, and true for its absence. */
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
    .option('--agent <agentDefId>', 'in this agent’s catalog')
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
    const body = { ...bodyOf(rows, options), import: await importOf(client, options) };
    const answer = await withProgress('Asking', () => client.request('POST', '/evaluations', body));
    const evaluation = JSON.parse(answer) as Evaluation;
    const tools = options.json
      ? []
      : await toolsNamed(
          client,
          understood(() => toolsIn(evaluation)),
        );
    printAnswer(options.json, answer, () => described(evaluation, withApis(tools)));
    await warnOfUnknown(client, evaluation);
    if (options.teach) await teach(client, evaluation.results);
    const faults = faultsOf(evaluation, gates, options.worseThan !== true);
    if (faults.length > 0) throw new CliFault(exitCodes.failed, `Not good enough: ${faults.join('; ')}.`);
  });
}

/** Most names of tools that are looked up. */
const MAX_LOOKED_UP = 50;

/** Warns on stderr of expected tools that do not exist: a slip of the pen counts as a miss of the catalog. */
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
  const { agent: agentDefId, asOf, worseThan, compareWith } = options;
  return { ...asked, agentDefId, asOf, compareWith: worseThan === true ? compareWith : worseThan };
}

/** The import after which the catalog is asked. */
async function importOf(client: CatalogClient, options: EvalOptions): Promise<object | undefined> {
  const { afterImport: file } = options;
  if (file === undefined) return undefined;
  const how = 'Say where the document belongs: --api <apiId> with --service <serviceId>.';
  return { ...destinationOf(client, options, how), document: await documentOf(file), publish: true };
}
