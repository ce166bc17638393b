import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { developmentClaims } from './development-claims.js';
import { mintToken } from './platform/auth/issuers.js';
import type { Config } from './platform/config/config.js';
import { sample } from './sample/sample-ids.js';

const hour = 3600;
const presetAddress = 'http://127.0.0.1:3000';

/**
 * Prints how to begin: the address, a first request to try, and a token for it: a fresh one on a terminal, elsewhere,
 * where it would stay in a log, the command that mints one (docs/contract.md, section 10).
 */
export async function greeting(config: Config, address: string, toPerson: boolean): Promise<string> {
  const here = reachable(address);
  const lines = ['', `The catalog listens on ${address}`];
  lines.push(`Open it in a browser: ${here}/`, `Its contract is at ${here}/docs`);
  if (here !== presetAddress) lines.push(`The command line finds it with: export PORTAL_URL=${here}`);
  if (config.tokens.kind === 'development')
    lines.push(
      `The command line may do everything in ${envTag} with: export PORTAL_TOKEN=$(${mintCommand(config, operator)})`,
    );
  lines.push('');
  if (!config.sampleData) {
    lines.push('It holds what you bring in: npx portal-catalog import --help');
  } else if (config.tokens.kind === 'issuer') {
    lines.push('First request, with a token of your issuer in TOKEN:', '', `  ${curl(here)}`);
  } else {
    const token = toPerson
      ? await mintToken(config.dataDirectory, { sub: 'operator', ...agent }, hour)
      : `$(${mintCommand(config, agent)})`;
    const note = toPerson ? 'a development token for one hour' : 'a development token';
    lines.push(
      `First request, what the sample agent is given, with ${note}:`,
      '',
      `  TOKEN=${token}`,
      `  ${curl(here)}`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** Where a server really listens: `http://0.0.0.0:3000` where it does at every address of the machine. */
export function listeningAddress(server: Pick<Server, 'address'>): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}

/** The same server, as this machine reaches it. */
function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

const { hostId, agentDefId, agentServiceId, envTag } = sample;
/** What the sample agent may do, and what an operator may in the environment of the sample. */
type Claims = Readonly<Record<'host' | 'sid' | 'env' | 'scope', string>>;
const agent: Claims = {
  ...{ host: hostId, sid: agentServiceId, env: envTag, scope: 'catalog:agent catalog:read' },
};
const { sid, scope } = developmentClaims;
const operator: Claims = { host: hostId, sid, env: envTag, scope };

/** With the directory of the key, where the command would not find it by itself. */
function mintCommand({ dataDirectory }: Config, claims: Claims): string {
  const where =
    dataDirectory === resolve('.data') ? '' : `DATA_DIR='${dataDirectory.replaceAll("'", `'\\''`)}' `;
  const { host, sid: service, env } = claims;
  return `${where}npx portal-catalog token --host ${host} --sid ${service} --env ${env} --scope "${claims.scope}"`;
}

function curl(address: string): string {
  const query = `serviceId=${agentServiceId}&envTag=${envTag}`;
  const url = `${address}/v1/hosts/${hostId}/agents/${agentDefId}/effective-catalog?${query}`;
  return `curl -s -H "Authorization: Bearer $TOKEN" '${url}'`;
}
