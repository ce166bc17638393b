import { once } from 'node:events';
import { Command } from 'commander';
import type { DevelopmentGatewaySettings } from '../development-gateway/development-gateway.js';
import { isLoopback, readConfig, type Config } from '../platform/config/config.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf } from './named-record.js';
import { nouns } from './nouns.js';
import { CliFault, exitCodes } from './output.js';

interface ServeOptions extends ConnectionOptions {
  readonly listen?: string;
  readonly anonymous?: boolean;
}

interface RegisteredGateway {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly envTag: string;
  readonly url: string;
}

const notForProduction = `
NOT FOR PRODUCTION. It listens on loopback only, takes tokens of the development issuer only (the same DATA_DIR as the
service), and keeps nothing. It shows how agent, catalog, gateway and API work together on one machine.

It asks the catalog for the tools that are exposed on the gateway, lists to each caller what policy and scopes admit, and
carries out calls: HTTP operations, GraphQL operations, the tools of MCP servers, and implementations of tools without an
endpoint (POST <targetHost>/<name>/<version>). What policy blocks is refused with
the JSON-RPC error -32004. Calls leave through the guard of the service: an API on this machine needs OUTBOUND_ALLOW.
Credentials are named in the exposure ({"runtime": {"auth": {"type": "bearer", "secret": "<name>"}}}) and read from
SECRETS_DIR. Each call is a line of the log, with auditInfo.

Examples:
  Where the catalog says that the gateway is, such as http://127.0.0.1:4000/mcp:
    $ OUTBOUND_ALLOW=127.0.0.1 portal-catalog gateway serve 0192f0c4-…
  For clients that send no token; they reach only tools without scopes:
    $ OUTBOUND_ALLOW=127.0.0.1 portal-catalog gateway serve 0192f0c4-… --anonymous`;

export function gatewayServeCommand(): Command {
  const command = new Command('serve')
    .description('the development gateway: lists and calls the tools of one gateway; not for production')
    .argument('<gateway>', 'gateway to be: its id, service or address')
    .option('--listen <url>', 'loopback address to listen on (default: where the gateway is registered)')
    .option('--anonymous', 'also take requests without a token')
    .addHelpText('after', notForProduction);
  return connectionOptions(command).action(async (gateway: string, options: ServeOptions) => {
    const config = readConfig();
    if (config.tokens.kind === 'none') throw new CliFault(exitCodes.usage, config.tokens.reason);
    if (config.tokens.kind === 'issuer') {
      throw new CliFault(
        exitCodes.usage,
        'AUTH_JWKS_URI is set. The development gateway takes tokens of the development issuer only: it is not for production.',
      );
    }
    await serve(await settingsOf(gateway, options), config);
  });
}

async function settingsOf(named: string, options: ServeOptions): Promise<DevelopmentGatewaySettings> {
  const client = new CatalogClient(options);
  const gatewayId = await idOf(client, nouns.gateway, named);
  const path = `/gateways/${encodeURIComponent(gatewayId)}`;
  const { envTag, url } = JSON.parse(await client.request('GET', path)) as RegisteredGateway;
  const hostId = options.host ?? client.claims.host ?? '';
  return {
    gateway: { gatewayId, hostId, envTag },
    address: loopbackAddress(options.listen ?? url),
    anonymous: options.anonymous === true,
    readConfig: () => client.requestText('GET', `${path}/config`),
  };
}

function loopbackAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return url;
  throw new CliFault(
    exitCodes.usage,
    `The development gateway can't listen on ${text}: it is not for production. Give a loopback address, such as --listen http://127.0.0.1:4000/mcp.`,
  );
}

/** Serves until SIGTERM or SIGINT. Loads the server here, so that other commands start at once. */
async function serve(settings: DevelopmentGatewaySettings, config: Config): Promise<void> {
  const { createLog } = await import('../platform/logging/log.js');
  const { startDevelopmentGateway } = await import('../development-gateway/development-gateway.js');
  const log = createLog(config.logLevel);
  const running = await startDevelopmentGateway(settings, config, log).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('EADDR'))) throw error;
    throw new CliFault(exitCodes.usage, `It can't listen: ${error.message}. Name a free port with --listen.`);
  });
  process.stdout.write(
    `The development gateway serves ${String(running.tools)} tools on ${running.url} (not for production).\n`,
  );
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  await once(stop.signal, 'abort');
  await running.stop();
}
