import { Command } from 'commander';
import { v7 } from 'uuid';
import { CatalogClient, connectionOptions, Refusal, type ConnectionOptions } from './catalog-client.js';
import { idOf, pathOf } from './named-record.js';
import {
  addOptions,
  bodyOptions,
  textOf,
  valuesOf,
  withConstants,
  yamlOf,
  type MemberOption,
  type Members,
} from './noun-options.js';
import { isNoun, nouns, type CliNoun, type Row } from './nouns.js';
import { CliFault, exitCodes, parsedAnswer } from './output.js';
import { printReceipt } from './receipt.js';
import type { Schema, ServiceDocument } from './service-document.js';

/** Options of a command of a noun: those of the connection, and one for each member. */
export type NounOptions = ConnectionOptions &
  Readonly<Record<string, unknown>> & { readonly ids?: boolean; readonly from?: string };

/** A noun, and what the service's document says of it. */
export interface Spoken {
  readonly noun: CliNoun;
  readonly document: ServiceDocument;
  /** Path of one: `/skills/{skillId}`. */
  readonly one: string;
}

/** Where `create` sends what, and what its argument is. */
interface Making {
  readonly argument: string | undefined;
  readonly method: 'POST' | 'PUT';
  readonly body: Schema;
  readonly summary: string;
}

function makingOf({ noun, document, one }: Spoken): Making | undefined {
  const { word, path, madeAt = path, called } = noun;
  const post = document.operation('post', `/${madeAt}`);
  if (post?.body !== undefined) {
    const argument =
      word === 'api-version' ? '<apiId@version>' : called === undefined ? undefined : `<${called}>`;
    return { argument, method: 'POST', body: post.body, summary: post.summary };
  }
  const put = document.operation('put', one);
  if (put?.body === undefined) return undefined;
  const argument = { agent: '<api-version>', 'public-entry': '<kind/record>' }[word];
  return { argument, method: 'PUT', body: put.body, summary: put.summary };
}

/** The command that makes one; undefined where the service has none. */
export function creating(spoken: Spoken): Command | undefined {
  const { noun, document } = spoken;
  const making = makingOf(spoken);
  if (making === undefined) return undefined;
  const { argument, method, body, summary } = making;
  const members = bodyOptions(document, body, noun).filter(({ path }) => path.join() !== noun.called);
  const command = new Command('create').description(lower(summary));
  if (argument !== undefined) command.argument(argument, argumentText(noun));
  addOptions(command, members, false);
  fromOption(command).option('--ids', 'print its id alone');
  return connectionOptions(command).action(async (...args: unknown[]) => {
    const [named, options] =
      argument === undefined ? ['', args[0] as NounOptions] : (args as [string, NounOptions]);
    const client = new CatalogClient(options);
    const sent = await bodyFor(spoken, client, { members, options, body });
    const path = await newPath(spoken, client, named, sent);
    if (method === 'PUT') await refuseExisting(client, path, noun);
    const answer = await client.request(method, path, sent);
    const label = named === '' ? noun.word : `${noun.word} ${named}`;
    printReceipt(options, answer, { label, done: 'made' });
  });
}

function argumentText({ word, called }: CliNoun): string {
  if (word === 'agent')
    return 'the version of an API of type agent, such as helper@1.0.0: its id is the agent’s';
  if (word === 'public-entry') return 'what shall be public, such as skill/refund or tool/getOrder';
  return word === 'api-version' ? 'the API and the version, such as orders@1.0.0' : `its ${called ?? 'name'}`;
}

/** The path that makes one; what the argument says is put into the body where it belongs there. */
async function newPath(
  { noun }: Spoken,
  client: CatalogClient,
  named: string,
  sent: Members,
): Promise<string> {
  const { word, path, called } = noun;
  if (word === 'agent') return `/${path}/${await idOf(client, nouns['api-version'], named)}`;
  if (word === 'api-version') {
    const [, api = '', version = ''] = /^(.+)@(.+)$/.exec(named) ?? [];
    if (api === '') throw new CliFault(exitCodes.usage, `"${named}" is no version: write <apiId>@<version>.`);
    sent['apiVersion'] = version;
    return `/apis/${encodeURIComponent(await idOf(client, nouns.api, api))}/versions`;
  }
  if (word === 'public-entry') {
    const [, kind = '', record = ''] = /^(agent|gateway|skill|tool)\/(.+)$/.exec(named) ?? [];
    if (!isNoun(kind))
      throw new CliFault(
        exitCodes.usage,
        `"${named}" is no record: write agent/, gateway/, skill/ or tool/ and its name.`,
      );
    sent['kind'] = kind;
    return `/${path}/${await idOf(client, nouns[kind], record)}`;
  }
  if (called === undefined) return `/${path}/${v7()}`;
  sent[called] = named;
  return `/${path}`;
}

/** PUT would write over it. */
async function refuseExisting(client: CatalogClient, path: string, { word }: CliNoun): Promise<void> {
  try {
    await client.request('GET', path);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return;
    throw error;
  }
  throw new CliFault(exitCodes.refused, `There is one already. Change it with: ${word} edit`);
}

/** The command that changes one. */
export function editing(spoken: Spoken): Command | undefined {
  const { noun, document, one } = spoken;
  const patch = document.operation('patch', one);
  const operation = patch ?? document.operation('put', one);
  const body = operation?.body;
  if (operation === undefined || body === undefined) return undefined;
  const members = bodyOptions(document, body, noun);
  const command = new Command('edit')
    .description(
      patch === undefined ? `change ${noun.word} settings; what is left out stays` : lower(operation.summary),
    )
    .argument(`<${noun.word}>`, 'its id or its name');
  addOptions(command, members, true);
  fromOption(command);
  return connectionOptions(command).action(async (named: string, options: NounOptions) => {
    const client = new CatalogClient(options);
    const changes = await bodyFor(spoken, client, { members, options, body });
    if (Object.keys(changes).length === 0)
      throw new CliFault(exitCodes.usage, 'Say what to change: --help lists the options.');
    const path = await pathOf(client, noun, named);
    const answer =
      patch !== undefined
        ? await client.request('PATCH', path, changes)
        : await putChanged(client, path, changes, body);
    printReceipt(options, answer, { label: `${noun.word} ${named}`, done: 'changed' });
  });
}

/** Writes a record anew with changes, unless it has changed meanwhile. */
async function putChanged(
  client: CatalogClient,
  path: string,
  changes: Members,
  { properties = {} }: Schema,
): Promise<string> {
  const current = parsedAnswer(await client.request('GET', path)) as Row;
  const kept = Object.keys(properties).filter((name) => current[name] !== undefined);
  const next: Members = Object.fromEntries(kept.map((name) => [name, current[name]]));
  for (const [name, value] of Object.entries(changes)) {
    const isPart = isMembers(value) && isMembers(next[name]);
    next[name] = isPart ? { ...(next[name] as Members), ...value } : value;
  }
  return client.request('PUT', path, next, Number(current['aggregateVersion']));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromOption(command: Command): Command {
  return command.option(
    '--from <file>',
    'members from a file in YAML or JSON (- is the input); options count more',
  );
}

/** What the file and the options say, together. */
async function bodyFor(
  { noun, document }: Spoken,
  client: CatalogClient,
  { members, options, body }: { members: readonly MemberOption[]; options: NounOptions; body: Schema },
): Promise<Members> {
  const read = options.from === undefined ? {} : yamlOf(options.from, await textOf(options.from));
  if (!isMembers(read)) throw new CliFault(exitCodes.usage, `${options.from ?? ''} holds no members.`);
  const values = withConstants(document, body, await valuesOf(client, members, options, noun));
  const both = Object.entries(values).map(([name, value]) => {
    const own = read[name];
    return [name, isMembers(own) && isMembers(value) ? { ...own, ...value } : value] as const;
  });
  return { ...read, ...Object.fromEntries(both) };
}

/** A summary within a list of commands. */
export function lower(summary: string): string {
  return /^[A-Z][a-z]/.test(summary) ? summary.charAt(0).toLowerCase() + summary.slice(1) : summary;
}
