import { developmentRules } from '../platform/auth/development-issuer.js';
import { TokenVerifier } from '../platform/auth/token-verifier.js';
import type { Config } from '../platform/config/config.js';
import type { Log } from '../platform/logging/log.js';
import { Outbound } from '../platform/network/outbound.js';
import { SecretStore } from '../platform/network/secret-store.js';
import { callerOf, type GatewayIdentity } from './gateway-access.js';
import { gatewayHttp } from './gateway-http.js';
import { GatewayServers } from './gateway-server.js';
import { ToolSource } from './served-tools.js';
import { ToolCaller } from './tool-caller.js';

export interface DevelopmentGatewaySettings {
  readonly gateway: GatewayIdentity;
  /** Where clients reach it: a loopback address. */
  readonly address: URL;
  /** Whether requests without a token are taken, too. */
  readonly anonymous: boolean;
  /** The `mcp-router.tools` YAML of the gateway, from its catalog. */
  readonly readConfig: () => Promise<string>;
}

export interface RunningGateway {
  readonly url: string;
  readonly tools: number;
  stop(): Promise<void>;
}

/**
 * Serves what the catalog exposes on one gateway, on this machine and for tokens of the development issuer alone, which
 * does not exist in production.
 */
export async function startDevelopmentGateway(
  { gateway, address, anonymous, readConfig }: DevelopmentGatewaySettings,
  config: Config,
  log: Log,
): Promise<RunningGateway> {
  const source = new ToolSource(readConfig, log);
  const { size } = await source.load();
  const verifier = new TokenVerifier(await developmentRules(config.dataDirectory));
  const caller = new ToolCaller(gateway.hostId, new Outbound(config), new SecretStore(config));
  const servers = new GatewayServers(source, caller, log);
  const app = gatewayHttp(address.pathname, servers, (request) =>
    callerOf(request, { verifier, gateway, anonymous }),
  );
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const listening = await app.listen({ host, port: Number(address.port === '' ? 80 : address.port) });
  return { url: listening + address.pathname, tools: size, stop: () => app.close() };
}
