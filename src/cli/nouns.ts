/** A row of a list, as the service answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** How the command line speaks of the records of a noun. What they have, and what can be done, the service's document says. */
export interface CliNoun {
  /** As commands say it: `skill`. */
  readonly word: string;
  /** Below the host: `skills`. */
  readonly path: string;
  /** Member with the id. */
  readonly id: string;
  /** What a row may be called by, the most exact name last. */
  readonly names: (row: Row) => readonly string[];
  /** The query that lists at least those of a name. */
  readonly sought: (name: string) => Readonly<Record<string, string>>;
  /** What lists show at a terminal. */
  readonly columns: readonly string[];
  /** Member of the body that the argument of `create` is, where it is one. */
  readonly called?: string;
  /** Where POST makes one, if not at the path of the list. */
  readonly madeAt?: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** `orders` of `orders/getOrder`, and `getOrder`. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
const beforeAt = (name: string): string => (name.includes('@') ? name.slice(0, name.lastIndexOf('@')) : name);

export const nouns = {
  agent: {
    word: 'agent',
    path: 'agents',
    id: 'agentDefId',
    names: ({ name, apiVersion, envTag }) => [
      text(name),
      `${text(name)}@${text(apiVersion)}`,
      `${text(name)}@${text(apiVersion)}/${text(envTag)}`,
    ],
    sought: (name) => ({ q: beforeAt(name) }),
    columns: ['name', 'apiVersion', 'serviceId', 'envTag', 'maxSensitivityTier', 'modelName'],
  },
  api: {
    word: 'api',
    path: 'apis',
    id: 'apiId',
    names: ({ apiId, apiName }) => [text(apiName), text(apiId)],
    sought: (name) => ({ q: name }),
    columns: ['apiId', 'apiName', 'businessGroup', 'lob', 'region'],
    called: 'apiId',
  },
  'api-version': {
    word: 'api-version',
    path: 'api-versions',
    id: 'apiVersionId',
    names: ({ apiId, apiVersion, envTag }) => [
      text(apiId),
      `${text(apiId)}@${text(apiVersion)}`,
      `${text(apiId)}@${text(apiVersion)}/${text(envTag)}`,
    ],
    sought: (name) => ({ apiId: beforeAt(name) }),
    columns: ['apiId', 'apiVersion', 'apiType', 'serviceId', 'envTag', 'quarantine'],
    called: 'apiVersion',
    madeAt: 'apis/{apiId}/versions',
  },
  endpoint: {
    word: 'endpoint',
    path: 'endpoints',
    id: 'endpointId',
    names: ({ name, endpoint, apiId }) => [
      text(name),
      text(endpoint),
      `${text(apiId)}/${text(name)}`,
      `${text(apiId)}${text(endpoint)}`,
    ],
    sought: (name) => ({ q: lastPart(name) }),
    columns: ['endpoint', 'name', 'apiId', 'sensitivityTier', 'domain', 'changed', 'conflict'],
  },
  tool: {
    word: 'tool',
    path: 'tools',
    id: 'toolId',
    names: ({ name, apiId }) => [text(name), `${text(apiId)}/${text(name)}`],
    sought: (name) => ({ name: lastPart(name) }),
    columns: ['name', 'version', 'apiId', 'sensitivityTier', 'domain', 'changed', 'refusedBy'],
    called: 'name',
  },
  skill: {
    word: 'skill',
    path: 'skills',
    id: 'skillId',
    names: ({ name }) => [text(name)],
    sought: (name) => ({ name }),
    columns: ['name', 'version', 'description', 'categories', 'tags'],
    called: 'name',
  },
  gateway: {
    word: 'gateway',
    path: 'gateways',
    id: 'gatewayId',
    names: ({ serviceId, envTag, url }) => [text(url), text(serviceId), `${text(serviceId)}@${text(envTag)}`],
    sought: () => ({}),
    columns: ['gatewayId', 'serviceId', 'envTag', 'url', 'maxSensitivityTier'],
  },
  workflow: {
    word: 'workflow',
    path: 'workflows',
    id: 'wfDefId',
    names: ({ namespace, name, version }) => [
      text(name),
      `${text(namespace)}/${text(name)}`,
      `${text(namespace)}/${text(name)}@${text(version)}`,
    ],
    sought: (name) => ({ name: lastPart(beforeAt(name)) }),
    columns: ['namespace', 'name', 'version', 'lifecycleStatus'],
    called: 'name',
  },
  category: {
    word: 'category',
    path: 'categories',
    id: 'categoryId',
    names: ({ categoryName, entityType }) => [
      text(categoryName),
      `${text(entityType)}/${text(categoryName)}`,
    ],
    sought: (name) => ({ q: lastPart(name) }),
    columns: ['categoryName', 'entityType', 'categoryDesc'],
    called: 'categoryName',
  },
  tag: {
    word: 'tag',
    path: 'tags',
    id: 'tagId',
    names: ({ tagName, entityType }) => [text(tagName), `${text(entityType)}/${text(tagName)}`],
    sought: (name) => ({ q: lastPart(name) }),
    columns: ['tagName', 'entityType', 'tagDesc'],
    called: 'tagName',
  },
  webhook: {
    word: 'webhook',
    path: 'webhooks',
    id: 'webhookId',
    names: ({ url }) => [text(url)],
    sought: () => ({}),
    columns: ['webhookId', 'url', 'secret'],
  },
  'public-entry': {
    word: 'public-entry',
    path: 'public-entries',
    id: 'entityId',
    names: ({ name, kind, recordName }) => [
      text(recordName),
      `${text(kind)}/${text(recordName)}`,
      text(name),
      `${text(kind)}/${text(name)}`,
    ],
    sought: () => ({}),
    columns: ['kind', 'recordName', 'name', 'url', 'description'],
    called: 'kind',
  },
} as const satisfies Readonly<Record<string, CliNoun>>;

export type NounWord = keyof typeof nouns;

export function isNoun(word: string): word is NounWord {
  return Object.hasOwn(nouns, word);
}

/** Members that hold the id of a record, by the noun that it is of; a list of ids has an `s` more. */
const references: Readonly<Record<string, NounWord>> = {
  agentDefId: 'agent',
  apiId: 'api',
  apiVersionId: 'api-version',
  endpointId: 'endpoint',
  toolId: 'tool',
  skillId: 'skill',
  parentSkillId: 'skill',
  gatewayId: 'gateway',
  wfDefId: 'workflow',
  categoryId: 'category',
  parentCategoryId: 'category',
  tagId: 'tag',
  webhookId: 'webhook',
};

/** The noun whose id, or ids, a member of that name holds. */
export function nounReferredTo(member: string): CliNoun | undefined {
  const word = references[member] ?? references[member.replace(/Ids$/, 'Id')];
  return word === undefined ? undefined : nouns[word];
}
