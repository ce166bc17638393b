import { type Command, Option } from 'commander';
import { consolidate, newestOf } from '../registry/shared.js';
import { CatalogClient, type ConnectionOptions } from './catalog-client.js';
import {
  CliFault,
  exampleHelp,
  exitCodes,
  oneLine,
  parsedAnswer,
  printAnswer,
  understood,
} from './output.js';
import { faultLine, folderCommand, registryOf } from './registry-folder.js';

interface ConsolidateOptions extends Partial<ConnectionOptions> {
  readonly tools?: readonly string[];
  readonly name?: string;
  readonly evaluation?: string;
}

/** As the service answers it. */
interface Consolidated {
  readonly proposals: readonly {
    readonly tools: readonly string[];
    readonly reasons: readonly string[];
    readonly specText: string;
    readonly notes: readonly string[];
    readonly findings: readonly { readonly pointer: string; readonly reason: string }[];
  }[];
  readonly omitted: readonly { readonly tool: string; readonly reason: string }[];
}

const examples = `
Without --url it reads the folder; with it, it asks the service for the tools of the host, and answers the same way.
${exampleHelp(
  'registry consolidate',
  'registry consolidate . --tools get_issue list_issues --name get_gitlab_issue > draft.yaml',
  'registry consolidate --url https://catalog.example.com --evaluation 0192f0c4-…',
)}`;

export function consolidateCommand(): Command {
  return folderCommand('consolidate', 'propose one tool where several read the same, as drafts to edit')
    .option('--tools <name...>', 'these, as one; what changes something is left out')
    .option('--name <name>', 'with --tools: name of the new tool')
    .option('--url <address>', 'ask this service, for the tools of its host in place of the folder’s')
    .addOption(new Option('--token <jwt>', 'with --url: bearer token').env('PORTAL_TOKEN'))
    .option('--host <hostId>', 'with --url: host to ask (default: the token’s)')
    .option(
      '--evaluation <id>',
      'with --url: a run whose confusions say which tools are taken for each other',
    )
    .addHelpText('after', examples)
    .action(async (folder: string, options: ConsolidateOptions, command: Command) => {
      const { json, url } = options;
      if (url === undefined) refuseWithout(options);
      else if (command.args.length > 0)
        throw new CliFault(exitCodes.usage, 'Name a folder or a service (--url), not both.');
      const answer =
        url === undefined ? await ofFolder(folder, options) : await ofService({ ...options, url });
      // A comment each, so that the whole is YAML.
      printAnswer({ json }, answer, lines);
      const { omitted } = understood(() => parsedAnswer(answer) as Consolidated);
      for (const { tool, reason } of omitted)
        process.stderr.write(`left out ${oneLine(tool)}: ${oneLine(reason, 300)}\n`);
    });
}

function refuseWithout(options: ConsolidateOptions): void {
  // A token may stand in the environment for other commands.
  for (const name of ['host', 'evaluation'] as const)
    if (options[name] !== undefined)
      throw new CliFault(exitCodes.usage, `--${name} needs a service: name it with --url.`);
}

async function ofFolder(folder: string, options: ConsolidateOptions): Promise<string> {
  const { specs, faults } = await registryOf(folder);
  const newest = newestOf(specs).map(({ spec }) => spec);
  const unknown = options.tools?.find((name) => !newest.some((spec) => spec.name === name));
  if (unknown !== undefined)
    throw new CliFault(exitCodes.usage, `${folder} has no readable spec of ${unknown}.`);
  for (const fault of faults) process.stderr.write(`${faultLine(fault)}\n`);
  const { proposals, omitted } = consolidate(newest, options);
  const said = proposals.map(({ tools, reasons, text, notes, findings }) => ({
    ...{ tools, reasons, specText: text, notes, findings },
  }));
  return JSON.stringify({ proposals: said, omitted, faults }, null, 2);
}

function ofService({ tools, name, evaluation, ...options }: ConsolidateOptions & { readonly url: string }) {
  const client = new CatalogClient(options);
  return client.request('POST', '/tools/consolidate', { tools, name, evaluationId: evaluation });
}

function lines(answer: string): readonly string[] {
  const { proposals } = parsedAnswer(answer) as Consolidated;
  if (proposals.length === 0) return ['# No two tools read the same.'];
  return proposals.flatMap(({ tools, reasons, notes, findings, specText }, place) => [
    ...(place > 0 ? ['---'] : []),
    `# In place of ${tools.join(', ')}`,
    ...[...reasons, ...notes, ...findings.map(({ pointer, reason }) => `${pointer}: ${reason}`)].map(
      (line) => `# ${oneLine(line, 300)}`,
    ),
    specText.trimEnd(),
  ]);
}
