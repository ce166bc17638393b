import { Command } from 'commander';
import { CatalogClient, connectionOptions } from './catalog-client.js';
import { pathOf } from './named-record.js';
import { addOptions, bodyOptions, valuesOf } from './noun-options.js';
import { lower, type NounOptions, type Spoken } from './noun-writes.js';
import type { CliNoun } from './nouns.js';
import { printReceipt } from './receipt.js';

/** What is done with a record by a request without a body: the word for it, and what it is after. */
const known: Readonly<
  Record<string, { readonly verb: string; readonly about: string; readonly done: string }>
> = {
  activate: { verb: 'enable', about: 'switch it on again', done: 'on' },
  deactivate: { verb: 'disable', about: 'switch it off; all that hangs on it stays', done: 'off' },
};

/** The command for a request without a body: `enable`, `disable`, `publish`. */
export function stepping({ noun, document, one }: Spoken, step: string): Command {
  const { verb, about } = known[step] ?? { verb: step, about: `${step} it` };
  const command = new Command(verb).description(about).argument(`<${noun.word}>`, 'its id or its name');
  const mayAsk = step === 'deactivate' && document.operation('get', `${one}/impact`) !== undefined;
  if (mayAsk) command.option('--dry-run', 'print what it would affect, and do nothing');
  return connectionOptions(command).action((named: string, options: NounOptions) =>
    takeStep({ noun, step }, named, options),
  );
}

/** Carries out such a request. */
export async function takeStep(
  { noun, step }: { readonly noun: CliNoun; readonly step: string },
  named: string,
  options: NounOptions,
): Promise<void> {
  const client = new CatalogClient(options);
  const path = await pathOf(client, noun, named, step !== 'activate');
  const label = `${noun.word} ${named}`;
  if (options['dryRun'] === true) {
    printReceipt(options, await client.request('GET', `${path}/impact`), { label, done: 'would be off' });
    return;
  }
  const answer = await client.request('POST', `${path}/${step}`);
  printReceipt(options, answer, { label, done: known[step]?.done ?? `${step.replace(/e$/, '')}ed` });
}

/** The command that removes one; undefined where nothing is removed. */
export function removing({ noun, document, one }: Spoken): Command | undefined {
  const operation = document.operation('delete', one);
  if (operation === undefined) return undefined;
  const command = new Command('remove')
    .description(lower(operation.summary))
    .argument(`<${noun.word}>`, 'its id or its name');
  return connectionOptions(command).action(async (named: string, options: NounOptions) => {
    const client = new CatalogClient(options);
    const answer = await client.request('DELETE', await pathOf(client, noun, named));
    printReceipt(options, answer, { label: `${noun.word} ${named}`, done: 'removed' });
  });
}

/** The command that says which categories and tags a record has. */
export function classifying({ noun, document, one }: Spoken): Command | undefined {
  const operation = document.operation('put', `${one}/taxonomy`);
  if (operation?.body === undefined) return undefined;
  const members = bodyOptions(document, operation.body, noun);
  const command = new Command('classify')
    .description('say which categories and tags it has: these, and no others')
    .argument(`<${noun.word}>`, 'its id or its name');
  addOptions(command, members, true);
  return connectionOptions(command).action(async (named: string, options: NounOptions) => {
    const client = new CatalogClient(options);
    const body = await valuesOf(client, members, options, noun);
    const answer = await client.request('PUT', `${await pathOf(client, noun, named)}/taxonomy`, body);
    printReceipt(options, answer, { label: `${noun.word} ${named}`, done: 'classified' });
  });
}
