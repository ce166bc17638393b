/** A host of which a part is public, and what answers at its public address. */
import { request } from 'node:http';
import { v7 } from 'uuid';
import type { Server } from './server.js';
import { hostId } from './server.js';

export const domain = 'catalog.example.com';
export const origin = `https://${domain}`;
export const settings = { DISCOVERY_HOSTS: `${origin}=${hostId}` };

/** Stands in all that nobody has made public, that is not approved, or not active: and nowhere else. */
export const hidden = /zz(private|unapproved|inactive)/i;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined where it is none. */
  readonly json: unknown;
}

const isJson = /[/+]json\b/;

/** Asks as everybody does, at the public address; `fetch` would not take its name. */
export function ask(
  server: Server,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      server.address + path,
      { method, headers: { host: domain, ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString();
          const { statusCode: status = 0, headers: answered } = answer;
          resolve({
            status,
            headers: answered,
            bytes,
            text,
            json:
              isJson.test(String(answered['content-type'])) && text !== ''
                ? (JSON.parse(text) as unknown)
                : undefined,
          });
        });
      },
    );
    sent.on('error', reject).end();
  });
}

export interface DiscoveryWorld {
  readonly tools: Readonly<Record<string, string>>;
  readonly skills: Readonly<Record<string, string>>;
  readonly gateways: Readonly<Record<string, string>>;
  readonly agents: Readonly<Record<string, string>>;
}

const operations = (does: string, names: readonly string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Bank', version: '1' },
  paths: Object.fromEntries(
    names.map((name) => [
      `/${name}`,
      { get: { operationId: name, summary: `${does} ${name}.`, responses: { 200: { description: 'ok' } } } },
    ]),
  ),
});
const bank = (does: string, ...names: string[]) => ({
  api: { apiId: 'bank', apiName: 'zzprivate bank' },
  version: { apiVersion: '1', serviceId: 'bank', envTag: 'dev' },
  document: operations(does, names),
  publish: true,
});

const file = (path: string, text: string) => ({ path, base64: Buffer.from(text).toString('base64') });
const folder = (name: string) =>
  `---\nname: ${name}\ndescription: Moves money abroad.\nlicense: MIT\nallowed-tools: getAccount zzprivateTool Bash(git:*)\n---\nMove it.\n`;

/** Makes the host: of everything something public, something private, something that is not approved or not active. */
export async function makeDiscoveryWorld(server: Server): Promise<DiscoveryWorld> {
  const send = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await server.api(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const id = async (path: string, body: object) => String((await send('POST', path, body))['id']);
  const publish = (entityId: string | undefined, entry: object) =>
    send('PUT', `/public-entries/${entityId ?? ''}`, entry);

  await send(
    'POST',
    '/imports',
    bank('Does', 'getAccount', 'listPayments', 'zzprivateTool', 'zzinactiveTool'),
  );
  const teach = (name: string, prompts: readonly string[]) =>
    send('PATCH', `/tools/${tools[name] ?? ''}`, { examplePrompts: prompts });
  const tools = await toolsByName();
  await teach('getAccount', ['What is on account 7?', 'Show my account.']);
  await teach('zzprivateTool', ['zzprivate question?', 'Another zzprivate question?']);
  // From here on what changes waits for a review.
  await send('PUT', '/settings', { autoApprove: false });
  await send(
    'POST',
    '/imports',
    bank('zzunapproved', 'getAccount', 'listPayments', 'zzprivateTool', 'zzinactiveTool', 'zzunapprovedTool'),
  );
  Object.assign(tools, await toolsByName());
  await teach('zzunapprovedTool', ['zzunapproved question?', 'Another zzunapproved question?']);
  await send('POST', `/tools/${tools['zzinactiveTool'] ?? ''}/deactivate`);

  const skills = {
    refunds: await id('/skills', {
      name: 'Refund money',
      description: 'Pays back.',
      contentMarkdown: 'Pay back.',
    }),
    abroad: await id('/skills/import', {
      files: [
        file('SKILL.md', folder('abroad')),
        file('scripts/run.sh', 'echo'),
        file('.husky/pre-commit', 'echo'),
      ],
    }),
    private: await id('/skills', { name: 'zzprivate skill', contentMarkdown: 'zzprivate' }),
    inactive: await id('/skills', { name: 'zzinactive skill', contentMarkdown: 'zzinactive' }),
  };
  for (const skillId of Object.values(skills))
    for (const toolId of Object.values(tools))
      await server.api('PUT', `/skills/${skillId}/tools/${toolId}`, { body: {} });
  await send('PUT', `/skills/${skills.refunds}/dependencies/${skills.private}`, { required: false });

  const gateways = { open: v7(), private: v7(), inactive: v7() };
  for (const [name, gatewayId] of Object.entries(gateways)) {
    const profile = {
      serviceId: `zzprivate-${name}`,
      envTag: 'dev',
      url: `https://zzprivate.internal/${name}`,
    };
    await send('PUT', `/gateways/${gatewayId}`, {
      ...profile,
      auth: { type: 'bearer', secret: 'zzprivate-secret' },
    });
  }
  const exposed = Object.entries(tools).filter(([name]) => !/zz(unapproved|inactive)/.test(name));
  await send('PUT', `/gateways/${gateways.open}/exposures`, {
    tools: exposed.map(([, toolId]) => ({ toolId })),
  });

  const agents: Record<string, string> = {};
  for (const name of ['helper', 'lonely', 'zzprivate-agent', 'zzinactive-agent']) {
    await send('POST', '/apis', { apiId: name, apiName: name });
    const version = { apiVersion: '2.1.0', apiType: 'agent', serviceId: name, envTag: 'dev' };
    agents[name] = await id(`/apis/${name}/versions`, version);
    await send('PUT', `/agents/${agents[name] ?? ''}`, {});
  }
  const assigned = [{ skillId: skills.refunds }, { skillId: skills.private }];
  for (const name of ['helper', 'zzprivate-agent', 'zzinactive-agent'])
    await send('POST', `/agents/${agents[name] ?? ''}/skills`, { skills: assigned });
  await send('POST', `/agents/${agents['lonely'] ?? ''}/skills`, { skills: [{ skillId: skills.private }] });

  for (const name of ['getAccount', 'listPayments', 'zzunapprovedTool', 'zzinactiveTool'])
    await publish(tools[name], { kind: 'tool' });
  await publish(skills.refunds, { kind: 'skill' });
  await publish(skills.abroad, { kind: 'skill', name: 'money-abroad' });
  await publish(skills.inactive, { kind: 'skill' });
  await send('POST', `/skills/${skills.inactive}/deactivate`);
  const url = 'https://mcp.example.com/bank';
  const long = `Accounts and payments of the bank. ${'More of it, and still more. '.repeat(8)}`;
  await publish(gateways.open, { kind: 'gateway', name: 'bank', description: long, url });
  await publish(gateways.inactive, { kind: 'gateway', url });
  await send('POST', `/gateways/${gateways.inactive}/deactivate`);
  for (const name of ['helper', 'lonely', 'zzinactive-agent'])
    await publish(agents[name], {
      kind: 'agent',
      description: 'Helps.',
      url: 'https://agents.example.com/a2a',
    });
  await send('POST', `/agents/${agents['zzinactive-agent'] ?? ''}/deactivate`);
  return { tools, skills, gateways, agents };

  async function toolsByName(): Promise<Record<string, string>> {
    const { items } = await send('GET', '/tools?active=all&limit=500');
    const listed = items as readonly { readonly name: string; readonly toolId: string }[];
    return Object.fromEntries(listed.map(({ name, toolId }) => [name, toolId]));
  }
}
