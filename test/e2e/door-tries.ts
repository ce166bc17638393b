/** What is tried of the doors that lead to agents. */
import { fresh, openapi, override, poison, service } from './guards-world.js';

/** Stands in all that nobody has approved, and nowhere else. */
export const mark = 'zzunapproved';
export const text = `Does it, ${mark}. ${poison}`;
export const taking = (...names: string[]) => ({
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
export type Who = 'author' | 'owner' | 'admin' | 'reviewer';
export type Try = readonly [who: Who, method: string, path: string, body?: object];
/** As a body: what the try before was answered. */
export const lastAnswer: object = {};

export const document = (op: string, said: object) => openapi({ [op]: said });
export const unapproved = ({ op }: World): object =>
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
  approveToolVersions: (world) => {
    const versions = waiting(world).map((path) => {
      const [, , toolId = '', , version = ''] = path.split('/');
      return { toolId, version, digest: world.digests[path] };
    });
    return [
      ...decisions('/tool-versions/approve', { versions }),
      ...versions.flatMap((one) => decisions('/tool-versions/approve', { versions: [one] })),
    ];
  },
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
      ['author', 'POST', `${path}/deprecate`, { on: '2099-01-01', message: 'Take another.' }],
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
