import { mintToken } from './platform/auth/development-issuer.js';
import type { Config } from './platform/config/config.js';
import { sample } from './sample/sample-ids.js';

const hour = 3600;

/**
 * What a newcomer needs: the address, a first request to try, and its token: a fresh one on a terminal, elsewhere
 * (logs are kept) the command that mints one (contract 10).
 */
export async function greeting(config: Config, address: string, toPerson: boolean): Promise<string> {
  const lines = ['', `The catalog listens on ${address}`, `Its contract is at ${address}/docs`, ''];
  const hasSample = config.sampleData && config.databaseUrl === undefined;
  if (!hasSample) {
    lines.push('It holds what you bring in: npx portal-catalog import --help');
  } else if (config.tokens.kind === 'issuer') {
    lines.push('First request, with a token of your issuer in TOKEN:', '', `  ${curl(address)}`);
  } else {
    const token = toPerson ? await mintToken(config.dataDirectory, sampleClaims, hour) : `$(${mintCommand})`;
    const note = toPerson ? 'a development token for one hour' : 'a development token';
    lines.push(
      `First request, what the sample agent is given, with ${note}:`,
      '',
      `  TOKEN=${token}`,
      `  ${curl(address)}`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

const { hostId, agentDefId, agentServiceId, envTag } = sample;
const scope = 'catalog:agent catalog:read';
const sampleClaims = { sub: 'newcomer', host: hostId, sid: agentServiceId, env: envTag, scope };
const mintCommand = `npx portal-catalog token --host ${hostId} --sid ${agentServiceId} --env ${envTag} --scope "${scope}"`;

function curl(address: string): string {
  const query = `serviceId=${agentServiceId}&envTag=${envTag}`;
  const url = `${address}/v1/hosts/${hostId}/agents/${agentDefId}/effective-catalog?${query}`;
  return `curl -s -H "Authorization: Bearer $TOKEN" '${url}'`;
}
