import { readFile } from 'node:fs/promises';
import type { Answer, Message } from '../system/service-process.js';

/** Something that sends requests to a running catalog. */
export interface Sender {
  send(method: string, path: string, token: string, more?: Message): Promise<Answer>;
}

/** What the road from a document to an agent's catalog has made. */
export interface AccountAgent {
  readonly agentDefId: string;
  readonly skillId: string;
  readonly toolIds: Readonly<Record<string, string>>;
  /** Path of the agent's effective catalog below the host. */
  readonly catalog: string;
}

/** Goes the whole road: imports and publishes the sample's API, writes a skill, links its tools, assigns it. */
export async function makeAccountAgent(to: Sender, token: string): Promise<AccountAgent> {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, text } = await to.send(method, path, token, { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${text}`);
    return JSON.parse(text) as T;
  };
  await ask('POST', '/imports', {
    api: { apiId: 'account', apiName: 'Account API' },
    version: { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' },
    document: await readFile('sample/account-service.openapi.yaml', 'utf8'),
    publish: true,
  });
  const { items } = await ask<{ items: { name: string; toolId: string }[] }>('GET', '/tools?limit=100');
  const skill = await ask<{ id: string }>('POST', '/skills', {
    name: 'Accounts',
    description: 'Look after accounts.',
    contentMarkdown: '# Accounts\n\nRead before you write.',
  });
  for (const { toolId } of items) await ask('PUT', `/skills/${skill.id}/tools/${toolId}`, {});
  await ask('POST', '/apis', { apiId: 'agent', apiName: 'account-agent' });
  const { id: agentDefId } = await ask<{ id: string }>('POST', '/apis/agent/versions', {
    apiVersion: '1',
    apiType: 'agent',
    serviceId: 'accounts',
    envTag: 'dev',
  });
  await ask('PUT', `/agents/${agentDefId}`, { personas: [], maxSensitivityTier: 'restricted' });
  await ask('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId: skill.id }] });
  return {
    agentDefId,
    skillId: skill.id,
    toolIds: Object.fromEntries(items.map(({ name, toolId }) => [name, toolId])),
    catalog: `/agents/${agentDefId}/effective-catalog?serviceId=accounts&envTag=dev`,
  };
}
