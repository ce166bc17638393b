#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { catalogCommand } from './cli/catalog.command.js';
import { CliFault, exitCodeHelp, exitCodes, program as programName } from './cli/output.js';
import { evalCommand } from './cli/eval.command.js';
import { exportCommand } from './cli/export.command.js';
import { gatewayCommand } from './cli/gateway.command.js';
import { importCommand } from './cli/import.command.js';
import { refuseUnknown } from './cli/known-command.js';
import { migrateCommand, rebuildCommand, verifyCommand } from './cli/database.command.js';
import { publishCommand } from './cli/publish.command.js';
import { queryCommand } from './cli/query.command.js';
import { registryCommand } from './cli/registry.command.js';
import { searchCommand } from './cli/search.command.js';
import { serveCommand } from './cli/serve.command.js';
import { skillCommand } from './cli/skill.command.js';
import { disableCommand, enableCommand } from './cli/switch.command.js';
import { tokenCommand } from './cli/token.command.js';
import { webhookCommand } from './cli/webhook.command.js';
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

function program(): Command {
  const root = new Command('portal-catalog')
    .description('The catalog of what AI agents may do with a company’s APIs.')
    .version(version, '--version', 'say which version this is')
    // A command's own --version is another matter.
    .enablePositionalOptions()
    .addHelpText('after', `${walk}\n${exitCodeHelp}`)
    .showHelpAfterError('(--help shows how it is used, with examples)');
  const commands = [
    serveCommand(),
    tokenCommand(),
    importCommand(),
    publishCommand(),
    catalogCommand(),
    skillCommand(),
    disableCommand(),
    enableCommand(),
    searchCommand(),
    evalCommand(),
    queryCommand(),
    gatewayCommand(),
    webhookCommand(),
    registryCommand(),
    exportCommand(),
    rebuildCommand(),
    verifyCommand(),
    migrateCommand(),
  ];
  for (const command of commands) root.addCommand(command.copyInheritedSettings(root));
  // Every command ends by an exception here, so that exit codes are given in one place.
  for (const command of [root, ...commands]) {
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
  const root = program();
  refuseUnknown(root, process.argv.slice(2));
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
