import { Command } from 'commander';
import { compareVersions, pairsOf, type RegistryFolder } from '../registry/shared.js';
import { CatalogClient, connectionOptions, type ConnectionOptions, Refusal } from './catalog-client.js';
import {
  CliFault,
  counted,
  exampleHelp,
  exitCodes,
  parsedAnswer,
  printAnswer,
  understood,
  withProgress,
} from './output.js';
import { faultLine, registryOf } from './registry-folder.js';

interface PushOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly submit?: boolean;
  readonly env?: string;
}

/** A version of the folder, as it is sent. */
interface PushedFile {
  readonly file: string;
  readonly tool: string;
  readonly version: string;
  readonly texts: {
    readonly specText: string;
    readonly evalConfigText?: string;
    readonly accepted?: readonly object[];
  };
}

interface Receipt {
  readonly id: string;
  readonly toolVersion: string;
  readonly state: string;
  readonly outcome: 'new_tool' | 'new_version' | 'rewritten' | 'unchanged';
}

/** What becomes of a file, or why nothing can. */
interface Planned extends PushedFile, Partial<Receipt> {
  readonly refused?: string;
}

const spoken = {
  new_tool: 'new tool',
  new_version: 'new version',
  rewritten: 'draft, written again',
  unchanged: 'already there',
} as const satisfies Record<Receipt['outcome'], string>;

const examples = `
Says first what it would do, and does nothing at all where one file would be refused. A version that was submitted never changes;
pushing the same again changes nothing, so that a push that was interrupted goes on. A tool of a name that the host has not is made,
run by the service that the spec names as its host, of the environment that --env names: every one where that is left out, and of
every service where the spec names no host. What is pushed is a draft: agents get it once it is approved.
${exampleHelp(
  'registry push --dry-run',
  'registry push ../tools --submit',
  'registry push ../tools --json --url https://catalog.example.com',
)}`;

export function pushCommand(): Command {
  const command = new Command('push')
    .description('bring the versions of a folder to the service, as drafts')
    .argument('[folder]', 'folder that holds tools/specs', '.')
    .option('--env <tag>', 'for this environment alone; every one where left out')
    .option('--submit', 'ask for a review of what is a draft')
    .option('--dry-run', 'say what would be done, and do nothing')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (folder: string, options: PushOptions) => {
    const files = filesToPush(await registryOf(folder), options);
    const client = new CatalogClient(options);
    const plan = await withProgress(`Comparing ${counted(files.length, 'version')}`, (say) =>
      planOf(client, files, say),
    );
    const refused = plan.filter((each) => each.refused !== undefined);
    if (options.dryRun === true || refused.length > 0) {
      print(plan, options);
      if (refused.length === 0) return;
      throw new CliFault(
        exitCodes.refused,
        `Nothing was written: ${counted(refused.length, 'version')} would be refused.`,
      );
    }
    if (options.json !== true) process.stdout.write(`${summary(plan, options)}.\n`);
    const todo = plan.filter(
      ({ outcome, state }) => outcome !== 'unchanged' || (options.submit === true && state === 'draft'),
    );
    const done = await withProgress(`Pushing ${counted(todo.length, 'version')}`, (say) =>
      carryOut(client, todo, { submit: options.submit === true, json: options.json === true, say }),
    );
    if (options.json === true) print([...plan.filter((each) => !todo.includes(each)), ...done], options);
  });
}

/** Refuses a folder with a fault before anything is sent, and one with numbers that are raised too little. */
function filesToPush(registry: RegistryFolder, { json, env }: PushOptions): readonly PushedFile[] {
  const { warnings, faults: steps } = pairsOf(registry, new Date().toISOString().slice(0, 10));
  for (const warning of json === true ? [] : [...registry.warnings, ...warnings])
    process.stderr.write(`warning: ${faultLine(warning)}\n`);
  const faults = [...registry.faults, ...steps];
  if (faults.length > 0)
    throw new CliFault(exitCodes.failed, [...faults.map(faultLine), 'Nothing was sent.'].join('\n'));
  const configs = new Map(
    registry.evaluations.map(({ name, version, text }) => [`${name} ${version}`, text]),
  );
  return registry.specs.map(({ path: file, text: specText, spec: { name: tool, version } }) => {
    const evalConfigText = configs.get(`${tool} ${version}`);
    const accepted = registry.accepted
      .filter((each) => each.tool === tool && compareVersions(each.version, version) <= 0)
      .map(({ tool: _, ...each }) => each);
    const texts = {
      specText,
      ...(env !== undefined && { envTag: env }),
      ...(evalConfigText !== undefined && { evalConfigText }),
      ...(accepted.length > 0 && { accepted }),
    };
    return { file, tool, version, texts };
  });
}

type Say = (state: string) => void;

/** Asks the service what it would make of each file. Throws where it refuses whatever is asked. */
async function planOf(
  client: CatalogClient,
  files: readonly PushedFile[],
  say: Say,
): Promise<readonly Planned[]> {
  const plan: Planned[] = [];
  const made = new Set<string>();
  for (const file of files) {
    say(`${String(plan.length)} of ${String(files.length)}`);
    try {
      const receipt = await pushed(client, file, { dryRun: true });
      // A dry run of a second version knows nothing of the first.
      const outcome = made.has(file.tool) ? 'new_version' : receipt.outcome;
      if (receipt.outcome === 'new_tool') made.add(file.tool);
      plan.push({ ...file, ...receipt, outcome });
    } catch (error) {
      if (!(error instanceof Refusal) || ![400, 409, 413].includes(error.status)) throw error;
      plan.push({ ...file, refused: error.message });
    }
  }
  return plan;
}

async function carryOut(
  client: CatalogClient,
  todo: readonly Planned[],
  { submit, json, say }: { readonly submit: boolean; readonly json: boolean; readonly say: Say },
): Promise<readonly Planned[]> {
  const done: Planned[] = [];
  for (const each of todo) {
    say(`${String(done.length)} of ${String(todo.length)}`);
    try {
      const receipt = await pushed(client, each, {});
      const isAsked = submit && receipt.state === 'draft';
      const state = isAsked ? await submitted(client, receipt) : receipt.state;
      const result = { ...each, ...receipt, outcome: each.outcome ?? receipt.outcome, state };
      done.push(result);
      if (!json) process.stdout.write(`${line(result)}\n`);
    } catch (error) {
      if (!(error instanceof CliFault)) throw error;
      const left = `${String(done.length)} of ${counted(todo.length, 'version')} were pushed. Push again to go on.`;
      throw new CliFault(error.exitCode, `${each.file}: ${error.message}\n${left}`);
    }
  }
  return done;
}

async function pushed(client: CatalogClient, { texts }: PushedFile, more: object): Promise<Receipt> {
  const answer = await client.request('POST', '/tools/specs', { ...texts, ...more });
  return understood(() => {
    const { id, toolVersion, state, outcome } = parsedAnswer(answer) as Receipt;
    if (!Object.hasOwn(spoken, outcome)) throw new TypeError(`No outcome: ${outcome}`);
    return { id, toolVersion, state, outcome };
  });
}

/** Asks for a review, and returns the state of the version then. */
async function submitted(client: CatalogClient, { id, toolVersion }: Receipt): Promise<string> {
  const path = `/tools/${encodeURIComponent(id)}/versions/${encodeURIComponent(toolVersion)}/submit`;
  return (parsedAnswer(await client.request('POST', path)) as Receipt).state;
}

function print(plan: readonly Planned[], options: PushOptions): void {
  const items = plan.map(({ texts: _, ...said }) => said);
  printAnswer(options, JSON.stringify({ items }, null, 2), () => [
    ...plan.map(line),
    `${summary(plan, options)}.`,
  ]);
}

function line({ file, tool, version, outcome, state, refused }: Planned): string {
  if (refused !== undefined) return `${file}: refused: ${refused}`;
  const [what, now] = [outcome === undefined ? '' : spoken[outcome], (state ?? '').replace('_', ' ')];
  return `${file}: ${tool} ${version}, ${what} (${now})`;
}

/** Says whose a new tool is: nobody can move it later, and without an environment it is everybody's. */
function summary(plan: readonly Planned[], { env }: Pick<PushOptions, 'env'>): string {
  const count = (outcome: Receipt['outcome']): number =>
    plan.filter((each) => each.outcome === outcome).length;
  const [tools, versions] = [count('new_tool'), count('new_tool') + count('new_version')];
  const parts = [
    `${counted(tools, 'new tool')}${tools === 0 ? '' : env === undefined ? ' of every environment' : ` of ${env}`}`,
    counted(versions, 'new version'),
    ...(count('rewritten') === 0 ? [] : [`${counted(count('rewritten'), 'draft')} written again`]),
    `${String(count('unchanged'))} already there`,
  ];
  return parts.join(', ');
}
