/** The versions that wait, over all tools: looked through, evaluated and approved in one sitting. */
import { createHash } from 'node:crypto';
import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import {
  counted,
  exampleHelp,
  oneLine,
  parsedAnswer,
  printAnswer,
  printNext,
  program,
  table,
  understood,
  withProgress,
} from './output.js';
import { reportLines, type Report } from './registry-review.js';
import { refuseMoved, refuseShort, shortDigest } from './registry-steps.js';

interface DeskOptions extends ConnectionOptions {
  readonly api?: string;
  readonly tool?: string;
  readonly digest?: string;
  readonly override?: string;
  readonly acceptsFindings?: boolean;
}

interface Waiting {
  readonly toolId: string;
  readonly name: string;
  readonly toolVersion: string;
  readonly digest: string;
  readonly grade: string;
  readonly authors: readonly string[];
  readonly evaluated: boolean | null;
  readonly missing: readonly string[];
  readonly lint: readonly object[];
  readonly reach: { readonly skills: number; readonly agents: number };
}

const examples = exampleHelp(
  'registry desk',
  'registry desk --api shop',
  'registry desk evaluate',
  'registry desk read',
  'registry desk approve --digest 5f1c09ab23de',
);

export function deskCommand(): Command {
  const command = onDesk('desk', 'look through the versions that wait for a review, over all tools', listed);
  command.addCommand(
    onDesk('evaluate', 'evaluate those whose evaluation is missing or of before', evaluated),
  );
  command.addCommand(onDesk('read', 'show what a review of each of them rests on', read));
  command.addCommand(
    onDesk('approve', 'approve all of them, as they were read, or none', approved)
      .requiredOption('--digest <digest>', 'of all that you have read, as registry desk read shows it')
      .option('--override <reason>', 'although some are your own, or have not passed, and why')
      .option('--accepts-findings', 'changes are wanted which a number was not raised for'),
  );
  return command.addHelpText('after', examples);
}

function onDesk(
  name: string,
  description: string,
  act: (client: CatalogClient, options: DeskOptions) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(`${description} (asks the service)`)
    .option('--api <apiId>', 'of tools of this API alone')
    .option('--tool <name>', 'of tools of this name alone');
  return connectionOptions(command).action(async (_given: unknown, made: Command) => {
    const options: DeskOptions = made.optsWithGlobals();
    await act(new CatalogClient(options), options);
  });
}

async function waitingOf(client: CatalogClient, { api, tool }: DeskOptions): Promise<readonly Waiting[]> {
  const found: Waiting[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams();
    if (api !== undefined) query.set('apiId', api);
    if (tool !== undefined) query.set('name', tool);
    if (cursor !== '') query.set('cursor', cursor);
    const page = parsedAnswer(await client.request('GET', `/tool-versions?${query.toString()}`)) as {
      readonly items: readonly Waiting[];
      readonly nextCursor?: string;
    };
    found.push(...understood(() => [...page.items]));
    cursor = page.nextCursor;
  }
  return found;
}

/** Of all that is on the desk: whoever approves names it, so that what was read is what is approved. */
export function digestOf(waiting: readonly Pick<Waiting, 'toolId' | 'toolVersion' | 'digest'>[]): string {
  const lines = waiting.map(({ toolId, toolVersion, digest }) => `${toolId} ${toolVersion} ${digest}`);
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

const lacksEvaluation = ({ missing }: Pick<Waiting, 'missing'>): boolean =>
  missing.some((what) => /has not been evaluated|evaluate it anew|since it was evaluated/.test(what));

function stepOf(step: string, { api, tool }: DeskOptions, more = ''): string {
  const which = `${api === undefined ? '' : ` --api ${api}`}${tool === undefined ? '' : ` --tool ${tool}`}`;
  return `${program} registry desk ${step}${which}${more}`;
}

async function listed(client: CatalogClient, options: DeskOptions): Promise<void> {
  const waiting = await waitingOf(client, options);
  const answer = { items: waiting, digest: digestOf(waiting) };
  printAnswer(options, JSON.stringify(answer, null, 2), () => [
    ...table(waiting.map(rowOf)),
    `${counted(waiting.length, 'version')} ${waiting.length === 1 ? 'waits' : 'wait'} for a review`,
  ]);
  if (waiting.length > 0)
    printNext(options, stepOf(waiting.some(lacksEvaluation) ? 'evaluate' : 'read', options));
}

function rowOf({ name, toolVersion, grade, authors, evaluated: passed, reach, missing }: Waiting) {
  return {
    ...{ tool: name, version: toolVersion, change: grade, by: authors.join(' and ') },
    evaluation: passed === null ? 'none' : passed ? 'passed' : 'not passed',
    reaches: `${counted(reach.skills, 'skill')}, ${counted(reach.agents, 'agent')}`,
    missing: oneLine(missing.join('; '), 80),
  };
}

/** One after the other: a host evaluates one version at a time. */
async function evaluated(client: CatalogClient, options: DeskOptions): Promise<void> {
  const waiting = (await waitingOf(client, options)).filter(lacksEvaluation);
  const done: Record<string, unknown>[] = [];
  for (const { toolId, name, toolVersion } of waiting) {
    const path = `/tools/${toolId}/versions/${encodeURIComponent(toolVersion)}/evaluate`;
    const answer = await withProgress(`Asking with ${name} ${toolVersion}`, () =>
      client.request('POST', path, {}),
    );
    const { evaluation } = parsedAnswer(answer) as { readonly evaluation: { readonly passed: boolean } };
    done.push({ tool: name, version: toolVersion, evaluation: evaluation.passed ? 'passed' : 'not passed' });
  }
  printAnswer(options, JSON.stringify({ items: done }, null, 2), () => [
    ...table(done),
    `${counted(done.length, 'version')} evaluated`,
  ]);
  printNext(options, stepOf('read', options));
}

async function read(client: CatalogClient, options: DeskOptions): Promise<void> {
  const waiting = await waitingOf(client, options);
  const reports: Report[] = [];
  for (const { toolId, toolVersion } of waiting) {
    const path = `/tools/${toolId}/versions/${encodeURIComponent(toolVersion)}/report`;
    reports.push(parsedAnswer(await client.request('GET', path)) as Report);
  }
  const digest = digestOf(reports);
  printAnswer(options, JSON.stringify({ items: reports, digest }, null, 2), () => [
    ...reports.flatMap((report) => [...reportLines(report), '']),
    `digest of all: ${digest}`,
  ]);
  const isReady = waiting.every(({ missing, lint }) => missing.length === 0 && lint.length === 0);
  const more = ` --digest ${shortDigest(digest)}${isReady ? '' : ' --override <reason>'}`;
  if (waiting.length > 0) printNext(options, stepOf('approve', options, more));
}

async function approved(client: CatalogClient, options: DeskOptions): Promise<void> {
  const { digest: begin = '', override, acceptsFindings } = options;
  refuseShort(begin);
  const waiting = await waitingOf(client, options);
  const digest = digestOf(waiting);
  refuseMoved(digest, begin, { said: 'Something else waits by now', reading: stepOf('read', options) });
  const versions = waiting.map((each) => ({
    ...{ toolId: each.toolId, version: each.toolVersion, digest: each.digest },
  }));
  const terms = {
    ...(override !== undefined && { override: { reason: override } }),
    ...(acceptsFindings === true && { acceptsFindings }),
  };
  const items: object[] = [];
  for (let start = 0; start < versions.length; start += AT_ONCE) {
    const body = { versions: versions.slice(start, start + AT_ONCE), ...terms };
    const receipts = parsedAnswer(await client.request('POST', '/tool-versions/approve', body)) as {
      readonly items: readonly object[];
    };
    items.push(...understood(() => [...receipts.items]));
  }
  printAnswer(options, JSON.stringify({ items }, null, 2), () => [
    ...waiting.map(({ name, toolVersion }) => `${name} ${toolVersion}: approved`),
    `${counted(waiting.length, 'version')} approved; agents are given ${waiting.length === 1 ? 'it' : 'them'} from now on`,
  ]);
}

/** Versions that the service approves at once: all of them, or none. */
const AT_ONCE = 100;
