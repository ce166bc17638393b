/** What somebody is shown of a host: everybody its public entries, a caller with a token also what that sees. Pure. */
import { folderName } from '../documents/skill-md.js';
import type { PublicKind } from './public-entry.rules.js';

/** What an operator has said of a public record. */
export interface Entry {
  readonly entityId: string;
  readonly kind: PublicKind;
  readonly name: string | null;
  readonly description: string;
  readonly url: string | null;
  readonly aggregateVersion: number;
  readonly updateTs: string;
}

export interface ToolRow {
  readonly toolId: string;
  readonly name: string;
  readonly prompts: readonly string[];
}

/** What a record is called in the catalog. */
interface CatalogRecord {
  readonly id: string;
  readonly ownName: string;
}

export interface SkillRow extends CatalogRecord {
  readonly description: string;
  readonly version: string;
  readonly toolIds: readonly string[];
}

export interface GatewayRow extends CatalogRecord {
  readonly url: string;
  readonly authenticated: boolean;
  readonly aggregateVersion: number;
  readonly updateTs: string;
  readonly toolIds: readonly string[];
}

export interface AgentRow extends CatalogRecord {
  readonly apiVersion: string;
  readonly skillIds: readonly string[];
}

/** The rows that may be shown: active, and of tools the approved version. */
export interface ShownRows {
  readonly entries: readonly Entry[];
  readonly tools: readonly ToolRow[];
  readonly skills: readonly SkillRow[];
  readonly gateways: readonly GatewayRow[];
  readonly agents: readonly AgentRow[];
}

/** What all that is shown has in common. */
interface Named {
  /** Small letters, digits and single dashes between; unique among its kind. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  /** Names of those of its tools that are shown, too. */
  readonly tools: readonly string[];
  /** Prompts that it serves, of those tools. */
  readonly prompts: readonly string[];
}

export interface ShownSkill extends Named {
  readonly skillId: string;
  readonly version: string;
}

export interface ShownGateway extends Named {
  readonly url: string;
  readonly version: string;
  readonly updatedAt: string;
  readonly needsToken: boolean;
}

export interface ShownAgent extends Named {
  readonly url: string;
  readonly version: string;
  /** At least one. */
  readonly skills: readonly ShownSkill[];
}

/** Each list in the order of the names. */
export interface Shown {
  readonly skills: readonly ShownSkill[];
  readonly gateways: readonly ShownGateway[];
  readonly agents: readonly ShownAgent[];
}

export function shownOf(rows: ShownRows): Shown {
  const entries = new Map(rows.entries.map((entry) => [entry.entityId, entry]));
  const tools = new Map(rows.tools.map((tool) => [tool.toolId, tool]));
  const skills = withNames(rows.skills, entries).map((each) => skillOf(each, tools));
  const gateways = withNames(rows.gateways, entries).map((each) => gatewayOf(each, tools));
  const byId = new Map(skills.map((skill) => [skill.skillId, skill]));
  const agents = withNames(rows.agents, entries).flatMap((each) => agentOf(each, byId) ?? []);
  return { skills: skills.sort(byName), gateways: gateways.sort(byName), agents: agents.sort(byName) };
}

interface WithName<Row> {
  readonly row: Row;
  readonly entry: Entry | undefined;
  readonly name: string;
}
type Tools = ReadonlyMap<string, ToolRow>;

function skillOf({ row, entry, name }: WithName<SkillRow>, tools: Tools): ShownSkill {
  return {
    ...{ skillId: row.id, name, title: entry?.name ?? row.ownName, version: row.version },
    description: firstText(entry?.description, row.description, `The skill ${name}.`),
    ...ofTools(row.toolIds, tools),
  };
}

function gatewayOf({ row, entry, name }: WithName<GatewayRow>, tools: Tools): ShownGateway {
  return {
    ...{ name, title: entry?.name ?? row.ownName, url: entry?.url ?? row.url, needsToken: row.authenticated },
    description: firstText(entry?.description, `The MCP server ${name}.`),
    // A version for each state: what was listed under one never changes.
    version: `1.${String(row.aggregateVersion)}.${String(entry?.aggregateVersion ?? 0)}`,
    updatedAt: [row.updateTs, entry?.updateTs ?? ''].sort().at(-1) ?? '',
    ...ofTools(row.toolIds, tools),
  };
}

/** Undefined where there would be no address, or no skill: a card needs both. */
function agentOf(
  { row, entry, name }: WithName<AgentRow>,
  byId: ReadonlyMap<string, ShownSkill>,
): ShownAgent | undefined {
  const skills = row.skillIds.flatMap((id) => byId.get(id) ?? []).sort(byName);
  if (typeof entry?.url !== 'string' || skills.length === 0) return undefined;
  return {
    ...{ name, title: entry.name ?? row.ownName, url: entry.url, version: row.apiVersion, skills },
    description: firstText(entry.description, `The agent ${name}.`),
    tools: unique(skills.flatMap(({ tools }) => tools)),
    prompts: unique(skills.flatMap(({ prompts }) => prompts)),
  };
}

/** Names that were given come first; of those that would be the same, later ids get a part of the id. */
function withNames<Row extends CatalogRecord>(
  rows: readonly Row[],
  entries: ReadonlyMap<string, Entry>,
): WithName<Row>[] {
  const taken = new Set(rows.flatMap(({ id }) => entries.get(id)?.name ?? []));
  return [...rows]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => {
      const entry = entries.get(row.id);
      const own = folderName(row.ownName);
      const name = entry?.name ?? (taken.has(own) ? `${own.slice(0, 51)}-${row.id.slice(-12)}` : own);
      taken.add(name);
      return { row, entry, name };
    });
}

function ofTools(ids: readonly string[], tools: Tools): Pick<Named, 'tools' | 'prompts'> {
  const shown = ids.flatMap((id) => tools.get(id) ?? []).sort(byName);
  return {
    tools: unique(shown.map(({ name }) => name)),
    prompts: unique(shown.flatMap(({ prompts }) => prompts)),
  };
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? '';
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
