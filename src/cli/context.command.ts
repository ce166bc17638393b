import { Command } from 'commander';
import { decodeJwt } from 'jose';
import { connectionOf, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { contextsFile, keepContext, readContexts, writeContexts } from './contexts.js';
import { CliFault, exampleHelp, exitCodes, printAnswer, table, type OutputOptions } from './output.js';

/** Services that one works with: `context`. */
export function contextCommand(): Command {
  const command = new Command('context')
    .description('services that you work with, and the one in use')
    .addHelpText('after', exampleHelp('context list', 'context use production', 'context remove old'));
  command
    .command('list')
    .description('list contexts, without their tokens')
    .option('--json', 'print JSON')
    .option('--yaml', 'print YAML')
    .action((options: OutputOptions) => {
      const { current, contexts } = readContexts();
      const items = Object.entries(contexts).map(([name, { token, ...context }]) => ({
        ...{ name, inUse: name === current, ...context },
        signedIn: token !== undefined && !hasRunOut(token),
      }));
      printAnswer(options, JSON.stringify({ items }), () =>
        items.length === 0 ? ['There is none: log in makes one.'] : table(items),
      );
    });
  command
    .command('use')
    .description('work with another service from now on')
    .argument('<name>', 'name of the context')
    .action((name: string) => {
      const { contexts } = readContexts();
      keepContext(name, requireNamed(contexts, name));
      process.stdout.write(`The context ${name} is in use.\n`);
    });
  command
    .command('remove')
    .description('forget a context and its token')
    .argument('<name>', 'name of the context')
    .action((name: string) => {
      const { current, contexts } = readContexts();
      requireNamed(contexts, name);
      const { [name]: _gone, ...rest } = contexts;
      writeContexts({ ...(current !== undefined && current !== name && { current }), contexts: rest });
      process.stdout.write(`The context ${name} is forgotten.\n`);
    });
  return command;
}

function requireNamed<T>(contexts: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(contexts).join(', ') || 'none';
  throw new CliFault(exitCodes.usage, `There is no context ${name} in ${contextsFile()}. Known: ${known}.`);
}

function hasRunOut(token: string): boolean {
  const { exp } = decodeJwt(token);
  return exp !== undefined && exp * 1000 <= Date.now();
}

/** Who one is to the service: `whoami`. */
export function whoamiCommand(): Command {
  const command = new Command('whoami')
    .description('who you are to the service: what the token says, and where it comes from')
    .addHelpText('after', exampleHelp('whoami', 'whoami --json'));
  return connectionOptions(command).action((options: ConnectionOptions) => {
    const { url, token, source } = connectionOf(options);
    const {
      sub,
      iss,
      client_id: clientId,
      host,
      sid,
      env,
      scope,
      agent_def_id: agentDefId,
      exp,
    } = decodeJwt(token);
    const until = exp === undefined ? undefined : new Date(exp * 1000).toISOString();
    const said = { url, token: source, sub, iss, clientId, host, sid, env, agentDefId, scope, until };
    const lines = Object.entries(said as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`${name.padEnd(10)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`],
    );
    printAnswer(options, JSON.stringify(said), () => lines);
    if (hasRunOut(token)) throw new CliFault(exitCodes.refused, 'The token has run out.');
  });
}
