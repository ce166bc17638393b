/** Selects the tools of a prompt: filtered, ranked, and listed by the gateway. Pure. */
import { passes, type MacroFilters } from '../ranking/macro-filter.js';
import { askedOf, byScore, rank } from '../ranking/rank.js';
import type { Fallbacks } from './agent-options.js';
import { listedNames, listedTool, servedVersion, type LiveTools } from './gateway.js';
import { fromCatalog, fromGateway, schemaGrade, type OfferedTool } from './offered-tool.js';
import { companionsOf, related, substitutes, type Substitute } from './related-tools.js';
import type { SearchableCatalog, ToolEntry } from './searchable-catalog.js';

export interface Question {
  readonly prompt: string;
  /** Names of the context. */
  readonly context: ReadonlySet<string>;
  /** Filters that must all pass. */
  readonly filters: readonly MacroFilters[];
  readonly limit: number;
  readonly noMatch: Required<Fallbacks>['noMatch'];
  /** Scores of the service's search, by tool id. */
  readonly serverScores: ReadonlyMap<string, number>;
}

export interface Selection {
  /** Best first. */
  readonly tools: readonly OfferedTool[];
  /** Hidden tools among the matching ones; {@link hiddenTools} adds the rest. */
  readonly hidden: readonly HiddenTool[];
  /** Ids of the skills that match, best first, then of those whose tools came with others. */
  readonly skills: readonly string[];
  readonly substitutes: readonly Substitute[];
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

/** Reasons for which a matching tool can’t be called. */
const lostReasons: ReadonlySet<HiddenReason> = new Set(['missing_from_gateway', 'schema_changed']);
/** Share of a skill's relevance that its tools get. */
const skillShare = 0.3;
/** Share of the best relevance below which tools are left out, but for those of the same skill. */
const leastShare = 0.4;

interface Scored {
  readonly entry: ToolEntry;
  readonly score: number;
}

export function select(catalog: SearchableCatalog, live: LiveTools, question: Question): Selection {
  const hidden: HiddenTool[] = [];
  const hide: Hide = (entry, reason) => {
    hidden.push(hiddenTool(entry, reason));
  };
  const shelf = { catalog, live, hide };
  const { ranked, skills } = rankedTools(catalog, question, hide);
  if (ranked.length === 0) {
    const tools = related(catalog, withoutMatch(shelf, question));
    return { tools, hidden, skills, substitutes: [], fallback: 'no_match' };
  }
  const offered: Offered = new Map();
  offer(ranked, shelf, question, offered);
  const matched = ranked.map(({ entry }) => entry);
  const lostIds = new Set(hidden.filter(({ reason }) => lostReasons.has(reason)).map(({ toolId }) => toolId));
  const lost = matched.filter(({ tool }) => lostIds.has(tool.toolId));
  const companions = companionsOf(catalog, matched, new Set(lost)).filter(
    (entry) => objectionTo(entry, question) === undefined,
  );
  offer(
    companions.map((entry) => ({ entry, score: 0 })),
    shelf,
    question,
    offered,
  );
  const tools = [...offered.values()];
  const theirs = companions.flatMap((entry) => entry.skills.map(({ skillId }) => skillId));
  return {
    ...{ tools: related(catalog, tools), hidden, substitutes: substitutes(catalog, lost, tools) },
    skills: [...new Set([...skills, ...theirs])],
  };
}

/** Lists all tools of the catalog that the prompt is not given. */
export function hiddenTools(
  { tools }: SearchableCatalog,
  question: Pick<Question, 'filters' | 'context'>,
  selection: Pick<Selection, 'tools' | 'hidden'>,
): readonly HiddenTool[] {
  const known = new Set([...selection.tools, ...selection.hidden].map(({ toolId }) => toolId));
  const rest = tools
    .filter(({ tool }) => !known.has(tool.toolId))
    .map((entry) => hiddenTool(entry, objectionTo(entry, question) ?? 'not_matched'));
  return [...selection.hidden, ...rest];
}

function hiddenTool({ tool: { name, toolId } }: ToolEntry, reason: HiddenReason): HiddenTool {
  return { toolName: name, toolId, reason };
}

/** Reason to hide a tool from any prompt. */
function objectionTo(
  { tool, facets }: ToolEntry,
  { filters, context }: Pick<Question, 'filters' | 'context'>,
): HiddenReason | undefined {
  const { requiredContext } = tool.routingMetadata.contextRequirements;
  if (tool.lifecycleStatus === 'retired') return 'lifecycle_retired';
  if (!filters.every((each) => passes(facets, each))) return 'filtered';
  return requiredContext.every((name) => context.has(name)) ? undefined : 'context_missing';
}

/**
 * Ranks tools by their own words, those of their skills, and the service's scores. Reads only tools that share a word
 * with the prompt.
 */
function rankedTools(
  { skills, statistics, toolsOf, toolsWith, tools }: SearchableCatalog,
  question: Question,
  hide: Hide,
): { readonly ranked: readonly Scored[]; readonly skills: readonly string[] } {
  const { prompt, serverScores } = question;
  const bySkill = new Map<string, number>();
  const ofSkills = new Map<ToolEntry, number>();
  for (const { candidate, score } of rank(prompt, skills, statistics.skills)) {
    const { skillId } = candidate.skill;
    bySkill.set(skillId, score);
    for (const entry of toolsOf.get(skillId) ?? []) raise(ofSkills, entry, skillShare * score);
  }
  const asked = askedOf(prompt, statistics.tools);
  const among = new Set(asked.prompt.terms.flatMap(({ word }) => toolsWith.get(word) ?? []));
  const scores = new Map(ofSkills);
  const add = (entry: ToolEntry, score: number): void => {
    scores.set(entry, score + (scores.get(entry) ?? 0));
  };
  for (const { candidate, score } of rank(asked, [...among], statistics.tools)) add(candidate, score);
  for (const entry of serverScores.size === 0 ? [] : tools) {
    const score = serverScores.get(entry.tool.toolId);
    if (score !== undefined) add(entry, score);
  }
  const ranked = leading(permitted(scores, question, hide));
  for (const { entry, score } of ranked) {
    for (const { skillId } of entry.skills) raise(bySkill, skillId, score);
  }
  return { ranked, skills: [...bySkill].sort(([, a], [, b]) => b - a).map(([skillId]) => skillId) };
}

function permitted(scores: ReadonlyMap<ToolEntry, number>, question: Question, hide: Hide): Scored[] {
  const found: Scored[] = [];
  for (const [entry, score] of scores) {
    const objection = objectionTo(entry, question);
    if (objection === undefined) found.push({ entry, score });
    else hide(entry, objection);
  }
  return found;
}

function leading(scored: readonly Scored[]): readonly Scored[] {
  const best = [...scored].sort(byScore(({ entry }) => entry.tool.toolId));
  const [first] = best;
  if (first === undefined) return [];
  const least = leastShare * first.score;
  // The tools of a wanted skill stay together, since its instructions are about them.
  const together = new Set(first.entry.skills);
  return best.filter(
    ({ score, entry }) => score >= least || entry.skills.some((skill) => together.has(skill)),
  );
}

function raise<K>(scores: Map<K, number>, key: K, score: number): void {
  scores.set(key, Math.max(score, scores.get(key) ?? 0));
}

type Hide = (entry: ToolEntry, reason: HiddenReason) => void;

/** Offered tools by their name at the gateway. */
type Offered = Map<string, OfferedTool>;

/** Adds tools that the gateway lists with a fitting schema, up to the limit. */
function offer(
  scored: readonly Scored[],
  { live, hide }: Pick<Shelf, 'live' | 'hide'>,
  { context: known, limit }: Question,
  offered: Offered,
): void {
  for (const { entry, score } of scored) {
    const newest = listedTool(entry.tool, live);
    const older = newest && servedVersion(newest, entry.tool.version);
    const listed = older ?? newest;
    const grade = listed === undefined || offered.size >= limit ? 'none' : schemaGrade(entry, listed);
    if (listed === undefined) hide(entry, 'missing_from_gateway');
    else if (offered.has(listed.name)) hide(entry, 'name_taken');
    else if (offered.size >= limit) hide(entry, 'ranked_below_limit');
    else if (grade === 'breaking') hide(entry, 'schema_changed');
    else
      offered.set(
        listed.name,
        fromCatalog(entry, listed, { score, grade, known, isOlder: older !== undefined }),
      );
  }
}

interface Shelf {
  readonly catalog: SearchableCatalog;
  readonly live: LiveTools;
  readonly hide: Hide;
}

/** Falls back where nothing matches. Tools of the catalog keep its rules, also among all tools of the gateway. */
function withoutMatch({ catalog, live, hide }: Shelf, question: Question): readonly OfferedTool[] {
  const { noMatch } = question;
  if (noMatch === 'none') return [];
  const all = catalog.tools.filter((entry) => objectionTo(entry, question) === undefined);
  const scored = all.map((entry) => ({ entry, score: 0 }));
  const offered: Offered = new Map();
  offer(scored, { live, hide }, { ...question, limit: Infinity }, offered);
  const tools = [...offered.values()];
  if (noMatch === 'catalog-tools') return tools;
  const known = new Set(catalog.tools.flatMap(({ tool }) => listedNames(tool)));
  return [...tools, ...[...live.values()].filter(({ name }) => !known.has(name)).map(fromGateway)];
}
