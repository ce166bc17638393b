import { readFile, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { type CodeDocument, readFolder, writeFolder } from './code-folder.js';
import { CliFault, exampleHelp, exitCodes, parsedAnswer, printAnswer, withProgress } from './output.js';

interface PlanOptions extends ConnectionOptions {
  readonly owner: string;
  readonly adopt?: boolean;
  readonly prune?: boolean;
  readonly maxDeletions: string;
  readonly out?: string;
}

interface Plan {
  readonly plan: { readonly actions: readonly object[]; readonly refused: readonly object[] };
  readonly text: string;
}

/** Exit code of a plan that would do something, as of other programs that plan. */
const changes = 2;

const help = `
A folder of documents: one YAML file for each record, with kind, key and spec, and a folder with SKILL.md for each skill. What a
document leaves out is nobody's business and stays. Fields that a repository applied are its own; what others have written since is
not overwritten, unless --adopt says so. Needs catalog:admin.

A plan ends with exit code 0 where there is nothing to do, with 2 where there is, and with 1 where something is refused.
${exampleHelp('code export catalog', 'code plan catalog --owner repo:support --out plan.json', 'code apply plan.json')}`;

export function codeCommand(): Command {
  const command = new Command('code')
    .description(
      'the catalog as a folder of documents: export it, plan what a folder changes, apply the plan',
    )
    .addHelpText('after', help);
  for (const inner of [exporting(), planning(), applying()]) command.addCommand(inner);
  return command;
}

function exporting(): Command {
  const command = new Command('export')
    .description('write the catalog into a folder of documents')
    .argument('<folder>', 'folder to write into; files that say the same stay as they are');
  return connectionOptions(command).action(async (folder: string, options: ConnectionOptions) => {
    const client = new CatalogClient(options);
    const answer = await withProgress('Reading the catalog', () => client.request('GET', '/code/documents'));
    const { documents } = parsedAnswer(answer) as { readonly documents: readonly CodeDocument[] };
    const { written, others } = await writeFolder(folder, documents);
    printAnswer(options, answer, () => [
      `${String(documents.length)} documents in ${folder}, ${String(written)} files written`,
      ...others.map((path) => `  ${path} is not of this catalog: remove it where the record is gone`),
    ]);
  });
}

function planning(): Command {
  const command = new Command('plan')
    .description('say what a folder of documents would change; nothing is written')
    .argument('<folder>', 'folder of documents')
    .requiredOption('--owner <repo:name>', 'whose the documents are')
    .option('--adopt', 'take over fields that operators or another repository have')
    .option('--prune', 'take out of use what this owner has applied and no document names any more')
    .addOption(new Option('--max-deletions <n>', 'most records that --prune takes out of use').default('10'))
    .option('--out <file>', 'file for the plan, to apply it later');
  return connectionOptions(command).action(async (folder: string, options: PlanOptions) => {
    const client = new CatalogClient(options);
    const { owner, adopt = false, prune = false } = options;
    const documents = await readFolder(folder);
    const wanted = { owner, documents, adopt, prune, maxDeletions: wholeNumber(options.maxDeletions) };
    const answer = await withProgress('Planning', () => client.request('POST', '/code/plans', wanted));
    const { plan, text } = parsedAnswer(answer) as Plan;
    if (options.out !== undefined) await written(options.out, answer);
    printAnswer(options, answer, () => text.trimEnd().split('\n'));
    if (plan.refused.length > 0) process.exitCode = exitCodes.failed;
    else if (plan.actions.length > 0) process.exitCode = changes;
  });
}

function applying(): Command {
  const command = new Command('apply')
    .description('carry out a plan: all of it or nothing, and exactly what it says')
    .argument('<plan>', 'file that code plan --out has written');
  return connectionOptions(command).action(async (file: string, options: ConnectionOptions) => {
    const client = new CatalogClient(options);
    const plan: unknown = await planIn(file);
    const answer = await withProgress('Applying', () => client.request('POST', '/code/plans/apply', plan));
    printAnswer(options, answer, (text) => {
      const { created, changed, removed, position } = parsedAnswer(text) as Record<string, number>;
      return [
        `${String(created)} created, ${String(changed)} changed, ${String(removed)} taken out of use; the log is at ${String(position)}`,
      ];
    });
  });
}

function wholeNumber(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new CliFault(exitCodes.usage, `--max-deletions ${text} is no whole number from 0 to 10000.`);
}

async function written(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw new CliFault(exitCodes.usage, `${file} can't be written: ${(error as Error).message}`);
  });
}

async function planIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CliFault(exitCodes.usage, `${file} holds no plan: ${(error as Error).message}`);
  }
}
