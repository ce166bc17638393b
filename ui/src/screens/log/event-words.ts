import type { Of } from '../../api/client.ts';
import type { useTexts } from '../../texts/texts.tsx';

export type LoggedEvent = Of<'ListedEvent'>;
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
};

const namesIn = [
  'name',
  'apiName',
  'categoryName',
  'tagName',
  'endpoint',
  'serviceId',
  'url',
  'apiId',
] as const;

/** What an event is about: the record itself where it has a page, else those that it joins; by name where the event says one. */
export function aboutOf({ aggregatetype, aggregateid, data }: LoggedEvent, words: Words): readonly About[] {
  const said = (data ?? {}) as Readonly<Record<string, unknown>>;
  const name = namesIn.map((member) => said[member]).find((value) => typeof value === 'string');
  if (aggregatetype !== undefined && aggregatetype in pages) {
    const kind = aggregatetype as Kind;
    const own = kind === 'Api' ? aggregateid : undefined;
    return [{ to: `${pages[kind]}/${aggregateid ?? ''}`, name: name ?? own ?? words.kinds[kind] }];
  }
  const joined = Object.entries(references).flatMap(([member, kind]): About[] => {
    const id = said[member];
    return typeof id === 'string' ? [{ to: `${pages[kind]}/${id}`, name: words.kinds[kind] }] : [];
  });
  if (joined.length > 0 || name === undefined) return joined;
  return [{ to: undefined, name }];
}
