/** What an agent is not given, told to administrators and to the log. Pure. */
import { exceeds, type Tier } from '../platform/auth/sensitivity-tier.js';
import { approvalReasons, needsApprovalFor } from '../../packages/tool-guard/tool-guard.js';
import { isApproved, willBeBlockedByGateway } from './approval.policy.js';
import { skillRules } from './availability.rules.js';
import type { JudgedOffer, OfferedSkill } from './catalog.offers.js';
import type { Objection, Terms } from './disclosure.offer.js';
import { groupedBy } from './grouped-by.js';
import { tierLimitOf } from './permission.rules.js';

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
  /**
   * `gateway_will_block`: approved by its link alone, of which a gateway knows nothing. `name_shared`: the agent is given
   * another tool of this name, of another version, and whoever calls by name does not say which.
   */
  readonly code: 'gateway_will_block' | 'name_shared';
}

/** A blocked decision, in the keys of the audit log (reference 1, Failure Handling). */
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

/**
 * What an administrator is told: the tools of all skills, then the skills that have none. Tools above the tier of the
 * token are left out (contract 2).
 */
export function withheldOf(offered: readonly OfferedSkill[], tokenTier: Tier | undefined): Withheld[] {
  const limit = tokenTier ?? 'restricted';
  const tools = offered.flatMap(({ skill, offers }) =>
    offers.flatMap(({ tool, objection }) =>
      objection === undefined || exceeds(tool.sensitivity_tier, limit)
        ? []
        : [{ skillId: skill.skill_id, toolId: tool.tool_id, toolName: tool.name, ...objection }],
    ),
  );
  const skills = offered
    .filter(isWithoutTool)
    .map((each) => ({ skillId: each.skill.skill_id, ...objectionToSkill(each) }));
  return [...tools, ...skills];
}

/** Whether it has no active tool. */
export function isWithoutTool({ offers }: OfferedSkill): boolean {
  return !offers.some(({ tool }) => tool.active);
}

/** Of a skill without an active tool, which no agent is given. */
function objectionToSkill(offered: OfferedSkill): Objection {
  for (const { reason, objection } of skillRules) {
    const detail = objection(offered);
    if (detail !== undefined) return { reason, detail };
  }
  const detail = `The skill ${offered.skill.name} has no active tool.`;
  return { reason: 'skill_without_active_tool', detail };
}

export function auditInfoOf(offer: JudgedOffer, terms: Terms): AuditInfo[] {
  const { tool, objection } = offer;
  if (objection === undefined) return [];
  const { safety = {} } = tool.tool_metadata;
  return [
    {
      toolName: tool.name,
      toolPolicyDecision: 'blocked',
      toolPolicyReason: objection.reason,
      toolSensitivityTier: tool.sensitivity_tier,
      toolMaxSensitivityTier: tierLimitOf(offer, terms),
      toolDestructive: safety.destructive === true,
      toolRequiresApproval: approvalReasons.some((reason) => needsApprovalFor(safety, reason)),
      toolApprovalConfigured: isApproved(offer, terms.approvals),
    },
  ];
}

export function diagnosticsOf(disclosed: readonly JudgedOffer[], { approvals }: Terms): Diagnostic[] {
  const tools = new Map(disclosed.map(({ tool }) => [tool.tool_id, tool]));
  const byName = groupedBy([...tools.values()], ({ name }) => name);
  return [...tools].flatMap(([toolId, tool]) => {
    const about = { toolId, toolName: tool.name };
    const shared = (byName.get(tool.name)?.length ?? 0) > 1;
    return [
      ...(willBeBlockedByGateway(tool, approvals) ? [{ ...about, code: 'gateway_will_block' as const }] : []),
      ...(shared ? [{ ...about, code: 'name_shared' as const }] : []),
    ];
  });
}
