/** Judges offers by the rules of disclosure, and says what is withheld: to administrators and to the log. Pure. */
import { approvalOf, isApproved, tierLimitOf, type Offer, type OfferedSkill } from './offers.js';
import { approvalReasons, needsApprovalFor } from '../../../packages/tool-guard/tool-guard.js';
import { byCodePoint } from '../../documents/json.js';
import { blockedBy } from '../../gateways/shared.js';
import { exceeds, type Tier } from '../../platform/auth/sensitivity-tier.js';
import {
  firstObjection,
  rules,
  skillRules,
  type DisclosureContext,
  type Objection,
} from './disclosure.rules.js';
import type { CatalogRows, ToolRow } from '../rows.js';

/** What the agent's skills offer it, each offer judged. */
export interface Judgement {
  readonly context: DisclosureContext;
  readonly skills: readonly JudgedSkill[];
  readonly references: References;
}

export interface JudgedSkill extends OfferedSkill {
  readonly offers: readonly JudgedOffer[];
  /** Why the skill itself is not given, whatever its tools are; undefined where it is. */
  readonly objection: Objection | undefined;
}

export interface JudgedOffer extends Offer {
  /** Why it is withheld; undefined where it is disclosed. */
  readonly objection: Objection | undefined;
}

export interface WithheldTool {
  readonly skillId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly reason: string;
  readonly detail: string;
}

/** A skill that has no active tool. */
export type WithheldSkill = Omit<WithheldTool, 'toolId' | 'toolName'> & {
  readonly [Tool in 'toolId' | 'toolName']?: undefined;
};

export type Withheld = WithheldTool | WithheldSkill;

export interface Diagnostic {
  readonly toolId: string;
  readonly toolName: string;
  /** Approved by its link alone, of which a gateway knows nothing. */
  readonly code: 'gateway_will_block';
}

/** A blocked decision, in the keys of the audit log that gateways write, too. */
export interface AuditInfo {
  readonly toolName: string;
  readonly toolPolicyDecision: 'blocked';
  readonly toolPolicyReason: string;
  readonly toolSensitivityTier: string;
  readonly toolMaxSensitivityTier: string;
  readonly toolDestructive: boolean;
  readonly toolRequiresApproval: boolean;
  readonly toolApprovalConfigured: boolean;
}

/** What a request brings to the judgement: the tier of its token, and names of the context at hand. */
export interface RequestLimits {
  readonly tokenTier?: Tier | undefined;
  readonly context?: readonly string[] | undefined;
}

export function contextOf(
  { approvals }: CatalogRows,
  { tokenTier, context }: RequestLimits,
): DisclosureContext {
  const named = approvals.flatMap(({ wf_def_id, namespace, name }) => [wf_def_id, `${namespace}/${name}`]);
  return { tokenTier, context: context && new Set(context), approvals: new Set(named) };
}

export function judge(offered: readonly OfferedSkill[], context: DisclosureContext): Judgement {
  const judged = (offer: Offer): JudgedOffer => ({
    ...offer,
    objection: firstObjection(rules, offer, context),
  });
  const alone = offered.map((skill) => ({ ...skill, offers: skill.offers.map(judged) }));
  const given = givenByName(alone.flatMap(({ offers }) => offers));
  const besideOthers = (offer: JudgedOffer): JudgedOffer => {
    const namesake = given.get(offer.tool.name);
    const isFirst = namesake === undefined || namesake.tool_id === offer.tool.tool_id;
    return isFirst || !isDisclosed(offer) ? offer : judged({ ...offer, namesake });
  };
  const skills = alone.map((skill) => ({
    ...skill,
    objection: firstObjection(skillRules, skill, context) ?? objectionToEmpty(skill),
    offers: skill.offers.map(besideOthers),
  }));
  return { context, skills, references: referencesOf(skills.flatMap(({ offers }) => offers)) };
}

/** Finds the tool that has each name: the earliest that is not withheld, by id, since ids grow with time. */
function givenByName(offers: readonly JudgedOffer[]): ReadonlyMap<string, ToolRow> {
  const given = new Map<string, ToolRow>();
  for (const offer of offers) {
    const { tool } = offer;
    const other = given.get(tool.name);
    if (isDisclosed(offer) && (other === undefined || byCodePoint(tool.tool_id, other.tool_id) < 0))
      given.set(tool.name, tool);
  }
  return given;
}

/** Whether the endpoint is disclosed that a tool of this API version refers to by an endpoint key. */
export type References = (key: string, apiVersionId: string | undefined) => boolean;

/** A key means the endpoint of the same API version; where that has none, any endpoint with the key. */
function referencesOf(offers: readonly JudgedOffer[]): References {
  const endpointsOf = (some: readonly JudgedOffer[]) => some.flatMap(({ endpoint }) => endpoint ?? []);
  const placed = (endpoint: string, version = ''): string => `${version} ${endpoint}`;
  const all = endpointsOf(offers);
  const given = endpointsOf(offers.filter(isDisclosed));
  const keys = new Set(given.map(({ endpoint }) => endpoint));
  const offeredThere = new Set(all.map((one) => placed(one.endpoint, one.api_version_id)));
  const givenThere = new Set(given.map((one) => placed(one.endpoint, one.api_version_id)));
  return (key, version) => {
    const own = placed(key, version);
    return offeredThere.has(own) ? givenThere.has(own) : keys.has(key);
  };
}

/** Objects to a skill without an active tool (docs/contract.md, section 6); one whose active tools are all withheld stays. */
function objectionToEmpty(offered: OfferedSkill): Objection | undefined {
  if (hasActiveTool(offered)) return undefined;
  const detail = `The skill ${offered.skill.name} has no active tool.`;
  return { reason: 'skill_without_active_tool', detail };
}

function hasActiveTool({ offers }: OfferedSkill): boolean {
  return offers.some(({ tool }) => tool.active);
}

export function isDisclosed({ objection }: JudgedOffer): boolean {
  return objection === undefined;
}

/**
 * The withheld tools of all skills, then the skills that have no active tool. Tools above the tier of the token are
 * left out (docs/contract.md, section 2).
 */
export function withheldOf({ skills, context: { tokenTier = 'restricted' } }: Judgement): Withheld[] {
  const tools = skills.flatMap(({ skill, offers }) =>
    offers.flatMap(({ tool, objection }) =>
      objection === undefined || exceeds(tool.sensitivity_tier, tokenTier)
        ? []
        : [{ skillId: skill.skill_id, toolId: tool.tool_id, toolName: tool.name, ...objection }],
    ),
  );
  return [...tools, ...skillsWithoutTool(skills)];
}

/** Each skill without an active tool, with the reason why it is not given. */
function skillsWithoutTool(skills: readonly JudgedSkill[]): WithheldSkill[] {
  return skills.flatMap((judged) =>
    judged.objection === undefined || hasActiveTool(judged)
      ? []
      : [{ skillId: judged.skill.skill_id, ...judged.objection }],
  );
}

/** Warnings about disclosed tools whose calls a gateway will block. */
export function diagnosticsOf({ skills, context }: Judgement): Diagnostic[] {
  const disclosed = skills.flatMap(({ offers }) => offers.filter(isDisclosed));
  const tools = new Map(disclosed.map(({ tool }) => [tool.tool_id, tool]));
  return [...tools].flatMap(([toolId, tool]) => {
    const about = { toolId, toolName: tool.name };
    const safety = { ...tool.tool_metadata.safety, approvalWorkflow: approvalOf(tool, context.approvals) };
    const blocked = blockedBy({ tier: tool.sensitivity_tier, metadata: { safety } }, 'restricted');
    return blocked === undefined ? [] : [{ ...about, code: 'gateway_will_block' as const }];
  });
}

/** How much of an agent's catalog is disclosed and withheld, for the log and for metrics. Never content. */
export interface Disclosure {
  readonly skills: number;
  readonly tools: number;
  /** Tools that are withheld, and skills without an active tool. */
  readonly withheld: number;
  /** How many tools each reason withholds. */
  readonly withheldBy: ReadonlyMap<string, number>;
  /** The decisions that withhold a tool; of very many the first. */
  readonly blocked: readonly AuditInfo[];
}

const MAX_BLOCKED = 50;

export function disclosureOf({ skills, context }: Judgement): Disclosure {
  const offers = skills.flatMap((skill) => skill.offers);
  const withheldBy = new Map<string, number>();
  const blocked: AuditInfo[] = [];
  for (const { objection, ...offer } of offers) {
    if (objection === undefined) continue;
    const { reason } = objection;
    withheldBy.set(reason, (withheldBy.get(reason) ?? 0) + 1);
    if (blocked.length < MAX_BLOCKED) blocked.push(auditInfoOf(offer, reason, context));
  }
  const disclosed = offers.filter(isDisclosed).length;
  return {
    skills: skills.filter(({ objection }) => objection === undefined).length,
    tools: disclosed,
    withheld: offers.length - disclosed + skillsWithoutTool(skills).length,
    withheldBy,
    blocked,
  };
}

function auditInfoOf(offer: Offer, reason: string, context: DisclosureContext): AuditInfo {
  const { name, sensitivity_tier: tier, tool_metadata } = offer.tool;
  const { safety = {} } = tool_metadata;
  return {
    toolName: name,
    toolPolicyDecision: 'blocked',
    toolPolicyReason: reason,
    toolSensitivityTier: tier,
    toolMaxSensitivityTier: tierLimitOf(offer, context),
    toolDestructive: safety.destructive === true,
    toolRequiresApproval: approvalReasons.some((each) => needsApprovalFor(safety, each)),
    toolApprovalConfigured: isApproved(offer, context),
  };
}
