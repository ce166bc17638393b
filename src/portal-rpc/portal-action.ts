/** The actions of the reference system's portal, and the operation over HTTP that each is. Pure. */

/** What an action asks for, in terms of operations over HTTP. */
export interface PortalAction {
  readonly kind: 'query' | 'command';
  readonly summary: string;
  /** Id of the operation that answers it. */
  readonly operation: string;
  /** A query for one record: the operation that answers where `key` is not named. */
  readonly list?: { readonly key: string; readonly operation: string };
  /** A command for one that its operation takes as a list of one: the member of its body that is the list. */
  readonly listed?: string;
}

/** The version of every action here. */
export const PORTAL_VERSION = '0.1.0';

/** A noun that is read alone and as a list. */
interface ReadNoun {
  readonly noun: string;
  /** Operations. */
  readonly one: string;
  readonly many: string;
  /** The member that tells one from the others. */
  readonly key: string;
}

const readNouns: readonly ReadNoun[] = [
  { noun: 'AgentSkill', one: 'getAgentSkill', many: 'listAgentSkills', key: 'skillId' },
  { noun: 'Skill', one: 'getSkill', many: 'listSkills', key: 'skillId' },
  { noun: 'SkillTool', one: 'getSkillTool', many: 'listSkillTools', key: 'toolId' },
  {
    ...{ noun: 'SkillDependency', one: 'getSkillDependency', many: 'listSkillDependencies' },
    key: 'dependsOnSkillId',
  },
  { noun: 'Tool', one: 'getTool', many: 'listTools', key: 'toolId' },
  { noun: 'ToolParam', one: 'getToolParam', many: 'listToolParams', key: 'paramName' },
];

/** Tables here are written with the log: what is read is never behind it, so that fresh is as any other. */
const reads = readNouns.flatMap(({ noun, one, many, key }): (readonly [string, PortalAction])[] => [
  [
    `get${noun}`,
    {
      ...{ kind: 'query', operation: one, list: { key, operation: many } },
      summary: `One record, or without ${key} a page of them.`,
    },
  ],
  [`getFresh${noun}`, { kind: 'query', operation: one, summary: 'One record, as it is now.' }],
]);

const writes: Readonly<Record<string, readonly [operation: string, summary: string]>> = {
  createSkill: ['createSkill', 'Makes a skill.'],
  updateSkill: ['updateSkill', 'Changes what is named of a skill.'],
  saveSkill: [
    'saveSkill',
    'Makes or changes a skill with its tools, dependencies, categories and tags: all of it or nothing.',
  ],
  deleteSkill: ['deactivateSkill', 'Switches a skill off; its history stays.'],
  createTool: ['createTool', 'Makes a tool that has no endpoint.'],
  updateTool: ['updateTool', 'Changes what is named of a tool.'],
  deleteTool: ['deactivateTool', 'Switches a tool off; its history stays.'],
  createSkillTool: ['putSkillTool', 'Links a tool to a skill.'],
  updateSkillTool: ['putSkillTool', 'Changes the link between a tool and a skill.'],
  deleteSkillTool: ['deleteSkillTool', 'Takes a tool from a skill.'],
  createSkillDependency: ['putSkillDependency', 'Says that a skill needs another.'],
  updateSkillDependency: ['putSkillDependency', 'Changes how a skill needs another.'],
  deleteSkillDependency: ['deleteSkillDependency', 'Says that a skill no longer needs another.'],
  updateAgentSkill: ['updateAgentSkill', 'Changes the terms on which an agent has a skill.'],
  deleteAgentSkill: ['deleteAgentSkill', 'Takes a skill from an agent.'],
  createAgentSkills: ['createAgentSkill', 'Assigns several skills to an agent: all of them or none.'],
  replaceAgentSkills: ['replaceAgentSkills', 'Gives an agent these skills, and takes all others from it.'],
};

/** Every action by its name. */
export const portalActions: ReadonlyMap<string, PortalAction> = new Map<string, PortalAction>([
  [
    'getEffectiveAgentCatalog',
    {
      ...{ kind: 'query', operation: 'getEffectiveAgentCatalog' },
      summary:
        'The skills and tools that an agent is given. `shape: "flat"` answers a list with one entry for each tool of each skill.',
    },
  ],
  ...reads,
  [
    'createAgentSkill',
    {
      ...{ kind: 'command', operation: 'createAgentSkill', summary: 'Assigns a skill to an agent.' },
      listed: 'skills',
    },
  ],
  ...Object.entries(writes).map(
    ([name, [operation, summary]]) => [name, { kind: 'command', operation, summary }] as const,
  ),
]);

/** Commands that the reference system has and this catalog has not, and what to do instead. */
export const insteadOf: Readonly<Record<string, string>> = Object.fromEntries(
  ['createToolParam', 'updateToolParam', 'deleteToolParam'].map((name) => [
    name,
    'The parameters of a tool follow from its input schema: change that with updateTool, or draft a version of the tool.',
  ]),
);
