#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { CliFault, exitCodeHelp, exitCodes, program as programName } from './cli/output.js';
import { refuseUnknown } from './cli/known-command.js';
import { DatabaseUnfit, Invalid, RuleBroken } from './kernel/errors.js';
import { ConfigurationFault } from './platform/config/config.js';
import { misspelt } from './platform/config/start-notes.js';
import { DirectoryInUse } from './platform/database/embedded-directory.js';

/** Of the package, which stands beside the folder of what was built. */
const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

const walk = `
A first walk, with the service running (npm start) and the ids of its sample data:
  $ export PORTAL_TOKEN=$(portal-catalog token --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --env dev \\
      --sid tidewell.account-agent-1.0.0 --scope "catalog:write catalog:admin catalog:all-services")
  $ portal-catalog catalog --agent 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02 --withheld      what is the agent given?
  $ portal-catalog import openapi.yaml --api orders --service orders-1.0.0 --env dev    what does an API offer?
  $ portal-catalog publish --api-version <apiVersionId>                                 make tools of it`;

/** Each is loaded when it is asked for: together they take several times as long as most commands need. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.command.js')).serveCommand(),
  token: async () => (await import('./cli/token.command.js')).tokenCommand(),
  import: async () => (await import('./cli/import.command.js')).importCommand(),
  publish: async () => (await import('./cli/publish.command.js')).publishCommand(),
  catalog: async () => (await import('./cli/catalog.command.js')).catalogCommand(),
  skill: async () => (await import('./cli/skill.command.js')).skillCommand(),
  disable: async () => (await import('./cli/switch.command.js')).disableCommand(),
  enable: async () => (await import('./cli/switch.command.js')).enableCommand(),
  search: async () => (await import('./cli/search.command.js')).searchCommand(),
  eval: async () => (await import('./cli/eval.command.js')).evalCommand(),
  query: async () => (await import('./cli/query.command.js')).queryCommand(),
  gateway: async () => (await import('./cli/gateway.command.js')).gatewayCommand(),
  webhook: async () => (await import('./cli/webhook.command.js')).webhookCommand(),
  registry: async () => (await import('./cli/registry.command.js')).registryCommand(),
  export: async () => (await import('./cli/export.command.js')).exportCommand(),
  rebuild: async () => (await import('./cli/database.command.js')).rebuildCommand(),
  verify: async () => (await import('./cli/database.command.js')).verifyCommand(),
  migrate: async () => (await import('./cli/database.command.js')).migrateCommand(),
};

/** With the command of that name, or else with all of them, so that it can say what there is. */
async function program(name: string): Promise<Command> {
  const root = new Command('portal-catalog')
    .description('The catalog of what AI agents may do with a company’s APIs.')
    .version(version, '--version', 'say which version this is')
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

// A reader that has seen enough (`… | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed);
});

for (const note of misspelt())
  process.stderr.write(`warning: ${note}
`);

try {
  const given = process.argv.slice(2);
  const root = await program(given[0] ?? '');
  refuseUnknown(root, given);
  await root.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const [code, text] = explained(error);
  process.stderr.write(`${text}\n`);
  return code;
}

function explained(error: unknown): [number, string] {
  if (error instanceof CliFault) return [error.exitCode, error.message];
  if (error instanceof ConfigurationFault) return [exitCodes.usage, error.message];
  if (error instanceof DatabaseUnfit) return [exitCodes.failed, error.message];
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
