/** What an agent is not given, told to administrators and to the log. Pure. */
import { isApproved, needsApproval, willBeBlockedByGateway } from './approval.policy.js';
import type { JudgedOffer } from './catalog.offers.js';
import type { Terms } from './disclosure.offer.js';
import { groupedBy } from './grouped-by.js';
import { tierLimitOf } from './permission.rules.js';

export interface WithheldTool {
  readonly skillId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly reason: string;
  readonly detail: string;
}

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

export function withheldOf({ skill, tool, objection }: JudgedOffer): WithheldTool[] {
  if (objection === undefined) return [];
  return [{ skillId: skill.skill_id, toolId: tool.tool_id, toolName: tool.name, ...objection }];
}

export function auditInfoOf(offer: JudgedOffer, terms: Terms): AuditInfo[] {
  const { tool, objection } = offer;
  if (objection === undefined) return [];
  const toolDestructive = tool.tool_metadata.safety?.destructive === true;
  return [
    {
      toolName: tool.name,
      toolPolicyDecision: 'blocked',
      toolPolicyReason: objection.reason,
      toolSensitivityTier: tool.sensitivity_tier,
      toolMaxSensitivityTier: tierLimitOf(offer, terms),
      toolDestructive,
      toolRequiresApproval: toolDestructive || needsApproval(tool),
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
