/** Prepares a catalog for search, once for each version. Pure. */
import {
  allWordsOf,
  analyse,
  type Document,
  documentOf,
  type Searchable,
  type Statistics,
  statisticsOf,
} from '../ranking/document.js';
import { facetsOf, type Facets } from '../ranking/macro-filter.js';
import type { Candidate } from '../ranking/rank.js';
import { skillSearchable, toolSearchable } from '../ranking/tool-texts.js';
import { prioritiesOf } from '../ranking/weight.js';
import type { CatalogDocument, CatalogSkill, CatalogTool } from './catalog-document.js';

/** A tool with the skills that offer it, in the order of the catalog. */
export interface ToolEntry extends Candidate {
  readonly tool: CatalogTool;
  readonly skills: readonly CatalogSkill[];
  readonly facets: Facets;
}

export interface SkillEntry extends Candidate {
  readonly skill: CatalogSkill;
}

export interface SearchableCatalog {
  readonly document: CatalogDocument;
  /** In the order of the catalog; each tool once. */
  readonly tools: readonly ToolEntry[];
  readonly skills: readonly SkillEntry[];
  /** Tools by the id of a skill that offers them. */
  readonly toolsOf: ReadonlyMap<string, readonly ToolEntry[]>;
  /** Tools by the words in them, and in their example prompts. */
  readonly toolsWith: ReadonlyMap<string, readonly ToolEntry[]>;
  /** Tools by the endpoint behind them, written by {@link endpointsOf}. */
  readonly toolsAt: ReadonlyMap<string, readonly ToolEntry[]>;
  readonly statistics: { readonly tools: Statistics; readonly skills: Statistics };
}

export function searchableCatalog(document: CatalogDocument): SearchableCatalog {
  const skills = document.skills.map(skillEntry);
  const tools = offersOf(document).map(toolEntry);
  const ofEntries = (entries: readonly Candidate[]): Statistics =>
    statisticsOf(entries.map(({ document: one }) => one));
  const statistics = { tools: ofEntries(tools), skills: ofEntries(skills) };
  return {
    ...{ document, tools, skills, statistics },
    toolsOf: listedBy(tools, (entry) => entry.skills.map(({ skillId }) => skillId)),
    toolsAt: listedBy(tools, ({ tool: { endpoint, apiVersionId } }) =>
      endpoint === undefined ? [] : endpointsOf(endpoint, apiVersionId),
    ),
    toolsWith: listedBy(tools, (entry) => allWordsOf(entry.document)),
  };
}

/** Keys of an endpoint: within its API version, and among all. */
export function endpointsOf(key: string, apiVersionId = ''): readonly [own: string, any: string] {
  return [`${apiVersionId} ${key}`, key];
}

function listedBy(
  tools: readonly ToolEntry[],
  keys: (entry: ToolEntry) => Iterable<string>,
): ReadonlyMap<string, readonly ToolEntry[]> {
  const found = new Map<string, ToolEntry[]>();
  for (const entry of tools) {
    for (const key of keys(entry)) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [entry]);
      else known.push(entry);
    }
  }
  return found;
}

function offersOf({ skills }: CatalogDocument): { tool: CatalogTool; skills: CatalogSkill[] }[] {
  const offers = new Map<string, { tool: CatalogTool; skills: CatalogSkill[] }>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const known = offers.get(tool.toolId);
      if (known === undefined) offers.set(tool.toolId, { tool, skills: [skill] });
      else known.skills.push(skill);
    }
  }
  return [...offers.values()];
}

function toolEntry({ tool, skills }: { tool: CatalogTool; skills: CatalogSkill[] }): ToolEntry {
  const around = skills.map(({ name, description }) => `${name} ${description}`);
  const { routingMetadata: routing, safety, lifecycleStatus } = tool;
  return {
    ...{ tool, skills, lifecycleStatus },
    document: taken(toolSearchable(tool, around)),
    semanticWeight: routing.semanticWeight,
    ...prioritiesOf(
      skills.flatMap((skill) =>
        skill.tools.filter(({ toolId }) => toolId === tool.toolId).map((given) => ({ skill, tool: given })),
      ),
    ),
    readOnly: safety.readOnly,
    destructive: safety.destructive,
    facets: facetsOf(tool),
  };
}

function skillEntry(skill: CatalogSkill): SkillEntry {
  return { skill, document: taken(skillSearchable(skill)), priority: skill.priority };
}

function taken(searchable: Searchable): Document {
  return documentOf(searchable.id, analyse(searchable));
}
