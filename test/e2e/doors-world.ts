/** What is tried of the doors that lead to agents, and where it would show. */
import { v7 } from 'uuid';
import { isSoak } from '../soak.js';
import { fresh, guardsWorld, openapi, override, poison, service } from './guards-world.js';
import type { Server } from './server.js';

/** Stands in all that nobody has approved, and nowhere else. */
export const mark = 'zzunapproved';
const text = `Does it, ${mark}. ${poison}`;
const taking = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

/** What each door is tried on: tools whose new version, or whose first one, waits. */
export interface World {
  readonly op: string;
  readonly apiId: string;
  readonly apiVersionId: string;
  readonly endpointId: string;
  /** Of an endpoint: version 2.0.0 waits, which a document has brought. */
  readonly tool: string;
  /** Without an endpoint: version 2.0.0 waits, which its author has written. */
  readonly script: string;
  readonly scriptName: string;
  /** Its first version waits. */
  readonly first: string;
  readonly firstName: string;
  readonly agent: string;
  readonly skill: string;
  /** Of the skill; and the API of the agent. */
  readonly skillName: string;
  readonly gateway: string;
  readonly gatewayName: string;
  /** Of what waits, by its path. */
  readonly digests: Readonly<Record<string, string | undefined>>;
}

/**
 * `author`: may approve, and has written all. `owner`: the same with an administrator’s token. `admin`: may not approve. `reviewer`:
 * may, and nothing has been evaluated.
 */
type Who = 'author' | 'owner' | 'admin' | 'reviewer';
export type Try = readonly [who: Who, method: string, path: string, body?: object];
/** As a body: what the try before was answered. */
const lastAnswer: object = {};

const document = (op: string, said: object) => openapi({ [op]: said });
const unapproved = ({ op }: World): object =>
  document(op, { summary: text, parameters: [{ name: mark, in: 'query', required: true, schema: {} }] });
export const all = ({ tool, script, first }: World): readonly string[] => [tool, script, first];
const ofAll = (world: World, tries: (toolId: string) => readonly Try[]): readonly Try[] =>
  all(world).flatMap(tries);
const offAndOn = (path: string, who: Who = 'admin'): readonly Try[] => [
  [who, 'POST', `${path}/deactivate`],
  [who, 'POST', `${path}/activate`],
];
/** Each version that waits, as path and number. */
export const waiting = ({ tool, script, first }: World): readonly string[] => [
  `/tools/${tool}/versions/2.0.0`,
  `/tools/${script}/versions/2.0.0`,
  `/tools/${first}/versions/1.0.0`,
];
const ofWaiting = (
  world: World,
  tries: (path: string, read: { readonly digest: string | undefined }) => readonly Try[],
): readonly Try[] => waiting(world).flatMap((path) => tries(path, { digest: world.digests[path] }));

const decisions = (path: string, read: object): readonly Try[] => [
  ['author', 'POST', path, read],
  ['owner', 'POST', path, read],
  ['reviewer', 'POST', path, read],
  ['admin', 'POST', path, { ...read, ...override }],
];

/** By operation: how it is tried. What takes no tool and nothing that has one stands in {@link elsewhere}. */
export const doors: Readonly<Record<string, (world: World) => readonly Try[]>> = {
  approveToolVersion: (world) => ofWaiting(world, (path, read) => decisions(`${path}/approve`, read)),
  acceptToolChanges: (world) => [
    ...ofWaiting(world, (path, read) =>
      path.includes(world.script) ? [] : decisions(path.replace(/versions.*/, 'changes/accept'), read),
    ),
    // A version that somebody has written is no change of the source, and does not go with one.
    ['reviewer', 'POST', `/tools/${world.script}/changes/accept?`, override],
  ],
  rejectToolVersion: (world) =>
    ofWaiting(world, (path, read) => [
      ['admin', 'POST', `${path}/reject`, { reason: 'No.' }],
      ['reviewer', 'POST', `${path}/reject`, { reason: 'No.' }],
      ['reviewer', 'POST', `${path}/approve`, { ...read, ...override }],
    ]),
  withdrawToolVersion: (world) => ofWaiting(world, (path) => [['author', 'POST', `${path}/withdraw`, {}]]),
  submitToolVersion: (world) => ofWaiting(world, (path) => [['author', 'POST', `${path}/submit`, {}]]),
  evaluateToolVersion: (world) =>
    ofWaiting(world, (path, read) => [
      ['author', 'POST', `${path}/evaluate`, { config: { prompts: [{ prompt: mark }] }, dataSets: [] }],
      ['reviewer', 'POST', `${path}/approve`, read],
    ]),
  deprecateToolVersion: (world) =>
    ofWaiting(world, (path) => [
      ['author', 'POST', `${path}/deprecate`, { on: '2027-01-01', message: 'Take another.' }],
    ]),
  retireToolVersion: (world) => [
    ...ofWaiting(world, (path) => [['author', 'POST', `${path}/retire`, { reason: 'No.' }]]),
    ...ofAll(world, (toolId) => [
      ['author', 'POST', `/tools/${toolId}/versions/1.0.0/retire`, { reason: 'No.' }],
    ]),
  ],
  draftToolVersion: (world) =>
    ofAll(world, (toolId) =>
      ['1.0.0', '2.0.0', '3.0.0'].map((version) => {
        const body = { version, description: text, inputSchema: taking(mark) };
        return ['author', 'POST', `/tools/${toolId}/versions`, body] as const;
      }),
    ),
  pushToolSpec: ({ op, scriptName, firstName }) =>
    [op, scriptName, firstName].flatMap((name) =>
      ['1.0.0', '2.0.0', '4.0.0'].map((version) => {
        const spec = `version: ${version}\nname: ${name}\ndescription: ${mark}\nhost: shop\ninputSchema:\n  parameters: []\n`;
        return ['author', 'POST', '/tools/specs', { specText: spec }] as const;
      }),
    ),
  createTool: ({ op, scriptName }) =>
    [op, scriptName, fresh('other')].map((name) => {
      const body = { name, implementationType: 'python', description: text, inputSchema: taking(mark) };
      return ['author', 'POST', '/tools', body] as const;
    }),
  updateTool: (world) =>
    ofAll(world, (toolId) => [
      ['author', 'PATCH', `/tools/${toolId}`, { description: text }],
      ['author', 'PATCH', `/tools/${toolId}`, { inputSchema: taking(mark) }],
      ['author', 'PATCH', `/tools/${toolId}`, { examplePrompts: [text] }],
      ['author', 'PATCH', `/tools/${toolId}`, { routing: { semanticDescription: text } }],
      ['author', 'PATCH', `/tools/${toolId}`, { lifecycleStatus: 'deprecated' }],
    ]),
  teachTools: (world) =>
    ofAll(world, (toolId) => [
      ['author', 'POST', '/tools/examples', { items: [{ toolId, prompts: [text] }], mode: 'add' }],
    ]),
  publishTools: ({ apiVersionId }) => [
    ['author', 'POST', '/tools/publish', { filter: { apiVersionId } }],
    ['admin', 'POST', '/tools/publish', { filter: { apiVersionId }, onConflict: 'prefix' }],
  ],
  activateTool: (world) => ofAll(world, (toolId) => offAndOn(`/tools/${toolId}`, 'author')),
  deactivateTool: (world) => ofAll(world, (toolId) => offAndOn(`/tools/${toolId}`)),
  putToolTaxonomy: (world) =>
    ofAll(world, (toolId) => [
      ['author', 'PUT', `/tools/${toolId}/taxonomy`, { categoryIds: [], tagIds: [] }],
    ]),
  putEndpointTaxonomy: ({ endpointId }) => [
    ['author', 'PUT', `/endpoints/${endpointId}/taxonomy`, { categoryIds: [], tagIds: [] }],
  ],
  updateEndpoint: ({ endpointId }) => [
    ['author', 'PATCH', `/endpoints/${endpointId}`, { description: text }],
    ['author', 'PATCH', `/endpoints/${endpointId}`, { routing: { semanticDescription: text } }],
    ['author', 'PATCH', `/endpoints/${endpointId}`, { description: null, routing: null }],
  ],
  acceptEndpointChanges: ({ endpointId }) => [
    ['author', 'POST', `/endpoints/${endpointId}/changes/accept`],
    ['admin', 'POST', `/endpoints/${endpointId}/changes/accept`],
  ],
  settleEndpointConflict: ({ endpointId }) => [
    [
      'admin',
      'POST',
      `/endpoints/${endpointId}/conflicts/settle`,
      { field: 'description', take: 'lightapi_endpoint' },
    ],
  ],
  activateEndpoint: ({ endpointId }) => offAndOn(`/endpoints/${endpointId}`),
  deactivateEndpoint: ({ endpointId }) => offAndOn(`/endpoints/${endpointId}`, 'author'),
  createApi: ({ apiId }) => [['author', 'POST', '/apis', { apiId, apiName: mark }]],
  updateApi: ({ apiId }) => [['admin', 'PATCH', `/apis/${apiId}`, { apiDesc: 'Other.' }]],
  activateApi: ({ apiId }) => offAndOn(`/apis/${apiId}`),
  deactivateApi: ({ apiId }) => offAndOn(`/apis/${apiId}`, 'author'),
  createApiVersion: (world) => [
    [
      'author',
      'POST',
      `/apis/${world.apiId}/versions`,
      { apiVersion: '2', apiType: 'openapi', ...service, spec: unapproved(world) },
    ],
  ],
  updateApiVersion: (world) => [
    ['author', 'PATCH', `/api-versions/${world.apiVersionId}`, { spec: unapproved(world) }],
    ['admin', 'PATCH', `/api-versions/${world.apiVersionId}`, { quarantine: true }],
    ['admin', 'PATCH', `/api-versions/${world.apiVersionId}`, { quarantine: false }],
  ],
  activateApiVersion: ({ apiVersionId }) => offAndOn(`/api-versions/${apiVersionId}`),
  deactivateApiVersion: ({ apiVersionId }) => offAndOn(`/api-versions/${apiVersionId}`, 'author'),
  resyncApiVersion: ({ apiVersionId }) => [
    ['author', 'POST', `/api-versions/${apiVersionId}/resync`],
    ['admin', 'POST', `/api-versions/${apiVersionId}/resync`],
  ],
  importIntoApiVersion: (world) => [
    [
      'admin',
      'POST',
      `/api-versions/${world.apiVersionId}/imports`,
      { document: unapproved(world), publish: true },
    ],
    ['author', 'POST', `/api-versions/${world.apiVersionId}/imports`, { document: document(world.op, {}) }],
    ['author', 'POST', `/api-versions/${world.apiVersionId}/imports`, { document: unapproved(world) }],
  ],
  importApi: (world) => {
    const body = { api: { apiId: world.apiId }, version: { apiVersion: '1', ...service } };
    return [
      ['author', 'POST', '/imports', { ...body, document: unapproved(world), dryRun: true }],
      ['author', 'POST', '/imports', { ...body, document: unapproved(world), publish: true }],
      ['admin', 'POST', '/imports', { ...body, document: unapproved(world), publish: true }],
    ];
  },
  putSkillTool: (world) =>
    ofAll(world, (toolId) =>
      ['2.0.0', '^2', '~2.0', 'approved', '1.0.0'].map((range) => {
        const body = { accessLevel: 'execute', range };
        return ['author', 'PUT', `/skills/${world.skill}/tools/${toolId}`, body] as const;
      }),
    ),
  deleteSkillTool: ({ skill, tool }) => [
    ['author', 'DELETE', `/skills/${skill}/tools/${tool}`],
    ['author', 'PUT', `/skills/${skill}/tools/${tool}`, { accessLevel: 'execute' }],
  ],
  updateSkill: ({ skill }) => [['author', 'PATCH', `/skills/${skill}`, { description: 'Other.' }]],
  activateSkill: ({ skill }) => offAndOn(`/skills/${skill}`, 'author'),
  deactivateSkill: ({ skill }) => offAndOn(`/skills/${skill}`),
  draftSkillFromTools: (world) => [
    ['author', 'POST', '/skills/from-tools', { toolIds: all(world), name: fresh('drafted') }],
  ],
  saveSkill: (world) =>
    ['2.0.0', '^2', 'approved', '1.0.0'].map((range): Try => {
      const tools = all(world).map((toolId) => ({ toolId, accessLevel: 'execute', range }));
      return ['author', 'POST', '/skills/save', { skillId: world.skill, tools }];
    }),
  previewSkill: ({ skill, op }) => [['author', 'POST', `/skills/${skill}/preview`, { prompt: op }]],
  createAgentSkill: ({ agent, skill }) => [
    ['author', 'POST', `/agents/${agent}/skills`, { skills: [{ skillId: skill }] }],
  ],
  replaceAgentSkills: ({ agent, skill }) => [
    ['author', 'PUT', `/agents/${agent}/skills`, { skills: [{ skillId: skill }] }],
  ],
  putAgentSkill: ({ agent, skill }) => [['author', 'PUT', `/agents/${agent}/skills/${skill}`, {}]],
  updateAgentSkill: ({ agent, skill }) => [
    ['author', 'PATCH', `/agents/${agent}/skills/${skill}`, { priority: 7 }],
  ],
  putAgentDefinition: ({ agent }) => [
    ['admin', 'PUT', `/agents/${agent}`, { maxSensitivityTier: 'restricted', personas: ['clerk'] }],
  ],
  activateAgentDefinition: ({ agent }) => offAndOn(`/agents/${agent}`, 'author'),
  putToolExposures: (world) => [
    [
      'admin',
      'PUT',
      `/gateways/${world.gateway}/exposures`,
      { tools: all(world).map((toolId) => ({ toolId, targetHost: 'https://shop.example' })) },
    ],
  ],
  activateGateway: ({ gateway }) => offAndOn(`/gateways/${gateway}`),
  putHostSettings: () => [
    ['admin', 'PUT', '/settings', { quarantine: true, autoApprove: false }],
    ['admin', 'PUT', '/settings', { quarantine: false, autoApprove: true }],
  ],
  planCode: (world) => planned(world, 'owner'),
  applyCode: (world) =>
    planned(world, 'owner').flatMap((plan): readonly Try[] => [
      plan,
      ['owner', 'POST', '/code/plans/apply', lastAnswer],
    ]),
  invokeAgentCommand: ({ skill, agent, ...world }) => [
    ...ofAll({ skill, agent, ...world }, (toolId) =>
      ['2.0.0', 'approved'].map((range) => {
        const body = { skillId: skill, toolId, accessLevel: 'execute', range };
        return ['author', 'POST', '/agent/commands/link_tool', body] as const;
      }),
    ),
    ['author', 'POST', '/agent/commands/assign_skill', { agentDefId: agent, skillId: skill }],
    ['author', 'POST', '/agent/commands/draft_skill', { name: fresh('drafted'), contentMarkdown: 'x' }],
    ...Object.keys(versionCommands).flatMap((name) => versionCommandTries(name, { skill, agent, ...world })),
  ],
};

/** Documents that would bring agents what waits, a plan of each. */
function planned(world: World, who: Who): readonly Try[] {
  const { apiId, op, scriptName, firstName, skillName, gatewayName } = world;
  const names = [op, scriptName, firstName];
  const linked = (range: string) => names.map((name) => ({ name, accessLevel: 'execute', range }));
  const exposed = [`${apiId}@1/${op}`, scriptName, firstName].map((tool) => ({ tool }));
  const documents: readonly (readonly [kind: string, key: string, spec: object])[] = [
    ...['2.0.0', '^2', 'approved', '1.0.0'].map(
      (range) => ['Skill', skillName, { tools: linked(range) }] as const,
    ),
    ['ApiVersion', `${apiId}@1`, { quarantine: false }],
    ...[false, true].map((active) => ['ApiVersion', `${apiId}@1`, { active }] as const),
    ...[false, true].map((active) => ['Api', apiId, { active }] as const),
    ['Gateway', gatewayName, { tools: exposed }],
    ['Agent', `${skillName}@1`, { skills: [{ skill: skillName }], personas: ['clerk'] }],
    ['HostSettings', 'host', { quarantine: true, autoApprove: false }],
    ['HostSettings', 'host', { quarantine: false, autoApprove: true }],
  ];
  return documents.map(([kind, key, spec]) => {
    const body = { owner: 'repo:shop', adopt: true, documents: [{ kind, key, spec }] };
    return [who, 'POST', '/code/plans', body] as const;
  });
}

/** A command on a version to the operation that does the same: all that is tried of that is tried of the command. */
export const versionCommands: Readonly<Record<string, string>> = {
  push_tool_spec: 'pushToolSpec',
  draft_tool_version: 'draftToolVersion',
  submit_tool_version: 'submitToolVersion',
  evaluate_tool_version: 'evaluateToolVersion',
  approve_tool_version: 'approveToolVersion',
  reject_tool_version: 'rejectToolVersion',
  withdraw_tool_version: 'withdrawToolVersion',
  deprecate_tool_version: 'deprecateToolVersion',
  retire_tool_version: 'retireToolVersion',
};
const commandOf = Object.fromEntries(Object.entries(versionCommands).map(([name, id]) => [id, name]));
const ofVersion = /^\/tools\/([^/]+)\/versions(?:\/([^/]+)\/([a-z]+))?$/;

function versionCommandTries(name: string, world: World): readonly Try[] {
  return (doors[versionCommands[name] ?? '']?.(world) ?? []).map(([who, method, path, body]) => {
    const [, toolId, version, verb] = ofVersion.exec(path) ?? [];
    const other = verb === undefined ? name : (commandOf[`${verb}ToolVersion`] ?? '');
    const given = {
      ...(toolId !== undefined && { toolId }),
      ...(version !== undefined && { version }),
      ...body,
    };
    return [who, method, `/agent/commands/${other}`, given];
  });
}

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
