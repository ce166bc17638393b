import type { Of } from '../../api/client.ts';
import type { useTexts } from '../../texts/texts.tsx';

export interface LoggedEvent extends Of<'ListedEvent'> {
  /** What the events of its page call their records, by id. */
  readonly names: ReadonlyMap<string, string>;
}
type Words = ReturnType<typeof useTexts>['log'];

/** What an event says, in words: what it is of, and what became of that. Its type, where there are none. */
export function wordsOf({ type }: LoggedEvent, words: Words): string {
  const name = (type.split('.').at(-1) ?? type).replace(/Event$/, '');
  const nouns = Object.keys(words.nouns) as (keyof Words['nouns'])[];
  // The longest first: `ToolVersion` before `Tool`.
  for (const noun of nouns.sort((a, b) => b.length - a.length)) {
    const verb = name.slice(noun.length) as keyof Words['verbs'];
    if (name.startsWith(noun) && verb in words.verbs) return `${words.nouns[noun]} ${words.verbs[verb]}`;
  }
  return name;
}

/** A record that an event is about: its page, and what it is called. */
export interface About {
  readonly to: string | undefined;
  readonly name: string;
}

type Kind = keyof Words['kinds'];

const pages: Readonly<Record<Kind, string>> = {
  Tool: '/tools',
  Skill: '/skills',
  AgentDefinition: '/agents',
  Gateway: '/gateways',
  ApiEndpoint: '/endpoints',
  WorkflowDefinition: '/workflows',
  Webhook: '/webhooks',
  Api: '/apis',
};

/** Members of the data that name another record. */
const references: Readonly<Record<string, Kind>> = {
  agentDefId: 'AgentDefinition',
  gatewayId: 'Gateway',
  skillId: 'Skill',
  dependsOnSkillId: 'Skill',
  toolId: 'Tool',
  wfDefId: 'WorkflowDefinition',
  endpointId: 'ApiEndpoint',
  apiId: 'Api',
};

const namesIn = [
  'name',
  'apiName',
  'categoryName',
  'tagName',
  'endpoint',
  'apiId',
  'serviceId',
  'url',
] as const;

function nameIn(data: unknown): string | undefined {
  const said = (data ?? {}) as Readonly<Record<string, unknown>>;
  return namesIn.map((member) => said[member]).find((value) => typeof value === 'string');
}

/** Many events name their record by its id alone: another of the same page may say what it is called. */
export function withNames(events: readonly Of<'ListedEvent'>[]): readonly LoggedEvent[] {
  const names = new Map<string, string>();
  for (const { aggregateid = '', data } of events) {
    const name = nameIn(data);
    if (name !== undefined) names.set(aggregateid, name);
  }
  return events.map((event) => ({ ...event, names }));
}

/** What an event is about: the record itself where it has a page, else those that it joins; by name where an event of the page says one. */
export function aboutOf(event: LoggedEvent, words: Words): readonly About[] {
  const { aggregatetype, aggregateid = '', data, names } = event;
  const said = (data ?? {}) as Readonly<Record<string, unknown>>;
  const page = (kind: Kind, id: string): About => ({
    to: `${pages[kind]}/${id}`,
    name: names.get(id) ?? (kind === 'Api' ? id : words.kinds[kind]),
  });
  if (aggregatetype !== undefined && aggregatetype in pages)
    return [page(aggregatetype as Kind, aggregateid)];
  const joined = Object.entries(references).flatMap(([member, kind]): About[] => {
    const id = said[member];
    return typeof id === 'string' ? [page(kind, id)] : [];
  });
  const name = names.get(aggregateid) ?? names.get(String(said['apiVersionId']));
  if (joined.length > 0 || name === undefined) return joined;
  return [{ to: undefined, name }];
}
