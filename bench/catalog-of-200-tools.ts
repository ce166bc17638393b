import type { Ask } from './programs.js';

/** Makes an agent with 20 skills of 10 tools each, the way an operator does: over HTTP. */

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
export const registered = { serviceId: 'bench-agent', envTag: 'dev' };

const skills = 20;
const toolsEach = 10;

export interface BenchAgent {
  readonly agentDefId: string;
  readonly skillId: string;
  /** Path and query of its effective catalog. */
  readonly path: string;
}

export async function makeBenchAgent(ask: Ask): Promise<BenchAgent> {
  const version = { apiVersion: '1', serviceId: 'bench-api', envTag: 'dev' };
  await ask('POST', '/imports', { api: { apiId: 'bench' }, version, document: document(), publish: true });
  const tools = await ask<{ items: { toolId: string }[] }>('GET', '/tools?limit=500');
  const skillIds: string[] = [];
  for (let n = 0; n < skills; n += 1) {
    const contentMarkdown = `# Skill ${String(n)}\n\n${'Read before you write, and say what you did. '.repeat(10)}`;
    const { id } = await ask<{ id: string }>('POST', '/skills', {
      name: `Skill ${String(n)}`,
      contentMarkdown,
    });
    skillIds.push(id);
    for (const { toolId } of tools.items.slice(n * toolsEach, (n + 1) * toolsEach)) {
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

function document(): object {
  const operations = Array.from({ length: skills * toolsEach }, (_, n) => [
    `/things-${String(n)}/{thingNo}`,
    { get: operation(n) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: Object.fromEntries(operations) as object,
  };
}

function operation(n: number): object {
  const text = { type: 'string', minLength: 1, maxLength: 40 };
  return {
    operationId: `getThing${String(n)}`,
    tags: ['things'],
    description: `Finds one thing of kind ${String(n)} by its number, with its state, its owner and its last readings.`,
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
