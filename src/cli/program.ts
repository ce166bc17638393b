import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { DatabaseUnfit, Invalid, RuleBroken } from '../kernel/errors.js';
import { LogFileFault } from '../kernel/log-file.js';
import { packageRoot } from '../kernel/migrations.js';
import { ConfigurationFault } from '../platform/config/config.js';
import { DirectoryInUse } from '../platform/database/embedded-directory.js';
import { refuseUnknown } from './known-command.js';
import type { NounWord } from './nouns.js';
import { CliFault, exitCodeHelp, exitCodes, program as programName, withoutControls } from './output.js';

function version(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

const walk = `
A first walk, with the service running (npm start) and the ids of its sample data:
  $ export PORTAL_TOKEN=$(portal-catalog token --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --env dev \\
      --sid tidewell.account-agent-1.0.0 --scope "catalog:write catalog:admin catalog:all-services")
  $ portal-catalog catalog --agent account-agent --withheld                             what is the agent given?
  $ portal-catalog import openapi.yaml --api orders --service orders-1.0.0 --env dev    what does an API offer?
  $ portal-catalog publish --api-version orders@1.0.0                                   make tools of it`;

/** Each is loaded when it is asked for: together they take several times as long as most commands need. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.command.js')).serveCommand(),
  token: async () => (await import('./token.command.js')).tokenCommand(),
  login: async () => (await import('./login.command.js')).loginCommand(),
  whoami: async () => (await import('./context.command.js')).whoamiCommand(),
  context: async () => (await import('./context.command.js')).contextCommand(),
  import: async () => (await import('./import.command.js')).importCommand(),
  lint: async () => (await import('./lint.command.js')).lintCommand(),
  look: async () => (await import('./look.command.js')).lookCommand(),
  publish: async () => (await import('./publish.command.js')).publishCommand(),
  catalog: async () => (await import('./catalog.command.js')).catalogCommand(),
  skill: async () => (await import('./skill.command.js')).skillCommand(),
  ...nounCommands(
    'agent',
    'api',
    'api-version',
    'endpoint',
    'tool',
    'workflow',
    'category',
    'tag',
    'public-entry',
  ),
  assign: async () => (await import('./relations.command.js')).assignCommand(),
  unassign: async () => (await import('./relations.command.js')).unassignCommand(),
  link: async () => (await import('./relations.command.js')).linkCommand(),
  unlink: async () => (await import('./relations.command.js')).unlinkCommand(),
  expose: async () => (await import('./relations.command.js')).exposeCommand(),
  disable: async () => (await import('./switch.command.js')).disableCommand(),
  enable: async () => (await import('./switch.command.js')).enableCommand(),
  changes: async () => (await import('./changes.command.js')).changesCommand(),
  explain: async () => (await import('./questions.command.js')).explainCommand(),
  diff: async () => (await import('./diff.command.js')).diffCommand(),
  preview: async () => (await import('./questions.command.js')).previewCommand(),
  impact: async () => (await import('./questions.command.js')).impactCommand(),
  search: async () => (await import('./search.command.js')).searchCommand(),
  eval: async () => (await import('./eval.command.js')).evalCommand(),
  query: async () => (await import('./query.command.js')).queryCommand(),
  gateway: async () => (await import('./gateway.command.js')).gatewayCommand(),
  webhook: async () => (await import('./webhook.command.js')).webhookCommand(),
  registry: async () => (await import('./registry.command.js')).registryCommand(),
  code: async () => (await import('./code.command.js')).codeCommand(),
  export: async () => (await import('./export.command.js')).exportCommand(),
  restore: async () => (await import('./restore.command.js')).restoreCommand(),
  rebuild: async () => (await import('./database.command.js')).rebuildCommand(),
  verify: async () => (await import('./database.command.js')).verifyCommand(),
  migrate: async () => (await import('./database.command.js')).migrateCommand(),
  completion: async () => (await import('./completion.command.js')).completionCommand(),
};

/** Commands of nouns that have no others. */
function nounCommands(...named: readonly NounWord[]): Readonly<Record<string, () => Promise<Command>>> {
  const each = named.map((word) => {
    const make = async () => (await import('./noun.command.js')).nounCommand(word);
    return [word, make] as const;
  });
  return Object.fromEntries(each);
}

/** With the command of that name, or else with all of them, so that it can say what there is. */
async function program(name: string): Promise<Command> {
  const root = new Command('portal-catalog')
    .description('The catalog of what AI agents may do with a company’s APIs.')
    .version(version(), '--version', 'say which version this is')
    // A command's own --version is another matter.
    .enablePositionalOptions()
    .addHelpText('after', `${walk}\n${exitCodeHelp}`)
    .showHelpAfterError('(--help shows how it is used, with examples)');
  const asked = Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  for (const each of asked) {
    const command = await commands[each]?.();
    if (command !== undefined) root.addCommand(command.copyInheritedSettings(root));
  }
  // Every command ends by an exception here, so that exit codes are given in one place.
  for (const command of [root, ...root.commands]) {
    for (const inner of command.commands) inner.copyInheritedSettings(command).exitOverride();
    command.exitOverride();
  }
  return root;
}

/** Prints what may stand in the place of the last word, one a line: for scripts of `completion`. */
async function complete(given: readonly string[]): Promise<void> {
  const { candidates } = await import('./completion.command.js');
  const found =
    given.length < 2
      ? Object.keys(commands).filter((name) => name.startsWith(given[0] ?? ''))
      : candidates(await program(given[0] ?? ''), given);
  process.stdout.write(found.map((each) => `${each}\n`).join(''));
}

/** Carries out one command line, without the name of the program, and gives the exit code. What is wrong goes to stderr. */
export async function runProgram(given: readonly string[]): Promise<number> {
  try {
    if (given[0] === 'complete') {
      await complete(given.slice(given[1] === '--' ? 2 : 1));
      return exitCodes.done;
    }
    const root = await program(given[0] ?? '');
    refuseUnknown(root, given);
    await root.parseAsync(given, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  // Commander has printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const [code, text] = explained(error);
  process.stderr.write(`${withoutControls(text)}\n`);
  return code;
}

function explained(error: unknown): [number, string] {
  if (error instanceof CliFault) return [error.exitCode, error.message];
  if (error instanceof ConfigurationFault) return [exitCodes.usage, error.message];
  if (error instanceof DatabaseUnfit) return [exitCodes.failed, error.message];
  if (error instanceof LogFileFault) return [exitCodes.altered, error.message];
  if (error instanceof DirectoryInUse) return [exitCodes.locked, error.message];
  if (error instanceof Invalid) return [exitCodes.usage, error.message];
  if (error instanceof RuleBroken) return [exitCodes.refused, error.message];
  if (holdsNoCatalog(error)) {
    return [
      exitCodes.failed,
      `The database holds no catalog, or one of an older version: ${programName} migrate makes it.`,
    ];
  }
  return [exitCodes.failed, error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

/** SQLSTATE of a table or a function that is not there, and of a role that can't be taken on since it is not. */
function holdsNoCatalog(error: unknown): boolean {
  const missing: readonly unknown[] = ['42P01', '42883', '22023'];
  return error instanceof Error && 'code' in error && missing.includes(error.code);
}
