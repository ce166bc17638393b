import type { Ask } from './programs.js';

/** Makes an agent with skills of 10 tools each, the way an operator does: over HTTP. */

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
export const registered = { serviceId: 'bench-agent', envTag: 'dev' };

const toolsEach = 10;

export interface BenchAgent {
  readonly agentDefId: string;
  readonly skillId: string;
  /** Path and query of its effective catalog. */
  readonly path: string;
}

/** What a tool is called and does. */
export type Naming = (index: number) => { readonly name: string; readonly description: string };

export async function makeBenchAgent(ask: Ask, skills = 20, naming = things): Promise<BenchAgent> {
  const version = { apiVersion: '1', serviceId: 'bench-api', envTag: 'dev' };
  await ask('POST', '/imports', {
    api: { apiId: 'bench' },
    version,
    document: documentOf(skills * toolsEach, naming),
    publish: true,
  });
  const toolIds = await allTools(ask);
  const skillIds: string[] = [];
  for (let n = 0; n < skills; n += 1) {
    const contentMarkdown = `# Skill ${String(n)}\n\n${'Read before you write, and say what you did. '.repeat(10)}`;
    const { id } = await ask<{ id: string }>('POST', '/skills', {
      name: `Skill ${String(n)}`,
      contentMarkdown,
    });
    skillIds.push(id);
    for (const toolId of toolIds.slice(n * toolsEach, (n + 1) * toolsEach)) {
      await ask('PUT', `/skills/${id}/tools/${toolId}`, {});
    }
  }
  await ask('POST', '/apis', { apiId: 'agent', apiName: 'Bench Agent' });
  const agent = { apiVersion: '1', apiType: 'agent', ...registered };
  const { id: agentDefId } = await ask<{ id: string }>('POST', '/apis/agent/versions', agent);
  await ask('PUT', `/agents/${agentDefId}`, { personas: ['teller'] });
  await ask('POST', `/agents/${agentDefId}/skills`, { skills: skillIds.map((skillId) => ({ skillId })) });
  const query = new URLSearchParams(registered).toString();
  const path = `/v1/hosts/${hostId}/agents/${agentDefId}/effective-catalog?${query}`;
  return { agentDefId, skillId: skillIds[0] ?? '', path };
}

async function allTools(ask: Ask): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const query = `limit=500&apiId=bench${cursor}`;
    const page = await ask<{ items: { toolId: string }[]; nextCursor?: string }>('GET', `/tools?${query}`);
    ids.push(...page.items.map(({ toolId }) => toolId));
    if (page.nextCursor === undefined) return ids;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

const things: Naming = (n) => ({
  name: `getThing${String(n)}`,
  description: `Finds one thing of kind ${String(n)} by its number, with its state, its owner and its last readings.`,
});

/** An API of so many tools. */
export function documentOf(tools: number, naming = things): object {
  const operations = Array.from({ length: tools }, (_, n) => [
    `/things-${String(n)}/{thingNo}`,
    { get: operation(naming(n)) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: Object.fromEntries(operations) as object,
  };
}

function operation({ name, description }: ReturnType<Naming>): object {
  const text = { type: 'string', minLength: 1, maxLength: 40 };
  return {
    operationId: name,
    tags: ['things'],
    description,
    parameters: [
      { name: 'thingNo', in: 'path', required: true, description: 'Number of the thing.', schema: text },
      {
        name: 'since',
        in: 'query',
        description: 'Readings from this day on.',
        schema: { type: 'string', format: 'date' },
      },
      { name: 'limit', in: 'query', description: 'Most readings.', schema: { type: 'integer', default: 10 } },
    ],
    responses: {
      200: {
        description: 'The thing.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['thingNo', 'state'],
              properties: { thingNo: text, state: { enum: ['new', 'used', 'gone'] }, owner: text },
            },
          },
        },
      },
    },
  };
}
