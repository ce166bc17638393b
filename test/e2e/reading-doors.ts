import { declaredRoutes } from '../../src/openapi.js';
import type { Server } from './server.js';

/** Every route that answers with JSON to who only looks; other reads are named below. */
const lookedAt = declaredRoutes()
  .filter(({ method, operation }) => method === 'GET' && operation.answerType !== 'text/event-stream')
  .filter(({ url }) => url.startsWith('/v1/hosts/:hostId/'));

/** What a world's records are called, by the parameter of routes: `toolId`, `agentDefId`, … */
export type Names = Readonly<Record<string, string>>;
type Reading = readonly [method: string, path: string, body?: object];

/** Who looks, at what, and by which prompts. */
interface Looking {
  readonly names: Names;
  readonly token: string;
  readonly prompts: readonly [string, ...string[]];
}

const query = (entity: string): Reading => [
  'POST',
  '/graph/query',
  { query: { query_type: 'traversal', nodes: [{ id: 'a', entity, columns: '*' }] } },
];

/** Everything that a reader is answered, by door. */
export async function answersAtDoors(
  server: Server,
  { names, token, prompts }: Looking,
): Promise<ReadonlyMap<string, string>> {
  const looks = lookedAt.map(({ url, operation }): Reading => {
    const path = url
      .replace('/v1/hosts/:hostId', '')
      .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? 'zznobody'));
    const example = (operation.example.query ?? {}) as Names;
    const given = Object.fromEntries(
      Object.keys(example).flatMap((name) => (names[name] === undefined ? [] : [[name, names[name]]])),
    );
    const asked = url.endsWith('/effective-catalog') ? { ...given, examples: 'true' } : given;
    return ['GET', `${path}?${new URLSearchParams(asked).toString()}`];
  });
  const entities = ['Api', 'ApiVersion', 'Endpoint', 'Tool', 'ToolParam', 'Skill', 'Category', 'Tag'];
  const readings: readonly Reading[] = [
    ...looks,
    ...['/endpoints', '/tools', '/endpoints/facets'].map((path): Reading => [
      'GET',
      `${path}?apiId=${names['apiId'] ?? ''}`,
    ]),
    ['GET', `/skills/${names['skillId'] ?? ''}/export?format=skill-md`],
    ...entities.map(query),
    ...prompts.map((prompt): Reading => [
      'POST',
      '/search',
      { prompt, kinds: ['tool', 'endpoint', 'skill'], explain: true, limit: 50 },
    ]),
    ['POST', '/agent/commands/search_tools', { prompt: prompts[0] }],
    ['POST', '/agent/commands/get_tool', { name: names['toolName'] ?? prompts[0] }],
    ['POST', `/skills/${names['skillId'] ?? ''}/preview`, { prompt: prompts[0] }],
  ];
  const answers = new Map<string, string>();
  for (const [method, path, body] of readings) {
    const { text } = await server.api(method, path, { token, ...(body && { body }) });
    answers.set(`${method} ${path} ${JSON.stringify(body ?? '')}`, text);
  }
  return answers;
}
