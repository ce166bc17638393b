import { Argument, Command } from 'commander';
import { connectionOptions } from './catalog-client.js';
import { takeStep } from './noun-steps.js';
import type { NounOptions } from './noun-writes.js';
import { isNoun, nouns, type NounWord } from './nouns.js';
import { exampleHelp } from './output.js';
import { ServiceDocument } from './service-document.js';

/** Switches a record off: `disable skill refunds` is `skill disable refunds`. */
export function disableCommand(): Command {
  return switching('disable', 'deactivate', 'switch a record off; all that hangs on it stays').option(
    '--dry-run',
    'print what it would affect, and do nothing',
  );
}

/** Switches it on again. */
export function enableCommand(): Command {
  return switching('enable', 'activate', 'switch a record on again');
}

function switching(verb: string, step: string, description: string): Command {
  const document = ServiceDocument.ofPackage();
  const kinds = (Object.keys(nouns) as NounWord[]).filter((word) =>
    document.stepsBelow(`/${nouns[word].path}/{${nouns[word].id}}`).includes(step),
  );
  const command = new Command(verb)
    .description(description)
    .addArgument(new Argument('<kind>', 'what it is').choices(kinds))
    .argument('<name>', 'its id or its name; of a version <apiId>@<version>')
    .addHelpText(
      'after',
      exampleHelp(`${verb} agent account-agent`, `${verb} api-version orders@1.0.0`, `${verb} api orders`),
    );
  return connectionOptions(command).action(async (kind: string, named: string, options: NounOptions) => {
    if (isNoun(kind)) await takeStep({ noun: nouns[kind], step }, named, options);
  });
}
