/** Prepares an agent's effective catalog to be searched, of disclosed content alone. Pure. */
import {
  analyse,
  documentOf,
  type TextField,
  type Searchable,
  type Statistics,
  statisticsOf,
} from '../../../packages/ranking/document.js';
import { facetsOf, type Facets } from '../../../packages/ranking/macro-filter.js';
import { joined, skillSearchable, toolSearchable } from '../../../packages/ranking/tool-texts.js';
import { prioritiesOf, type RankingSignals } from '../../../packages/ranking/weight.js';
import type { CatalogSkill, DisclosedCatalog } from '../../effective-catalog/public.js';
import type { Findable, Named, Neighbourhood } from '../found.js';
import { type Kind, type Source, sourcesOf } from './search-document.js';

type Content = DisclosedCatalog['content'];
type Tool = CatalogSkill['tools'][number];

/** A document of a catalog with all that it can be found by. */
export interface CatalogDocument extends Findable {
  readonly facets: Facets;
  /** The texts that vectors are made of. */
  readonly sources: readonly Source[];
  /** Key by which other tools refer to it. */
  readonly endpoint: string | null;
}

export interface SearchableCatalog {
  readonly documents: readonly CatalogDocument[];
  /** Statistics of each kind, over the catalog alone. */
  readonly statistics: Readonly<Record<Kind, Statistics>>;
  readonly around: Neighbourhood;
}

/**
 * @param content with example prompts
 * @param embedded the fields that are embedded
 */
export function searchableCatalog({ skills }: Content, embedded: readonly TextField[]): SearchableCatalog {
  const offers = offersOf(skills);
  const ranked = (id: string, searchable: Searchable): Ranked => ({
    ...{ id, document: documentOf(id, analyse(searchable)) },
    sources: sourcesOf(searchable, embedded),
  });
  const documents = {
    tool: offers.map((offer) => toolIn(offer, ranked)),
    skill: skills.map((skill) => skillIn(skill, ranked)),
    endpoint: distinct(offers.flatMap((offer) => endpointIn(offer, ranked))),
  };
  const statistics = (kind: Kind): Statistics =>
    statisticsOf(documents[kind].map(({ document }) => document));
  return {
    documents: Object.values(documents).flat(),
    statistics: { tool: statistics('tool'), skill: statistics('skill'), endpoint: statistics('endpoint') },
    around: neighbourhoodOf(Object.values(documents).flat()),
  };
}

type Ranked = Pick<CatalogDocument, 'id' | 'document' | 'sources'>;
type Ranking = (id: string, searchable: Searchable) => Ranked;

interface Offer {
  /** Fields of the first skill that has the tool. */
  readonly tool: Tool;
  readonly skills: readonly CatalogSkill[];
  /** Distinct descriptions that the skills give the tool. */
  readonly descriptions: ReadonlySet<string>;
  readonly examplePrompts: ReadonlySet<string>;
  readonly priorities: Pick<RankingSignals, 'priority' | 'linkPriority'>;
}

function offersOf(skills: readonly CatalogSkill[]): Offer[] {
  const byTool = new Map<string, { tool: Tool; skill: CatalogSkill }[]>();
  for (const skill of skills) {
    for (const tool of skill.tools)
      byTool.set(tool.toolId, [...(byTool.get(tool.toolId) ?? []), { tool, skill }]);
  }
  return [...byTool.values()].flatMap((offers) => {
    const [first] = offers;
    if (first === undefined) return [];
    return {
      tool: first.tool,
      skills: offers.map(({ skill }) => skill),
      descriptions: new Set(offers.map(({ tool }) => tool.description)),
      priorities: prioritiesOf(offers),
      examplePrompts: new Set(offers.flatMap(({ tool }) => tool.examplePrompts ?? [])),
    };
  });
}

function toolIn(
  { tool, skills, descriptions, examplePrompts, priorities }: Offer,
  ranked: Ranking,
): CatalogDocument {
  const around = skills.map(({ name, description }) => `${name} ${description}`);
  const texts = { ...tool, description: joined(...descriptions), examplePrompts: [...examplePrompts] };
  return {
    ...ranked(tool.toolId, toolSearchable(texts, around)),
    ...routed(tool),
    kind: 'tool',
    name: tool.name,
    description: tool.description,
    facets: facetsOf(tool),
    ...priorities,
  };
}

function endpointIn({ tool }: Offer, ranked: Ranking): CatalogDocument[] {
  const { endpointId, endpointName: name = '', endpointDescription: description = '' } = tool;
  if (endpointId === undefined) return [];
  const texts = { ...tool, toolId: endpointId, name, description, examplePrompts: [] };
  const own = { kind: 'endpoint', name, description } as const;
  const facets = { ...facetsOf(tool), implementationType: undefined, tags: [], categories: [] };
  return [{ ...ranked(endpointId, toolSearchable(texts)), ...routed(tool), ...own, facets }];
}

function skillIn(skill: CatalogSkill, ranked: Ranking): CatalogDocument {
  const { skillId, name, description, priority, tags, categories, dependsOn } = skill;
  return {
    ...ranked(skillId, skillSearchable(skill)),
    ...{ kind: 'skill', name, description, priority, endpoint: null, apiVersionId: null },
    facets: { tags, categories },
    related: { dependencies: [], skills: dependsOn },
  };
}

function routed({ routingMetadata: routing, safety, lifecycleStatus, endpoint: own, apiVersionId }: Tool) {
  const { semanticWeight, dependencies, fallbackEndpoint: fallback } = routing;
  const { readOnly, destructive } = safety;
  return {
    ...{ lifecycleStatus, semanticWeight, readOnly, destructive },
    ...{ endpoint: own ?? null, apiVersionId: apiVersionId ?? null },
    related: {
      dependencies: dependencies.flatMap(({ endpoint: key, relation }) =>
        key === undefined ? [] : [{ endpoint: key, relation }],
      ),
      fallback: fallback ?? undefined,
      skills: [],
    },
  };
}

function distinct(documents: readonly CatalogDocument[]): CatalogDocument[] {
  return [...new Map(documents.map((document) => [document.id, document])).values()];
}

type Neighbour = Named &
  Pick<CatalogDocument, 'endpoint' | 'apiVersionId'> & {
    /** False where the caller may not see it: it is left out of the answer. */
    readonly visible?: boolean;
  };

/** Resolves a key within the API version that names it, else among all. */
export function neighbourhoodOf(documents: readonly Neighbour[]): Neighbourhood {
  const named = ({ kind, id, name }: Named): Named => ({ kind, id, name });
  const skills = new Map(documents.filter(({ kind }) => kind === 'skill').map((one) => [one.id, named(one)]));
  const byKey = new Map<string, Neighbour[]>();
  for (const one of documents) {
    if (one.endpoint !== null) byKey.set(one.endpoint, [...(byKey.get(one.endpoint) ?? []), one]);
  }
  return {
    byEndpoint: (key, apiVersionId) => {
      const all = byKey.get(key) ?? [];
      const own = all.filter((one) => one.apiVersionId === apiVersionId);
      return (own.length > 0 ? own : all).filter(({ visible }) => visible !== false).map(named);
    },
    skill: (id) => skills.get(id),
  };
}
