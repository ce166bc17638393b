/** What an agent's effective catalog holds, ready to be searched; made of what is disclosed alone. Pure. */
import { analyse, documentOf } from '../../packages/ranking/document.js';
import type { Searchable } from '../../packages/ranking/searchable.js';
import { statisticsOf, type Statistics } from '../../packages/ranking/statistics.js';
import { skillSearchable, toolSearchable } from '../../packages/ranking/tool-texts.js';
import type { DisclosedCatalog } from '../effective-catalog/effective-catalogs.lookup.js';
import type { Findable, Named, Neighbourhood } from './found.js';
import type { Kind } from './search-document.js';
import type { Filtered } from './search-filters.js';

type Content = DisclosedCatalog['content'];
type Skill = Content['skills'][number];
type Tool = Skill['tools'][number];

/** Everything under which a document of a catalog may be found. */
export interface CatalogDocument extends Findable, Filtered {}

export interface SearchableCatalog {
  readonly documents: readonly CatalogDocument[];
  /** Of each kind: what is not in the catalog counts nowhere. */
  readonly statistics: Readonly<Record<Kind, Statistics>>;
  readonly around: Neighbourhood;
}

/** @param content with example prompts */
export function searchableCatalog({ skills }: Content): SearchableCatalog {
  const offers = offersOf(skills);
  const tools = offers.map(toolIn);
  const endpoints = offers.flatMap(endpointIn);
  const documents = { tool: tools, skill: skills.map(skillIn), endpoint: distinct(endpoints) };
  const statistics = (kind: Kind): Statistics =>
    statisticsOf(documents[kind].map(({ document }) => document));
  return {
    documents: Object.values(documents).flat(),
    statistics: { tool: statistics('tool'), skill: statistics('skill'), endpoint: statistics('endpoint') },
    around: neighbourhoodOf(Object.values(documents).flat()),
  };
}

interface Offer {
  readonly tool: Tool;
  readonly skills: readonly Skill[];
}

function offersOf(skills: readonly Skill[]): Offer[] {
  const offers = new Map<string, { tool: Tool; skills: Skill[] }>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const known = offers.get(tool.toolId);
      if (known === undefined) offers.set(tool.toolId, { tool, skills: [skill] });
      else known.skills.push(skill);
    }
  }
  return [...offers.values()];
}

function toolIn({ tool, skills }: Offer): CatalogDocument {
  const around = skills.map(({ name, description }) => `${name} ${description}`);
  return {
    ...ranked(tool.toolId, toolSearchable(tool, around)),
    ...routed(tool),
    kind: 'tool',
    name: tool.name,
    description: tool.description,
    implementation_type: tool.implementationType,
    priority: Math.max(...skills.map(({ priority }) => priority)),
  };
}

function endpointIn({ tool }: Offer): CatalogDocument[] {
  const { endpointId, endpointName: name = '', endpointDescription: description = '' } = tool;
  if (endpointId === undefined) return [];
  const texts = { ...tool, toolId: endpointId, name, description, examplePrompts: [] };
  const own = { kind: 'endpoint', name, description, implementation_type: null } as const;
  return [
    { ...ranked(endpointId, toolSearchable(texts)), ...routed(tool), ...own, tags: [], categories: [] },
  ];
}

function skillIn(skill: Skill): CatalogDocument {
  const { skillId, name, description, priority, tags, categories, dependsOn } = skill;
  return {
    ...ranked(skillId, skillSearchable(skill)),
    ...nothingRouted,
    ...{ kind: 'skill', name, description, priority, tags, categories },
    related: { dependencies: [], skills: dependsOn },
  };
}

function ranked(id: string, searchable: Searchable) {
  return { id, document: documentOf(id, analyse(searchable)) };
}

const nothingRouted = {
  sensitivity_tier: null,
  domain: null,
  semantic_namespace: null,
  source_protocol: null,
  implementation_type: null,
  lifecycle_status: null,
  api_id: null,
  target_personas: [],
  endpoint: null,
} as const;

function routed(tool: Tool) {
  const { routingMetadata: routing, safety, lifecycleStatus, tags, categories } = tool;
  const { semanticWeight, dependencies, fallbackEndpoint: fallback } = routing;
  return {
    ...nothingRouted,
    ...{ tags, categories, lifecycleStatus, semanticWeight },
    sensitivity_tier: routing.sensitivityTier,
    domain: routing.domain ?? null,
    semantic_namespace: routing.semanticNamespace ?? null,
    source_protocol: tool.sourceProtocol ?? null,
    lifecycle_status: lifecycleStatus,
    api_id: tool.apiId ?? null,
    target_personas: routing.targetPersonas,
    endpoint: tool.endpoint ?? null,
    readOnly: safety.readOnly,
    destructive: safety.destructive,
    related: {
      dependencies: dependencies.flatMap(({ endpoint, relation }) =>
        endpoint === undefined ? [] : [{ endpoint, relation }],
      ),
      fallback,
      skills: [],
    },
  };
}

function distinct(documents: readonly CatalogDocument[]): CatalogDocument[] {
  return [...new Map(documents.map((document) => [document.id, document])).values()];
}

export function neighbourhoodOf(documents: readonly (Named & Pick<Filtered, 'endpoint'>)[]): Neighbourhood {
  const named = ({ kind, id, name }: Named): Named => ({ kind, id, name });
  const skills = new Map(documents.filter(({ kind }) => kind === 'skill').map((one) => [one.id, named(one)]));
  const byKey = new Map<string, Named[]>();
  for (const one of documents) {
    if (one.endpoint !== null) byKey.set(one.endpoint, [...(byKey.get(one.endpoint) ?? []), named(one)]);
  }
  return {
    byEndpoint: (key) => byKey.get(key) ?? [],
    skill: (id) => skills.get(id),
  };
}
