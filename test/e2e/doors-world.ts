/** The world that every door is tried on, and where it would show what nobody has approved. */
import { v7 } from 'uuid';
import { isSoak } from '../soak.js';
import {
  all,
  document,
  lastAnswer,
  mark,
  taking,
  text,
  type Try,
  unapproved,
  waiting,
  type Who,
  type World,
} from './door-tries.js';
import { fresh, guardsWorld } from './guards-world.js';
import type { Server } from './server.js';

interface Read {
  readonly digest: string;
}

/** Doors that nobody comes through who may not approve, or has written it. */
const approving = /(approve|approve_tool_version|changes\/accept|accept_tool_changes)$/;

/** The world that every door is tried on, and the tries. */
export function doorsWorld(server: () => Server) {
  const { ask, approve, bring, toolOf, agentWith } = guardsWorld(server);
  const tokens: Record<Who, string> = { author: '', owner: '', admin: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope: `${scope} catalog:approve` });
    tokens.owner = await server().token({ sub: 'ada', scope: `${scope} catalog:approve catalog:admin` });
    tokens.admin = await server().token({ sub: 'joan', scope: `${scope} catalog:admin` });
    tokens.reviewer = await server().token({ sub: 'grace', scope: `${scope} catalog:approve catalog:admin` });
  });

  async function made(): Promise<World> {
    const [op, apiId] = [fresh('op'), fresh('doors')];
    const { apiVersionId, items } = await bring(apiId, document(op, {}), { publish: true }, tokens.author);
    const { toolId: tool } = await toolOf(apiId);
    const [scriptName, firstName] = [fresh('script'), fresh('first')];
    const create = async (name: string, description: string) => {
      const body = { name, implementationType: 'python', description, inputSchema: taking('path') };
      return (await ask<{ id: string }>('POST', '/tools', body, tokens.author)).id;
    };
    const script = await create(scriptName, 'Reads a file.');
    const first = await create(firstName, text);
    const agent = await agentWith([tool, script, first]);
    const { items: skills } = await ask<{ items: { skillId: string; skillName: string }[] }>(
      'GET',
      `/agents/${agent}/skills`,
    );
    const [gateway, serviceId] = [v7(), fresh('gateway')];
    const url = 'https://gateway.example/mcp';
    await ask('PUT', `/gateways/${gateway}`, { serviceId, envTag: 'dev', url });
    const exposed = [tool, script, first].map((toolId) => ({ toolId, targetHost: 'https://shop.example' }));
    await ask('PUT', `/gateways/${gateway}/exposures`, { tools: exposed });
    const world: World = {
      ...{ op, apiId, apiVersionId, endpointId: items[0]?.endpointId ?? '', tool, script, scriptName },
      ...{ first, firstName, agent, skill: skills[0]?.skillId ?? '' },
      ...{ skillName: skills[0]?.skillName ?? '', gateway, gatewayName: `${serviceId}@dev`, digests: {} },
    };
    await bring(apiId, unapproved(world), {}, tokens.author);
    const versions = `/tools/${script}/versions`;
    await ask(
      'POST',
      versions,
      { version: '2.0.0', description: text, inputSchema: taking(mark) },
      tokens.author,
    );
    await ask('POST', `${versions}/2.0.0/submit`, {}, tokens.author);
    const read = waiting(world).map(async (path) => [path, (await ask<Read>('GET', path)).digest]);
    return { ...world, digests: Object.fromEntries(await Promise.all(read)) as World['digests'] };
  }

  /** Where the mark shows: all that the agent reads with its own token, and what is deployed and rendered for it. */
  async function leaks(world: World): Promise<readonly string[]> {
    const token = await server().token({
      ...{ sub: 'agent', sid: ['desk', 'shop'], agent_def_id: world.agent },
      scope: 'catalog:read',
    });
    const at = 'serviceId=desk&envTag=dev';
    const nodes = ['Tool', 'Endpoint', 'ToolParam', 'ApiVersion', 'Skill'].map((entity): Reading => {
      const query = { query_type: 'traversal', nodes: [{ id: 'a', entity, columns: '*' }] };
      return ['POST', '/graph/query', { query }];
    });
    const names = [world.op, world.scriptName, world.firstName];
    const own: Reading[] = [
      ['GET', `/agents/${world.agent}/effective-catalog?${at}&examples=true&withheld=true`],
      ...[...names, mark].map((prompt): Reading => [
        'POST',
        '/search',
        { prompt, kinds: ['tool', 'endpoint', 'skill'] },
      ]),
      ['POST', '/agent/commands/search_tools', { prompt: mark }],
      ['POST', '/agent/commands/get_skill', { skillId: world.skill }],
      ...names.map((name): Reading => ['POST', '/agent/commands/get_tool', { name }]),
      ...nodes,
      ...['/tools?limit=500', '/endpoints?limit=500', '/skills?limit=500'].map((path): Reading => [
        'GET',
        path,
      ]),
      ['GET', `/endpoints/${world.endpointId}`],
      ['GET', `/skills/${world.skill}/export?format=skill-md`],
      ...all(world).flatMap((toolId) =>
        ['', '/params', '/versions', '/versions/1.0.0', '/versions/1.0.1', '/versions/2.0.0'].map(
          (path): Reading => ['GET', `/tools/${toolId}${path}`],
        ),
      ),
    ];
    const deployed: Reading[] = [
      ['GET', `/gateways/${world.gateway}/config`],
      ['GET', `/gateways/${world.gateway}/tools-list`],
      ['GET', `/tool-clients/typescript?format=json&apiVersionId=${world.apiVersionId}`],
      ['GET', `/skills/${world.skill}/export?format=skill-md`],
    ];
    const found: string[] = [];
    const look = async (readings: readonly Reading[], given?: string): Promise<void> => {
      for (const [method, path, body] of readings) {
        const answer = await server().api(method, path, {
          ...(given !== undefined && { token: given }),
          ...(body && { body }),
        });
        // A reading that is not understood finds nothing, whatever there is.
        if (answer.status === 400) throw new Error(`${method} ${path}: ${answer.text}`);
        const own = JSON.stringify(body ?? {}).includes(mark)
          ? answer.text.replaceAll(`"${mark}"`, '')
          : answer.text;
        if (own.includes(mark)) found.push(`${method} ${path} ${JSON.stringify(body ?? {})}`);
      }
    };
    await look(own, token);
    await look(deployed);
    return found;
  }
  type Reading = readonly [method: string, path: string, body?: object];

  /** What waits, and the states of the tools whose it is. */
  async function stateOf(world: World): Promise<string> {
    const found: unknown[] = [];
    for (const toolId of all(world)) {
      const { active, lifecycleStatus } = await ask('GET', `/tools/${toolId}`);
      found.push(active, lifecycleStatus, await ask('GET', `/tools/${toolId}/versions`));
    }
    return JSON.stringify(found);
  }

  let shared: { readonly world: World; readonly state: string } | undefined;
  /** In a soak each door has a world of its own; else doors share one for as long as all waits in it as at first. */
  async function anyWorld(): Promise<World> {
    if (!isSoak && shared !== undefined && (await stateOf(shared.world)) === shared.state)
      return shared.world;
    const world = await made();
    shared = { world, state: await stateOf(world) };
    return world;
  }

  /** Tries all of them on one world, and finds that each is refused or does what agents do not see. */
  async function trying(triesOf: (world: World) => readonly Try[]): Promise<void> {
    const world = await anyWorld();
    const answers: number[] = [];
    let last: object = {};
    for (const [who, method, path, given] of triesOf(world)) {
      const body = given === lastAnswer ? last : given;
      const answer = await server().api<{ code?: string }>(method, path, {
        token: tokens[who],
        ...(body && { body }),
      });
      const { status } = answer;
      last = answer.body;
      answers.push(status);
      if (approving.test(path) && !path.startsWith('/endpoints/')) {
        expect([403, 409]).toContain(status);
        expect(answer.body.code).not.toBe('version_changed');
      }
    }
    expect(answers.filter((status) => status >= 500 || [400, 404].includes(status))).toEqual([]);
    expect(await leaks(world)).toEqual([]);
  }

  return { ask, approve, made, leaks, trying, tokens };
}
