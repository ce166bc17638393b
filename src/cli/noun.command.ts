import { Command } from 'commander';
import { CatalogClient, connectionOptions } from './catalog-client.js';
import { pathOf } from './named-record.js';
import { addOptions, queryOptions, valuesOf } from './noun-options.js';
import { classifying, removing, stepping } from './noun-steps.js';
import { creating, editing, lower, type NounOptions, type Spoken } from './noun-writes.js';
import { nouns, type CliNoun, type NounWord, type Row } from './nouns.js';
import { asYaml, exampleHelp, parsedAnswer, printAnswer, table } from './output.js';
import { ServiceDocument } from './service-document.js';

/** A command for the records of a noun: what can be done with them follows from the service's document. */
export function nounCommand(word: NounWord): Command {
  const command = new Command(word).description(aboutOf(word));
  return addNoun(command, word).addHelpText('after', () =>
    exampleHelp(`${word} list`, `${word} show <name>`, `${word} edit --help`),
  );
}

export function aboutOf(word: NounWord): string {
  const plural = nouns[word].path
    .replaceAll('-', ' ')
    .replace(/^apis$/, 'APIs')
    .replace(/^api v/, 'API v');
  return `${plural}: list, show, create, edit, switch on and off`;
}

/** Adds what can be done with the records of a noun to its command, but what it has already. */
export function addNoun(command: Command, word: NounWord): Command {
  const noun: CliNoun = nouns[word];
  const spoken = { noun, document: ServiceDocument.ofPackage(), one: `/${noun.path}/{${noun.id}}` };
  const made = [listing(spoken), showing(spoken), creating(spoken), editing(spoken), ...others(spoken)];
  for (const each of made) {
    if (each !== undefined && !command.commands.some((had) => had.name() === each.name()))
      command.addCommand(each);
  }
  return command;
}

function listing({ noun, document }: Spoken): Command | undefined {
  const { word, path, id, columns } = noun;
  const operation = document.operation('get', `/${path}`);
  if (operation === undefined) return undefined;
  const members = queryOptions(operation.query, noun);
  const command = new Command('list').description(lower(operation.summary));
  addOptions(command, members, false);
  command.option('--all', 'also inactive ones').option('--ids', 'print their ids alone');
  command.addHelpText('after', exampleHelp(`${word} list`, `${word} list --all --json`));
  return connectionOptions(command).action(async (options: NounOptions) => {
    const client = new CatalogClient(options);
    const given = await valuesOf(client, members, options, noun);
    const whole = { limit: 500, ...(options['all'] === true && { active: 'all' }), ...given };
    const answer = await client.request('GET', `/${path}${queryOf(whole)}`);
    const { nextCursor } = parsedAnswer(answer) as { readonly nextCursor?: string };
    printAnswer(options, answer, (text) => {
      const { items } = parsedAnswer(text) as { readonly items: readonly Row[] };
      if (options.ids) return items.map((row) => String(row[id]));
      if (items.length === 0) return [`There is no ${word} here that the token covers.`];
      return table(items.map((row) => shown(row, columns)));
    });
    if (nextCursor !== undefined) process.stderr.write(`There are more: --cursor ${nextCursor}\n`);
  });
}

function queryOf(values: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function shown(row: Row, columns: readonly string[]): Row {
  const cells = columns.map((name) => [name, cellOf(row[name])] as const);
  return { ...Object.fromEntries(cells), ...(row['active'] === false && { active: false }) };
}

function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const each: readonly unknown[] = value;
  return each.every((one) => typeof one === 'string') ? each.join(', ') : each;
}

function showing({ noun, document, one }: Spoken): Command | undefined {
  const operation = document.operation('get', one);
  if (operation === undefined) return undefined;
  const members = queryOptions(operation.query, noun);
  const command = new Command('show')
    .description(lower(operation.summary))
    .argument(`<${noun.word}>`, 'its id or its name')
    .option('--ids', 'print its id alone');
  addOptions(command, members, false);
  command.addHelpText('after', exampleHelp(`${noun.word} show <name>`, `${noun.word} show <name> --json`));
  return connectionOptions(command).action(async (named: string, options: NounOptions) => {
    const client = new CatalogClient(options);
    const query = queryOf(await valuesOf(client, members, options, noun));
    const answer = await client.request('GET', `${await pathOf(client, noun, named)}${query}`);
    printAnswer(options, answer, (text) => {
      const record = parsedAnswer(text) as Row;
      return options.ids ? [String(record[noun.id])] : asYaml(record).split('\n');
    });
  });
}

/** What hangs on a record, steps without a body, what it is classified as, and removal. */
function others(spoken: Spoken): (Command | undefined)[] {
  const { noun, document, one } = spoken;
  const steps = document.stepsBelow(one).map((step) => stepping(spoken, step));
  const lists = document.listsBelow(one).map((sub) => listingBelow(noun, sub));
  return [...lists, ...steps, classifying(spoken), removing(spoken)];
}

/** Members that every record has. */
const common = ['aggregateVersion', 'position', 'updateTs', 'updateUser', 'active'];

/** What hangs on a record, such as the skills of an agent. */
function listingBelow(noun: CliNoun, { step, summary }: { step: string; summary: string }): Command {
  const command = new Command(step)
    .description(lower(summary))
    .argument(`<${noun.word}>`, 'its id or its name')
    .option('--all', 'also inactive ones');
  return connectionOptions(command).action(async (named: string, options: NounOptions) => {
    const client = new CatalogClient(options);
    const query = options['all'] === true ? { limit: 500, active: 'all' } : { limit: 500 };
    const path = `${await pathOf(client, noun, named)}/${step}${queryOf(query)}`;
    const answer = await client.request('GET', path);
    printAnswer(options, answer, (text) => {
      const { items } = parsedAnswer(text) as { readonly items: readonly Row[] };
      if (items.length === 0) return [`${noun.word} ${named} has no ${step}.`];
      return table(items.map(plainMembers));
    });
  });
}

/** Members of one value that differ from record to record, ids of the record itself aside. */
function plainMembers(row: Row): Row {
  const plain = Object.entries(row).filter(
    ([name, value]) => !common.includes(name) && (typeof value !== 'object' || value === null),
  );
  return { ...Object.fromEntries(plain.slice(0, 8)), ...(row['active'] === false && { active: false }) };
}
