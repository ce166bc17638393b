/** Which tools a prompt is given: filtered, ranked, and cut to what the gateway lists now. Pure. */
import { passes, type MacroFilters } from '../ranking/macro-filter.js';
import { rank } from '../ranking/rank.js';
import type { Fallbacks } from './agent-options.js';
import type { LiveTool } from './gateway.js';
import { fromCatalog, fromGateway, schemaGrade, type OfferedTool } from './offered-tool.js';
import type { SearchableCatalog, ToolEntry } from './searchable-catalog.js';

export interface Question {
  readonly prompt: string;
  /** Names of the context at hand. */
  readonly context: ReadonlySet<string>;
  /** Each must pass. */
  readonly filters: readonly MacroFilters[];
  readonly limit: number;
  readonly noMatch: Required<Fallbacks>['noMatch'];
  /** By tool id, what the service's own search adds. */
  readonly serverScores: ReadonlyMap<string, number>;
}

export interface Selection {
  /** Best first. */
  readonly tools: readonly OfferedTool[];
  readonly hidden: readonly HiddenTool[];
  /** Ids of the skills that match, best first. */
  readonly skills: readonly string[];
  readonly fallback?: 'no_match';
}

/** A tool of the catalog that the prompt is not given. */
export interface HiddenTool {
  readonly toolName: string;
  readonly toolId: string;
  readonly reason: HiddenReason;
}

export type HiddenReason =
  | 'lifecycle_retired'
  | 'filtered'
  | 'context_missing'
  | 'missing_from_gateway'
  | 'schema_changed'
  | 'name_taken'
  | 'not_matched'
  | 'ranked_below_limit';

export type LiveTools = ReadonlyMap<string, LiveTool>;

/** What a skill's relevance adds to each of its tools. */
const skillShare = 0.3;
/** Tools less relevant than this share of the best one are left out. */
const leastShare = 0.15;

interface Scored {
  readonly entry: ToolEntry;
  readonly score: number;
}

export function select(catalog: SearchableCatalog, live: LiveTools, question: Question): Selection {
  const hidden: HiddenTool[] = [];
  const hide = ({ tool }: ToolEntry, reason: HiddenReason): void => {
    hidden.push({ toolName: tool.name, toolId: tool.toolId, reason });
  };
  const permitted = catalog.tools.filter((entry) => {
    const objection = objectionTo(entry, question);
    if (objection !== undefined) hide(entry, objection);
    return objection === undefined;
  });
  const { matched, skills } = rankedTools(catalog, permitted, question);
  if (matched.length === 0)
    return {
      ...withoutMatch({ catalog, permitted, live, hide }, question),
      hidden,
      skills,
      fallback: 'no_match',
    };
  const isMatched = new Set(matched.map(({ entry }) => entry));
  for (const entry of permitted) if (!isMatched.has(entry)) hide(entry, 'not_matched');
  return { tools: callable(matched, live, question, hide), hidden, skills };
}

/** What is not offered in any case, whatever the prompt. */
function objectionTo({ tool, facets }: ToolEntry, { filters, context }: Question): HiddenReason | undefined {
  const { requiredContext } = tool.routingMetadata.contextRequirements;
  if (tool.lifecycleStatus === 'retired') return 'lifecycle_retired';
  if (!filters.every((each) => passes(facets, each))) return 'filtered';
  return requiredContext.every((name) => context.has(name)) ? undefined : 'context_missing';
}

/** Tools by their own words, those of their skills, and what the service found. */
function rankedTools(
  { skills, statistics }: SearchableCatalog,
  permitted: readonly ToolEntry[],
  { prompt, serverScores }: Question,
): { readonly matched: readonly Scored[]; readonly skills: readonly string[] } {
  const bySkill = new Map(
    rank(prompt, skills, statistics.skills).map(({ candidate, score }) => [candidate.skill.skillId, score]),
  );
  const byTool = new Map(
    rank(prompt, permitted, statistics.tools).map(({ candidate, score }) => [candidate, score]),
  );
  const scored = permitted.map((entry): Scored => {
    const ofSkills = entry.skills.map(({ skillId }) => bySkill.get(skillId) ?? 0);
    const own = byTool.get(entry) ?? 0;
    return {
      entry,
      score: own + skillShare * Math.max(...ofSkills) + (serverScores.get(entry.tool.toolId) ?? 0),
    };
  });
  // Sorting is stable: of equals the order of the catalog decides.
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const least = leastShare * (best[0]?.score ?? 0);
  const matched = best.filter(({ score }) => score >= least);
  for (const { entry, score } of matched) {
    for (const { skillId } of entry.skills) bySkill.set(skillId, Math.max(score, bySkill.get(skillId) ?? 0));
  }
  return { matched, skills: [...bySkill].sort(([, a], [, b]) => b - a).map(([skillId]) => skillId) };
}

type Hide = (entry: ToolEntry, reason: HiddenReason) => void;

/** Cut to what the gateway lists, takes as it is described, and the limit. */
function callable(
  scored: readonly Scored[],
  live: LiveTools,
  { context: known, limit }: Question,
  hide: Hide,
): OfferedTool[] {
  const offered = new Map<string, OfferedTool>();
  for (const { entry, score } of scored) {
    const listed = live.get(entry.tool.name);
    const grade = listed === undefined || offered.size >= limit ? 'none' : schemaGrade(entry, listed);
    if (listed === undefined) hide(entry, 'missing_from_gateway');
    else if (offered.has(listed.name)) hide(entry, 'name_taken');
    else if (offered.size >= limit) hide(entry, 'ranked_below_limit');
    else if (grade === 'breaking') hide(entry, 'schema_changed');
    else offered.set(listed.name, fromCatalog(entry, listed, { score, grade, known }));
  }
  return [...offered.values()];
}

interface Shelf {
  readonly catalog: SearchableCatalog;
  readonly permitted: readonly ToolEntry[];
  readonly live: LiveTools;
  readonly hide: Hide;
}

/** The catalog has nothing for this prompt. What it knows keeps its rules, also among all tools of the gateway. */
function withoutMatch(
  { catalog, permitted, live, hide }: Shelf,
  question: Question,
): Pick<Selection, 'tools'> {
  const { noMatch } = question;
  if (noMatch === 'none') {
    for (const entry of permitted) hide(entry, 'not_matched');
    return { tools: [] };
  }
  const all = permitted.map((entry) => ({ entry, score: 0 }));
  const tools = callable(all, live, { ...question, limit: Infinity }, hide);
  if (noMatch === 'catalog-tools') return { tools };
  const known = new Set(catalog.tools.map(({ tool }) => tool.name));
  return { tools: [...tools, ...[...live.values()].filter(({ name }) => !known.has(name)).map(fromGateway)] };
}
