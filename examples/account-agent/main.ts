/**
 * `npm run example`: an agent, the catalog, a gateway and an API on one machine, each a program of its own but for the
 * API and the agent, which are here. It takes nothing from outside, leaves nothing behind, and ends with exit code 0. With
 * `--stay` it ends at Ctrl-C only, and prints what an agent of your own connects with.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AgentClient } from '../../packages/agent-client/agent-client.js';
import { sample } from '../../src/sample/sample-ids.js';
import { startAccountApi } from './account-api.js';
import { answer } from './agent-loop.js';
import { scriptedModel } from './model.js';
import { mint, operator } from './operator.js';
import { freePort, start } from './processes.js';

const { hostId, agentDefId, agentServiceId, envTag } = sample;
const prompts = [
  'Which bills of TW-204-881 are still open?',
  'Please close the account TW-204-881 on 2026-12-31, they are moving.',
];
/** Of the API: what a caller of its operations needs. */
const apiScopes =
  'accounts.read accounts.write accounts.close billing.read billing.refund metering.read metering.write';

const open: (() => unknown)[] = [];
const say = (step: string, what: string): void => {
  process.stdout.write(`${step.padStart(9)}  ${what}\n`);
};

try {
  await example();
} finally {
  for (const close of open.reverse()) await close();
}

async function example(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-example-'));
  open.push(() => rm(directory, { recursive: true, force: true }));
  const environment = {
    ...{
      PORT: '0',
      DATA_DIR: directory,
      SECRETS_DIR: join(directory, 'secrets'),
      OUTBOUND_ALLOW: '127.0.0.1',
    },
    ...{ LOG_LEVEL: 'warn', SAMPLE_DATA: 'on', DATABASE_URL: '', AUTH_JWKS_URI: '', NODE_ENV: '' },
  };
  const key = randomUUID();
  const api = await startAccountApi(key, (line) => {
    say('', `the API is asked: ${line}`);
  });
  open.push(() => {
    api.stop();
  });
  say('API', `an account service on ${api.url}`);

  const catalog = await start('main.js', [], environment);
  open.push(() => catalog.stop());
  say('catalog', `on ${catalog.url}, with its sample: an API, a skill, an agent`);

  const who = ['--host', hostId, '--env', envTag, '--sid', agentServiceId];
  const admin = 'catalog:write catalog:admin catalog:all-services';
  const [adminToken, agentToken, checkToken] = await Promise.all([
    mint([...who, '--scope', admin], environment),
    mint([...who, '--scope', `catalog:agent ${apiScopes}`, '--agent', agentDefId], environment),
    mint([...who, '--scope', `catalog:read ${apiScopes}`, '--sub', 'gateway-check'], environment),
  ]);
  const ask = operator(catalog.url, hostId, adminToken);

  // Credentials are files that are only ever named, each with the origins that it may be sent to.
  const gatewayUrl = `http://127.0.0.1:${String(await freePort())}/mcp`;
  await secret(environment.SECRETS_DIR, 'account-api', { value: key, origins: [new URL(api.url).origin] });
  await secret(environment.SECRETS_DIR, 'gateway-check', {
    value: checkToken,
    origins: [new URL(gatewayUrl).origin],
  });
  const gatewayId = await expose(ask, gatewayUrl, api.url);

  const serve = ['gateway', 'serve', gatewayId, '--url', catalog.url, '--token', adminToken];
  const gateway = await start('cli.js', serve, environment);
  open.push(() => gateway.stop());
  say('gateway', `on ${gateway.url}, for development`);
  await compare(ask, gatewayId);

  const agent = new AgentClient({
    catalog: { url: catalog.url, token: agentToken },
    gateway: { url: gateway.url, token: agentToken },
    fallback: { noMatch: 'none', noCatalog: 'none' },
  });
  open.push(() => agent.close());
  await agent.start();
  for (const prompt of prompts) {
    process.stdout.write('\n');
    say('prompt', prompt);
    say('answer', await answer(agent, scriptedModel, prompt, say));
  }
  await askForWhatIsBlocked(gateway.url, agentToken);
  if (process.argv.includes('--stay')) await stay(catalog.url, gateway.url, agentToken);
}

/** Keeps everything running for another program. */
async function stay(catalogUrl: string, gatewayUrl: string, token: string): Promise<void> {
  process.stdout.write(`
All of it runs until Ctrl-C. An agent of your own connects with these, for an hour:

  export CATALOG_URL=${catalogUrl} GATEWAY_URL=${gatewayUrl}
  export AGENT_TOKEN=${token}
`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

async function secret(directory: string, name: string, content: object): Promise<void> {
  await mkdir(join(directory, hostId), { recursive: true });
  await writeFile(join(directory, hostId, `${name}.json`), JSON.stringify(content), { mode: 0o600 });
}

/** Registers the gateway and exposes every tool of the sample on it. */
async function expose(ask: ReturnType<typeof operator>, url: string, targetHost: string): Promise<string> {
  const gatewayId = randomUUID();
  await ask('PUT', `/gateways/${gatewayId}`, {
    ...{ serviceId: 'tidewell.gateway-1.0.0', envTag, url, maxSensitivityTier: 'confidential' },
    auth: { type: 'bearer', secret: 'gateway-check' },
  });
  const { items } = await ask<{ items: { toolId: string }[] }>('GET', '/tools?limit=500');
  const runtime = { auth: { type: 'bearer', secret: 'account-api' } };
  const tools = items.map(({ toolId }) => ({ toolId, targetHost, runtime }));
  await ask('PUT', `/gateways/${gatewayId}/exposures`, { tools });
  return gatewayId;
}

/** The catalog asks the gateway what it lists. */
async function compare(ask: ReturnType<typeof operator>, gatewayId: string): Promise<void> {
  interface Item {
    readonly toolName: string;
    readonly finding: string;
  }
  const { items } = await ask<{ items: Item[] }>('GET', `/gateways/${gatewayId}/drift`);
  for (const finding of new Set(items.map((item) => item.finding))) {
    const names = items.filter((item) => item.finding === finding).map(({ toolName }) => toolName);
    say('check', `${finding}: ${names.join(', ')}`);
  }
}

/** What the agent is not offered it can't have by asking the gateway itself either. */
async function askForWhatIsBlocked(url: string, token: string): Promise<void> {
  const client = new Client({ name: 'example', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    await client.callTool({ name: 'refundPayment', arguments: {} });
  } catch (error) {
    process.stdout.write('\n');
    say('gateway', error instanceof Error ? error.message : String(error));
  } finally {
    await client.close();
  }
}
