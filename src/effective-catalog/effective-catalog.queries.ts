/** Makes an agent's catalog: rows → offers → judgement → document → bytes. */
import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { refuseConfined, requireScope } from '../platform/auth/claims.js';
import { lowestTier, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { AgentScope, KeptTool, SkillLinks } from '../platform/auth/visibility.js';
import { bytesOf, type CatalogBytes } from './delivery/bytes.js';
import { documentOf, type CatalogContent, type CatalogSkill, type Wanted } from './document.js';
import { contextOf, disclosureOf, judge, type Disclosure, type Judgement } from './disclosure/judgement.js';
import { offersOf } from './disclosure/offers.js';
import { compareVersions } from '../registry/shared.js';
import { textIn, type LooseJson } from './loose-json.js';
import { readRows, type Past, type Registration } from './rows.queries.js';
import { idsOf, type CatalogRows } from './rows.js';

/** Options of a request; each only narrows what the token reaches. */
export interface CatalogOptions {
  /** The agent's service; without it any that the token covers. */
  readonly serviceId?: string | undefined;
  /** The agent's environment; without it any that the token covers. */
  readonly envTag?: string | undefined;
  readonly maxTier?: Tier | undefined;
  /** Names of the context at hand, comma-separated; without it nothing is withheld for context. */
  readonly context?: string | undefined;
  /** Whether each tool comes with its example prompts. */
  readonly examples?: boolean | undefined;
}

/** Options for administrators. */
export interface AdministratorOptions extends CatalogOptions {
  /** Whether the catalog comes with what it withholds, and why. */
  readonly withheld?: boolean | undefined;
  /** A position of the log, or a time: the catalog as it was then. */
  readonly asOf?: string | undefined;
}

/** All inputs on which an agent's catalog depends. */
export interface CatalogQuestion extends Registration, Wanted {
  /** From the token's `maxSensitivityTier`. */
  readonly tokenTier?: Tier | undefined;
}

/** A catalog, made for one question. */
export interface MadeCatalog extends CatalogBytes {
  readonly agentDefId: string;
  /** Position of the last event that could change it. */
  readonly version: number;
  /** The ids of all that it holds. */
  readonly scope: AgentScope;
  readonly disclosure: Disclosure;
  /** The ids by which its rows were found. */
  readonly ids: ReadonlySet<string>;
}

/** Throws Problem 403 where more is asked for than the token may see (docs/contract.md, section 2). */
export function questionOf(
  caller: Caller,
  agentDefId: string,
  options: AdministratorOptions,
): CatalogQuestion {
  const { maxTier, withheld = false, examples = false, context, asOf } = options;
  if (asOf !== undefined || withheld) {
    requireScope(caller, 'catalog:admin');
    refuseConfined(caller);
  }
  const { hostId, services, environments } = registrationOf(caller, agentDefId, options);
  const tokenTier = maxTier === undefined ? caller.maxTier : lowestTier(caller.maxTier, maxTier);
  const names = context === undefined ? undefined : contextNames(context);
  // No spread: this is asked thousands of times a second, and a copied object is ten times as slow.
  return { hostId, agentDefId, services, environments, tokenTier, withheld, examples, context: names };
}

export function registrationOf(
  { hostId, services, environments }: Caller,
  agentDefId: string,
  { serviceId, envTag }: CatalogOptions,
): Registration {
  return {
    hostId,
    agentDefId,
    services: serviceId === undefined ? services : [serviceId.trim()],
    environments: envTag === undefined ? environments : [envTag.trim()],
  };
}

/** The names of a comma-separated list, sorted and without doubles: one context, one cache entry. */
export function contextNames(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

/** Which catalog is made: that of now, unless said otherwise. */
export interface When {
  /** The catalog at hand: where its version still holds, it is not made again. */
  readonly known?: MadeCatalog | undefined;
  readonly past?: Past;
}

/**
 * Makes the catalog as it is in one snapshot, in which the host's log ends at `position`. Throws NotFound where the agent
 * is not registered for such a service and environment.
 */
export async function makeCatalog(
  sql: Sql,
  question: CatalogQuestion,
  { known, past }: When = {},
): Promise<{ readonly position: number; readonly catalog: MadeCatalog }> {
  const { agentDefId } = question;
  const { position, version, rows } = await readRows(sql, question, { known: known?.version, past });
  if (version === null) throw new NotFound('agent', agentDefId);
  if (rows === undefined) {
    if (known === undefined) throw new Error('The catalog statement sent no rows.');
    return { position, catalog: known };
  }
  const offers = offersOf(rows);
  const judged = judge(offers, contextOf(rows, question));
  const document = documentOf(rows, judged, question);
  const bytes = bytesOf(document, version, question);
  const scope = agentScopeOf(document.content, judged, rows);
  const disclosure = disclosureOf(judged);
  return { position, catalog: { agentDefId, version, ...bytes, scope, disclosure, ids: idsOf(rows) } };
}

/** Lists the ids of all that the catalog holds, each once, which a token confined to its agent may read. */
function agentScopeOf(
  { agentDefId, skills }: CatalogContent,
  { references }: Judgement,
  rows: CatalogRows,
): AgentScope {
  const tools = skills.flatMap((skill) => skill.tools);
  return {
    agentDefIds: [agentDefId],
    skillIds: skills.map(({ skillId }) => skillId),
    toolIds: distinct(tools.map(({ toolId }) => toolId)),
    endpointIds: distinct(tools.map(({ endpointId }) => endpointId)),
    apiVersionIds: distinct(tools.map(({ apiVersionId }) => apiVersionId)),
    apiIds: distinct(tools.map(({ apiId }) => apiId)),
    workflowIds: distinct(skills.flatMap(workflowIdsOf)),
    links: new Map(skills.map((skill) => [skill.skillId, linksOf(skill)])),
    references,
    kept: rows.keptVersions.length === 0 ? [] : keptTools(skills, rows),
  };
}

function keptTools(skills: readonly CatalogSkill[], { tools }: CatalogRows): KeptTool[] {
  const held = new Map<string, CatalogSkill['tools'][number]>();
  for (const tool of skills.flatMap((skill) => skill.tools)) {
    const other = held.get(tool.toolId);
    if (other === undefined || compareVersions(tool.version, other.version) > 0) held.set(tool.toolId, tool);
  }
  const present = new Map(tools.map(({ tool_id, version }) => [tool_id, version]));
  return [...held.values()]
    .filter(({ toolId, version }) => version !== present.get(toolId))
    .map(({ toolId, endpointId, version, params }) => ({
      toolId,
      endpointId,
      version,
      paramNames: namesOf(params),
    }));
}

function namesOf(params: readonly object[]): string[] {
  return params.flatMap((param) => textIn(param as LooseJson, 'name') ?? []);
}

function linksOf(skill: CatalogSkill): SkillLinks {
  const toolIds = skill.tools.map(({ toolId }) => toolId);
  return { toolIds, workflowIds: distinct(workflowIdsOf(skill)), dependsOn: skill.dependsOn };
}

function workflowIdsOf({ workflows }: CatalogSkill): string[] {
  return workflows.map(({ wfDefId }) => wfDefId);
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
