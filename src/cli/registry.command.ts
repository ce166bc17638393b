import { Command } from 'commander';
import {
  changedSince,
  lintFolder,
  pairsOf,
  publishedSchemas,
  stopsReview,
  type VersionPair,
} from '../registry/shared.js';
import { CliFault, counted, exampleHelp, exitCodes, oneLine, printAnswer } from './output.js';
import { consolidateCommand } from './registry-consolidate.js';
import { generateCommand } from './registry-generate.js';
import { operationsCommand } from './registry-operations.js';
import { deskCommand } from './registry-desk.js';
import { reviewCommands } from './registry-review.js';
import { waitingCommand } from './registry-waiting.js';
import { pullCommand } from './registry-pull.js';
import { pushCommand } from './registry-push.js';
import { faultLine, folderCommand, registryOf } from './registry-folder.js';

interface FolderOptions {
  readonly json?: boolean;
  readonly strict?: boolean;
}

interface LintOptions extends FolderOptions {
  readonly gate?: boolean;
}

interface DiffOptions extends FolderOptions {
  readonly against?: string;
  readonly tool?: string;
}

const layout = `
A registry is a folder: tools/specs/<name>/v<major>_<minor>_<patch>.yaml has one version of a tool each,
eval/configs/<name>/… the prompts by which it is evaluated, tools/accepted-findings.yaml what was accepted.
None of these commands needs the service, unless they say so.

Examples:
  $ portal-catalog registry validate
  $ portal-catalog registry diff tools-of-files
  $ portal-catalog registry push --dry-run
  $ portal-catalog registry review read_file 1.2.0
  $ portal-catalog registry generate --language python --out generated`;

export function registryCommand(): Command {
  const command = new Command('registry')
    .description('tools as files: check, grade and lint their specs, push and pull them, generate packages')
    .addHelpText('after', layout);
  const folders = [validating(), comparing(), linting(), consolidateCommand()];
  for (const inner of [
    ...folders,
    operationsCommand(),
    pushCommand(),
    pullCommand(),
    waitingCommand(),
    deskCommand(),
    ...reviewCommands(),
    generateCommand(),
    schema(),
  ])
    command.addCommand(inner);
  return command;
}

function validating(): Command {
  return folderCommand('validate', 'check every file; each fault names its file, line and place')
    .option('--strict', 'fail on warnings too')
    .addHelpText('after', exampleHelp('registry validate', 'registry validate ../tools --strict --json'))
    .action(async (folder: string, options: FolderOptions) => {
      const { specs, evaluations, faults, warnings } = await registryOf(folder);
      const read = { specs: specs.length, evaluations: evaluations.length };
      printAnswer(options, JSON.stringify({ ...read, faults, warnings }, null, 2), () => [
        ...faults.map(faultLine),
        ...warnings.map((warning) => `warning: ${faultLine(warning)}`),
        `${counted(specs.length, 'spec')} and ${counted(evaluations.length, 'evaluation')} read, ${counted(faults.length, 'fault')}, ${counted(warnings.length, 'warning')}`,
      ]);
      failOn([...faults, ...(options.strict ? warnings : [])]);
    });
}

function comparing(): Command {
  return folderCommand('diff', 'grade what versions change, and refuse numbers that are raised too little')
    .option(
      '--against <folder>',
      'what is published, such as a checkout of the main branch: its files must not change',
    )
    .option('--tool <name>', 'of this tool alone')
    .option('--strict', 'fail on warnings too')
    .addHelpText(
      'after',
      exampleHelp('registry diff', 'registry diff . --tool read_file', 'registry diff . --against ../main'),
    )
    .action(async (folder: string, options: DiffOptions) => {
      const { against, tool, json, strict } = options;
      const registry = await registryOf(folder);
      const published = against === undefined ? undefined : await registryOf(against);
      const report = pairsOf(registry, new Date().toISOString().slice(0, 10));
      const pairs = report.pairs.filter((pair) => tool === undefined || pair.tool === tool);
      if (tool !== undefined && !registry.specs.some(({ spec }) => spec.name === tool))
        throw new CliFault(exitCodes.usage, `${folder} has no readable spec of ${tool}.`);
      const files = new Set(pairs.map(({ file }) => file));
      const faults = [
        ...registry.faults,
        ...report.faults.filter(({ file }) => tool === undefined || files.has(file)),
        ...(published === undefined ? [] : changedSince(published, registry)),
      ];
      const { warnings } = report;
      printAnswer({ json }, JSON.stringify({ pairs, faults, warnings }, null, 2), () => [
        ...pairs.filter(({ adjacent }) => adjacent).flatMap(pairLines),
        ...faults.map(faultLine),
        ...warnings.map((warning) => `warning: ${faultLine(warning)}`),
        `${counted(pairs.length, 'pair')} of versions compared, ${counted(faults.length, 'fault')}`,
      ]);
      failOn([...faults, ...(strict ? warnings : [])]);
    });
}

function linting(): Command {
  return folderCommand('lint', 'find what models will get wrong, in the newest version of each tool')
    .option('--strict', 'fail where anything is found')
    .option('--gate', 'fail where something is found that stops a review')
    .addHelpText('after', exampleHelp('registry lint', 'registry lint . --gate'))
    .action(async (folder: string, options: LintOptions) => {
      const registry = await registryOf(folder);
      const findings = lintFolder(registry);
      const { faults } = registry;
      printAnswer(options, JSON.stringify({ findings, faults }, null, 2), () => [
        ...faults.map(faultLine),
        ...findings.flatMap(({ file, line, rule, pointer, reason, example }) => [
          `${file}:${String(line)} ${rule} ${pointer}: ${reason}${stopsReview({ rule }) ? ' It stops a review.' : ''}`,
          `    better: ${oneLine(example, 200)}`,
        ]),
        `${counted(registry.specs.length, 'spec')} read, ${counted(findings.length, 'finding')}`,
      ]);
      const counting = options.strict ? findings : options.gate ? findings.filter(stopsReview) : [];
      failOn([...faults, ...counting]);
    });
}

function schema(): Command {
  const names = Object.keys(publishedSchemas) as (keyof typeof publishedSchemas)[];
  return new Command('schema')
    .description('print the JSON Schema of a kind of file, for editors')
    .argument('<kind>', names.join(', '))
    .addHelpText('after', exampleHelp('registry schema tool-spec > tool-spec.schema.json'))
    .action((kind: string) => {
      const known = names.find((name) => name === kind);
      if (known === undefined)
        throw new CliFault(exitCodes.usage, `${kind} is no kind of file: say ${names.join(', ')}.`);
      process.stdout.write(`${JSON.stringify(publishedSchemas[known], null, 2)}\n`);
    });
}

function failOn(found: readonly unknown[]): void {
  if (found.length > 0) process.exitCode = exitCodes.failed;
}

function pairLines({ tool, from, to, grade, input, output, findings }: VersionPair): string[] {
  return [
    `${tool} ${from} → ${to}: ${grade} (input ${input}, output ${output})`,
    ...findings.flatMap(({ rule, grade: own, pointer, before, after, accepted }) => [
      `  ${own}  ${rule}  ${pointer}${accepted === undefined ? '' : `  accepted by ${accepted.approver} until ${accepted.expires}: ${oneLine(accepted.reason)}`}`,
      ...(before === undefined ? [] : [`    - ${oneLine(before, 120)}`]),
      ...(after === undefined ? [] : [`    + ${oneLine(after, 120)}`]),
    ]),
  ];
}
