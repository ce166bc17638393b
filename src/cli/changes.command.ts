import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf, pathOf } from './named-record.js';
import { nouns, type Row } from './nouns.js';
import {
  CliFault,
  exampleHelp,
  exitCodes,
  oneLine,
  parsedAnswer,
  printAnswer,
  understood,
} from './output.js';
import { printReceipt } from './receipt.js';
import { shortDigest } from './registry-steps.js';
import { waitingVersions, type WaitingTool } from './registry-waiting.js';

interface AcceptOptions extends ConnectionOptions {
  readonly endpoint?: boolean;
  readonly override?: string;
  readonly digest?: string;
}
interface SettleOptions extends ConnectionOptions {
  readonly field: string;
  readonly take?: string;
}
interface Conflict {
  readonly field: string;
  readonly kept: unknown;
  readonly offered: unknown;
  readonly layer: string | null;
}

/** Endpoints whose conflicts are read one by one. */
const MAX_READ = 50;

const overview = `
A document that is imported anew may change what a tool means, and may offer what an operator has said otherwise. Such a change
waits here until somebody accepts it; an offer, until somebody takes it or turns it down.

Examples:
    $ portal-catalog changes list
    $ portal-catalog changes accept getAccounts
    $ portal-catalog changes dismiss accounts/getAccounts --field description
    $ portal-catalog changes settle accounts/getAccounts --field description --take source`;

/** What waits for an operator: `changes`. */
export function changesCommand(): Command {
  const command = new Command('changes')
    .description('changes of documents that wait: list, accept, dismiss')
    .addHelpText('after', overview);
  for (const inner of [listing(), accepting(), dismissing(), settling()]) command.addCommand(inner);
  return command;
}

function listing(): Command {
  const command = new Command('list')
    .description('list tools and endpoints that have changed, and conflicts')
    .addHelpText('after', exampleHelp('changes list', 'changes list --json'));
  return connectionOptions(command).action(async (options: ConnectionOptions) => {
    const client = new CatalogClient(options);
    const rows = async (path: string): Promise<readonly Row[]> => {
      const answer = parsedAnswer(await client.request('GET', `${path}&limit=500`));
      return (answer as { readonly items: readonly Row[] }).items;
    };
    const tools = await rows('/tools?changed=true');
    const endpoints = await rows('/endpoints?changed=true');
    const conflicts = await conflictsOf(client, await rows('/endpoints?conflict=true'));
    const waiting = await waitingVersions(client, tools as unknown as readonly WaitingTool[]);
    printAnswer(options, JSON.stringify({ tools, endpoints, conflicts, waiting }), () => {
      const lines = [
        ...tools.map(
          (row) => `changed   tool ${nouns.tool.names(row).at(-1) ?? ''}  ${String(row['version'])}`,
        ),
        ...waiting.map(
          ({ tool, version, digest, next }) =>
            `waits     tool ${tool}  ${version}  digest ${shortDigest(digest)}  next: ${next}`,
        ),
        ...endpoints.map((row) => `changed   endpoint ${nouns.endpoint.names(row).at(-1) ?? ''}`),
        ...conflicts.map(
          ({ name, field, kept, offered, layer }) =>
            `conflict  endpoint ${name}  ${field}: ${oneLine(kept)} is kept, ${oneLine(offered)} is offered by ${layer ?? 'nobody'}`,
        ),
      ];
      return lines.length === 0 ? ['Nothing waits.'] : lines;
    });
  });
}

async function conflictsOf(
  client: CatalogClient,
  rows: readonly Row[],
): Promise<(Conflict & { readonly endpointId: string; readonly name: string })[]> {
  const found = [];
  for (const row of rows.slice(0, MAX_READ)) {
    const endpointId = String(row['endpointId']);
    const { conflicts = [] } = await endpointAt(client, `/endpoints/${endpointId}`);
    const name = nouns.endpoint.names(row).at(-1) ?? '';
    found.push(...conflicts.map((conflict) => ({ endpointId, name, ...conflict })));
  }
  if (rows.length > MAX_READ)
    process.stderr.write(`Conflicts of ${String(rows.length - MAX_READ)} more endpoints are not shown.\n`);
  return found;
}

interface Endpoint {
  readonly conflicts?: readonly Conflict[];
  readonly provenance?: Readonly<Record<string, string>>;
}

async function endpointAt(client: CatalogClient, path: string): Promise<Endpoint> {
  return parsedAnswer(await client.request('GET', path)) as Endpoint;
}

function accepting(): Command {
  const command = new Command('accept')
    .description('accept what has changed of tools, with their endpoints; one after the other')
    .argument('<name...>', 'ids or names of tools')
    .option('--endpoint', 'they are endpoints: what marks their tools stays')
    .option(
      '--digest <digest>',
      'of the version that waits and is approved with it, as its report shows it; at least its first 8 characters',
    )
    .option('--override <reason>', 'approve a version that has not passed its evaluation, and why')
    .addHelpText('after', acceptHelp);
  return connectionOptions(command).action(async (named: string[], options: AcceptOptions) => {
    const { digest: begin, override, endpoint } = options;
    if (begin !== undefined && (endpoint || named.length > 1 || !/^[0-9a-f]{8,64}$/.test(begin)))
      throw new CliFault(exitCodes.usage, noDigest);
    const client = new CatalogClient(options);
    const noun = endpoint ? nouns.endpoint : nouns.tool;
    const ids: string[] = [];
    for (const each of named) ids.push(await idOf(client, noun, each));
    const digest = begin === undefined ? undefined : await waitingDigest(client, ids[0] ?? '', begin);
    const said = {
      ...(digest && { digest }),
      ...(override !== undefined && { override: { reason: override } }),
    };
    const body = Object.keys(said).length === 0 ? undefined : said;
    for (const [at, id] of ids.entries()) {
      const answer = await client.request('POST', `/${noun.path}/${id}/changes/accept`, body);
      printReceipt(options, answer, { label: `${noun.word} ${named[at] ?? ''}`, done: 'accepted' });
    }
  });
}

const acceptHelp = exampleHelp(
  'changes accept getAccounts',
  'changes accept getAccounts --digest 5f1c09ab23de',
  'changes accept --endpoint accounts/getAccounts',
);

const noDigest =
  '--digest takes at least the first 8 characters of the digest of one version (0-9, a-f), and goes with the name of one tool.';

/** The whole digest of the version in review whose digest begins so. Throws CliFault where none waits that has been read. */
async function waitingDigest(client: CatalogClient, toolId: string, begin: string): Promise<string> {
  const path = `/tools/${toolId}/versions`;
  const { items } = parsedAnswer(await client.request('GET', path)) as { readonly items: readonly Row[] };
  const waiting = understood(() => items.filter(({ state }) => state === 'in_review'));
  const digest = waiting.map((row) => String(row['digest'])).find((each) => each.startsWith(begin));
  if (digest !== undefined) return digest;
  const reports = waiting.map(({ version }) => `GET …${path}/${String(version)}/report`);
  const where =
    reports.length === 0 ? 'No version of it waits for a review.' : `Read what waits: ${reports.join(', ')}.`;
  throw new CliFault(
    exitCodes.refused,
    `No version that waits has a digest that begins with ${begin}. ${where}`,
  );
}

function dismissing(): Command {
  const command = new Command('dismiss')
    .description('turn an offer down: what is in force stays, until it or the offer changes')
    .argument('<endpoint>', 'its id or its name')
    .requiredOption('--field <name>', 'field of the conflict, as changes list shows it')
    .addHelpText('after', exampleHelp('changes dismiss accounts/getAccounts --field description'));
  return connectionOptions(command).action(async (named: string, options: SettleOptions) => {
    const client = new CatalogClient(options);
    const path = await pathOf(client, nouns.endpoint, named);
    const { provenance = {}, conflicts = [] } = await endpointAt(client, path);
    const take = provenance[options.field];
    if (take === undefined || !conflicts.some(({ field }) => field === options.field)) {
      const fields = conflicts.map(({ field }) => field).join(', ') || 'none';
      throw new CliFault(
        exitCodes.refused,
        `There is no conflict of ${options.field}. Fields with one: ${fields}.`,
      );
    }
    await settle(client, { path, named, take }, options);
  });
}

function settling(): Command {
  const command = new Command('settle')
    .description('take what a layer offers, or keep the operator’s')
    .argument('<endpoint>', 'its id or its name')
    .requiredOption('--field <name>', 'field of the conflict, as changes list shows it')
    .requiredOption('--take <layer>', 'operator, lightapi_endpoint, lightapi_api, source or gateway')
    .addHelpText(
      'after',
      exampleHelp('changes settle accounts/getAccounts --field description --take source'),
    );
  return connectionOptions(command).action(async (named: string, options: SettleOptions) => {
    const client = new CatalogClient(options);
    const path = await pathOf(client, nouns.endpoint, named);
    await settle(client, { path, named, take: options.take ?? '' }, options);
  });
}

async function settle(
  client: CatalogClient,
  { path, named, take }: { readonly path: string; readonly named: string; readonly take: string },
  options: SettleOptions,
): Promise<void> {
  const answer = await client.request('POST', `${path}/conflicts/settle`, { field: options.field, take });
  printReceipt(options, answer, { label: `endpoint ${named}`, done: `${options.field} is settled: ${take}` });
}
