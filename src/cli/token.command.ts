import { Command } from 'commander';
import { scopes } from '../platform/auth/caller.js';
import { callerOf } from '../platform/auth/claims.js';
import { hasIssuerKey, mintToken } from '../platform/auth/issuers.js';
import { readConfig } from '../platform/config/config.js';
import { Problem } from '../platform/http/problem.js';
import { CliFault, exitCodes } from './output.js';
import { checkHost } from './catalog-client.js';

interface TokenOptions {
  readonly host: string;
  readonly sid: readonly string[];
  readonly env: readonly string[];
  readonly scope: string;
  readonly agent?: string;
  readonly ttl: string;
  readonly sub: string;
  readonly clientId?: string;
  readonly maxTier?: string;
  readonly json?: boolean;
}

const examples = `
The token is printed alone, so that it can be taken into a variable. Only a service with the development issuer
takes it: on loopback, without AUTH_JWKS_URI, on the same DATA_DIR.

Examples:
  An operator who may do everything in one environment:
    $ export PORTAL_TOKEN=$(portal-catalog token --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 \\
        --sid tidewell.account-agent-1.0.0 --env dev --scope "catalog:read catalog:write catalog:admin catalog:all-services")
  An agent that may fetch its own catalog for ten minutes:
    $ portal-catalog token --host … --sid tidewell.account-agent-1.0.0 --env dev --scope catalog:agent --agent … --ttl 10m`;

export function tokenCommand(): Command {
  return new Command('token')
    .description('mint a token with the development issuer')
    .requiredOption('--host <hostId>', 'claim host: the host that the token is for')
    .requiredOption('--sid <serviceId...>', 'claim sid: service, or several of them')
    .requiredOption('--env <tag...>', 'claim env: environment, or several of them')
    .requiredOption(
      '--scope <scopes>',
      'claim scope: catalog:agent, catalog:read, catalog:write, catalog:admin, catalog:all-services; in one text',
    )
    .option('--agent <agentDefId>', 'claim agent_def_id: confine the token to this agent')
    .option('--ttl <time>', 'how long it lives: 90s, 15m, 1h, 1d', '1h')
    .option('--sub <subject>', 'claim sub: who is recorded on events', 'developer')
    .option('--client-id <id>', 'claim client_id')
    .option('--max-tier <tier>', 'claim maxSensitivityTier: public, internal, confidential or restricted')
    .option('--json', 'print {"token", "expiresIn"}')
    .addHelpText('after', examples)
    .action(async (options: TokenOptions) => {
      const config = readConfig();
      if (config.tokens.kind === 'issuer') {
        throw new CliFault(
          exitCodes.usage,
          'AUTH_JWKS_URI is set: ask that issuer for a token. The development issuer is off.',
        );
      }
      if (config.tokens.kind === 'none') throw new CliFault(exitCodes.usage, config.tokens.reason);
      const expiresIn = secondsOf(options.ttl);
      const isFirst = !hasIssuerKey(config.dataDirectory);
      const token = await mintToken(config.dataDirectory, checked(claimsOf(options)), expiresIn);
      if (isFirst) process.stderr.write(newKey(config.dataDirectory));
      process.stdout.write(`${options.json ? JSON.stringify({ token, expiresIn }) : token}\n`);
    });
}

function newKey(directory: string): string {
  return `warning: There was no key in ${directory}, so one was made. A service with another DATA_DIR does not take this token.\n`;
}

/** Refuses claims that the service would refuse. */
function checked(claims: Record<string, unknown>): Record<string, unknown> {
  checkHost(String(claims['host']));
  try {
    if (callerOf(claims).scopes.size > 0) return claims;
  } catch (error) {
    if (error instanceof Problem) throw new CliFault(exitCodes.usage, error.message);
    throw error;
  }
  const known = [...scopes, 'catalog:all-services'].join(', ');
  throw new CliFault(
    exitCodes.usage,
    `--scope names no scope: write one or more of ${known}, with blanks between.`,
  );
}

function claimsOf(options: TokenOptions): Record<string, unknown> {
  const optional = {
    client_id: options.clientId,
    agent_def_id: options.agent,
    maxSensitivityTier: options.maxTier,
  };
  return {
    sub: options.sub,
    host: options.host,
    sid: oneOrAll(options.sid),
    env: oneOrAll(options.env),
    scope: options.scope,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 };

function secondsOf(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) {
    throw new CliFault(
      exitCodes.usage,
      `--ttl ${text} is no time. Write a number and s, m, h or d, such as 15m.`,
    );
  }
  return Number(count) * (unitSeconds[unit] ?? 1);
}
