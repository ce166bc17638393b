/**
 * The effective catalog of one agent, in the shape of contract 7. Pure: the same rows, in whatever order, give
 * the same document. Members that are undefined are left out when it is written.
 */
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import type { AgentRow, CatalogRows, WorkflowRow } from './catalog.rows.js';
import type { OfferedSkill } from './catalog.offers.js';
import { isDisclosed, isGiven, offersOf } from './catalog.offers.js';
import { referencesOf, type References } from './catalog.references.js';
import { taxonomyOf, toolOf, type KnownOfTools } from './catalog.tool.js';
import {
  auditInfoOf,
  diagnosticsOf,
  isWithoutTool,
  withheldOf,
  type AuditInfo,
  type Diagnostic,
  type Withheld,
} from './catalog.withholding.js';
import { examplePromptsOf } from './catalog.words.js';
import { byCodePoint } from './code-point.order.js';
import { groupedBy } from './grouped-by.js';
import type { Circumstances, Terms } from './disclosure.offer.js';

export const formatVersion = '1.0';

/** All that the hash covers. */
export type CatalogContent = ReturnType<typeof contentOf>;

export interface Catalog {
  readonly content: CatalogContent;
  readonly references: References;
  /** What the token may be told of it. */
  readonly withheld: readonly Withheld[];
  readonly diagnostics: readonly Diagnostic[];
  /** The tools that were withheld, all of them, for the log. */
  readonly blocked: readonly AuditInfo[];
  /** How many skills have no active tool. */
  readonly skillsWithoutTool: number;
  /** By skill id, then tool id; of disclosed tools only. */
  readonly examplePrompts: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

export function catalogOf(rows: CatalogRows, circumstances: Circumstances): Catalog {
  const terms = termsOf(rows, circumstances);
  const offered = offersOf(rows, terms);
  const offers = offered.flatMap((skill) => skill.offers);
  const disclosed = offers.filter(isDisclosed);
  const references = referencesOf(offers);
  return {
    content: contentOf(rows, offered, references, terms),
    references,
    withheld: withheldOf(offered, terms.tokenTier),
    diagnostics: diagnosticsOf(disclosed, terms),
    blocked: offers.flatMap((offer) => auditInfoOf(offer, terms)),
    skillsWithoutTool: offered.filter(isWithoutTool).length,
    examplePrompts: promptsOf(offered),
  };
}

function promptsOf(offered: readonly OfferedSkill[]): Catalog['examplePrompts'] {
  return new Map(
    offered.map(({ skill, offers }) => [
      skill.skill_id,
      new Map(offers.filter(isDisclosed).map((offer) => [offer.tool.tool_id, examplePromptsOf(offer)])),
    ]),
  );
}

export function termsOf({ approvals }: CatalogRows, circumstances: Circumstances): Terms {
  const references = approvals.flatMap(({ wf_def_id, namespace, name }) => [
    wf_def_id,
    `${namespace}/${name}`,
  ]);
  return { ...circumstances, approvals: new Set(references) };
}

function contentOf(
  rows: CatalogRows,
  offered: readonly OfferedSkill[],
  references: References,
  { approvals }: Terms,
) {
  const given = offered.filter(isGiven);
  const known: Known = {
    references,
    approvals,
    taxonomies: new Map(rows.taxonomies.map((taxonomy) => [taxonomy.entity_id, taxonomy])),
    workflows: workflowsOf(rows),
    dependsOn: dependsOnOf(rows, new Set(given.map(({ skill }) => skill.skill_id))),
  };
  return {
    formatVersion,
    hostId: rows.hostId,
    agentDefId: rows.agent.agent_def_id,
    serviceId: rows.agent.service_id,
    envTag: rows.agent.env_tag,
    agent: agentOf(rows.agent),
    skills: given.map((skill) => skillOf(skill, known)),
  };
}

interface Known extends KnownOfTools {
  readonly workflows: ReadonlyMap<string, readonly SkillWorkflow[]>;
  /** By skill: the skills that it builds on. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
}

type SkillWorkflow = ReturnType<typeof workflowOf>;

/** By skill; by role, then name, then id. */
function workflowsOf({ workflows }: CatalogRows): ReadonlyMap<string, readonly SkillWorkflow[]> {
  const sorted = [...workflows].sort(
    (a, b) =>
      byCodePoint(a.workflow_role, b.workflow_role) ||
      byCodePoint(a.namespace, b.namespace) ||
      byCodePoint(a.name, b.name) ||
      byCodePoint(a.wf_def_id, b.wf_def_id),
  );
  const bySkill = groupedBy(sorted, ({ skill_id }) => skill_id);
  return new Map([...bySkill].map(([skillId, rows]) => [skillId, rows.map(workflowOf)]));
}

function workflowOf(row: WorkflowRow) {
  return {
    wfDefId: row.wf_def_id,
    namespace: row.namespace,
    name: row.name,
    version: row.version,
    workflowRole: row.workflow_role,
    startMode: row.start_mode,
    config: row.config,
  };
}

/** Dependencies, required or not, cut to the skills that are given; by id. */
function dependsOnOf(
  { dependencies }: CatalogRows,
  given: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const known = dependencies.filter(({ depends_on_skill_id }) => given.has(depends_on_skill_id));
  const bySkill = groupedBy(known, ({ skill_id }) => skill_id);
  return new Map(
    [...bySkill].map(([skillId, rows]) => [
      skillId,
      rows.map(({ depends_on_skill_id }) => depends_on_skill_id).sort(byCodePoint),
    ]),
  );
}

function agentOf(agent: AgentRow) {
  return {
    name: agent.name,
    apiVersion: agent.api_version,
    personas: agent.personas,
    maxSensitivityTier: tierOf(agent.max_sensitivity_tier),
    modelProvider: agent.model_provider ?? undefined,
    modelName: agent.model_name ?? undefined,
  };
}

function skillOf({ assignment, skill, offers }: OfferedSkill, known: Known) {
  return {
    skillId: skill.skill_id,
    name: skill.name,
    description: skill.description ?? '',
    contentMarkdown: skill.content_markdown,
    version: skill.version,
    priority: assignment.priority,
    sequenceId: assignment.sequence_id,
    config: assignment.config,
    ...taxonomyOf(skill.skill_id, known),
    dependsOn: known.dependsOn.get(skill.skill_id) ?? [],
    workflows: known.workflows.get(skill.skill_id) ?? [],
    tools: offers.filter(isDisclosed).map((offer) => toolOf(offer, known)),
  };
}
