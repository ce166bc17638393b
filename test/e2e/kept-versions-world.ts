import { fresh, guardsWorld, lightapi, openapi, override, service } from './guards-world.js';
import type { Server } from './server.js';

/** Stands in every text of one version of the tools here, and in no other. */
export const [older, newer] = ['zzolder', 'zznewer'] as const;

const document = (op: string, word: string) =>
  openapi({
    [op]: {
      ...{ summary: `Finds ${word}.`, description: `Finds ${word}.` },
      parameters: [
        { name: 'shop', in: 'query', required: true, description: word, schema: { type: 'string' } },
        { name: `${word}Day`, in: 'query', required: true, schema: { type: 'string', enum: [word] } },
      ],
      responses: {
        200: {
          description: 'Found.',
          content: { 'application/json': { schema: { type: 'object', description: word } } },
        },
      },
    },
  });
const layer = (op: string, word: string) => {
  const routing = {
    // Of now, whatever the version.
    domain: word === older ? 'shop.orders' : 'shop.lists',
    ...{ semanticNamespace: 'shop', targetPersonas: ['clerk', word === older ? 'porter' : 'reader'] },
    category: word,
    ...{ semanticDescription: `About ${word}.`, semanticKeywords: [word], costTier: word },
    semanticWeight: word === older ? 0.5 : 0.9,
  };
  const made = lightapi(op, routing, {});
  return { ...made, operations: { [op]: { ...made.operations[op], description: `Finds ${word}.` } } };
};
export const taking = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
  required: names,
});

export interface Given {
  readonly toolId: string;
  readonly endpointId?: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly params: readonly { readonly name: string; readonly description?: string }[];
  readonly lifecycleStatus: string;
  readonly safety: Record<string, unknown>;
  readonly routingMetadata: Record<string, unknown>;
}
interface Node extends Record<string, unknown> {
  readonly id: string;
}
interface GraphAnswer {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly from_id: string; readonly to_id: string }[];
  readonly rows?: readonly Record<string, unknown>[];
}
/** A tool of an endpoint and a script, both with an older and a newer version, and agents whose skills keep to one of them or to both. */
export function keptVersionsWorld(server: () => Server) {
  const { ask, approve, bring, toolOf, writer } = guardsWorld(server);
  const tokens = { author: '', reviewer: '' };
  const tools = { read: '', script: '' };
  const ids = { apiId: '', apiVersionId: '', endpointId: '' };

  /** An agent with a skill for each list of links; with its token. */
  const agentTaking = async (skills: readonly (readonly (readonly [toolId: string, range: string])[])[]) => {
    const apiId = fresh('agent');
    await ask('POST', '/apis', { apiId, apiName: apiId });
    const version = { apiVersion: '1', apiType: 'agent', serviceId: 'desk', envTag: 'dev' };
    const { id } = await ask<{ id: string }>('POST', `/apis/${apiId}/versions`, version);
    await ask('PUT', `/agents/${id}`, { maxSensitivityTier: 'restricted', personas: ['clerk'] });
    const skillIds: string[] = [];
    for (const links of skills) {
      const skill = await ask<{ id: string }>('POST', '/skills', {
        name: fresh('skill'),
        contentMarkdown: 'x',
      });
      for (const [toolId, range] of links)
        await ask('PUT', `/skills/${skill.id}/tools/${toolId}`, { accessLevel: 'execute', range });
      skillIds.push(skill.id);
    }
    await ask('POST', `/agents/${id}/skills`, { skills: skillIds.map((skillId) => ({ skillId })) });
    const claims = {
      sid: ['desk', service.serviceId],
      agent_def_id: id,
      scope: 'catalog:read catalog:write',
    };
    return { id, skillIds, token: await server().token(claims) };
  };
  const scriptOf = async (description: string, inputSchema: object) => {
    const body = { name: fresh('readFile'), implementationType: 'python', description, inputSchema };
    return (await ask<{ id: string }>('POST', '/tools', body, tokens.author)).id;
  };
  /** Writes a version, and has it approved by somebody else. */
  const publish = async (toolId: string, version: string, description: string, inputSchema: object) => {
    const versions = `/tools/${toolId}/versions`;
    await ask('POST', versions, { version, description, inputSchema }, tokens.author);
    await ask('POST', `${versions}/${version}/submit`, {}, tokens.author);
    await approve(`${versions}/${version}/approve`, override, tokens.reviewer);
  };
  type Agent = Awaited<ReturnType<typeof agentTaking>>;
  const agents: Record<string, Agent> = {};
  const agentOf = (name: string): Agent => agents[name] ?? { id: '', skillIds: [], token: '' };

  beforeAll(async () => {
    const scope = 'catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    const [apiId, op] = [fresh('kept'), fresh('op')];
    const { apiVersionId, items } = await bring(apiId, document(op, older), {}, writer());
    const layers = `/api-versions/${apiVersionId}/imports`;
    await ask('POST', layers, { document: layer(op, older) }, writer());
    await ask('POST', '/tools/publish', { filter: { apiVersionId } }, writer());
    tools.read = (await toolOf(apiId)).toolId;
    Object.assign(ids, { apiId, apiVersionId, endpointId: items[0]?.endpointId ?? '' });
    await bring(apiId, document(op, newer), {}, tokens.author);
    await ask('POST', layers, { document: layer(op, newer) }, tokens.author);
    await approve(`/tools/${tools.read}/versions/2.0.1/approve`, override, tokens.reviewer);

    tools.script = await scriptOf(`Reads ${older}.`, taking(`${older}Path`, 'path'));
    await publish(tools.script, '2.0.0', `Reads ${newer}.`, taking(`${newer}Path`));
    const optional = { ...taking(`${older}Path`, 'path'), required: ['path'] };
    await publish(tools.script, '1.1.0', `Reads ${older}, slowly.`, optional);
    const linked = (read: string, script: string) =>
      Object.entries({ [tools.read]: read, [tools.script]: script });
    agents['pinned'] = await agentTaking([linked('1.0.0', '1.0.0')]);
    agents['newest'] = await agentTaking([linked('^2', '^2')]);
    agents['both'] = await agentTaking([linked('1.0.0', '1.0.0'), linked('^2', '^1')]);
  });

  /** What the catalog discloses of each tool, at the highest version. */
  const givenTo = async ({ id, token }: Agent): Promise<readonly Given[]> => {
    const path = `/agents/${id}/effective-catalog?serviceId=desk&envTag=dev`;
    const { skills } = await ask<{ skills: { tools: Given[] }[] }>('GET', path, undefined, token);
    const highest = new Map<string, Given>();
    for (const tool of skills.flatMap(({ tools }) => tools)) {
      const other = highest.get(tool.toolId);
      if (other === undefined || other.version < tool.version) highest.set(tool.toolId, tool);
    }
    return [...highest.values()].sort((one, two) => (one.name < two.name ? -1 : 1));
  };
  const graph = (query: object, token?: string, agentDefId?: string): Promise<GraphAnswer> =>
    ask('POST', '/graph/query', { query, ...(agentDefId !== undefined && { agentDefId }) }, token);
  /** By whom the graph is asked: the agent, and an administrator as the agent. */
  const asking = ({ id, token }: Agent) => [[token, undefined] as const, [undefined, id] as const];

  return { ask, tools, ids, agentOf, agentTaking, scriptOf, publish, givenTo, graph, asking };
}
